import type { FastifyPluginAsync } from "fastify";
import type { ProjectQuota } from "../../../storage/quota/quota.ts";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import projectStorage from "./project-storage.ts";
import projects from "./projects.ts";

export interface ProjectRoutesOptions
  extends Pick<ApiDependencies, "records" | "directory" | "now"> {
  readonly quota: ProjectQuota;
}

/** Projects, and what they store; mounted at `/api/v1`. */
const projectRoutes: FastifyPluginAsync<ProjectRoutesOptions> = async (app, options) => {
  const { records, directory, quota, now } = options;
  await app.register(projects, { records, directory, now });
  await app.register(projectStorage, { records, quota });
};

export default projectRoutes;
