import type { FastifyPluginAsync } from "fastify";
import type { ProjectQuota } from "../../../storage/quota/quota.ts";
import type { ApiDependencies } from "../../dependencies/dependencies.ts";
import projectLogo from "./project-logo.ts";
import projectStorage from "./project-storage.ts";
import projects from "./projects.ts";

export interface ProjectRoutesOptions
  extends Pick<ApiDependencies, "records" | "directory" | "files" | "now" | "runThumbnailTask"> {
  readonly quota: ProjectQuota;
}

/** Projects, what they store, and their logos; mounted at `/api/v1`. */
const projectRoutes: FastifyPluginAsync<ProjectRoutesOptions> = async (app, options) => {
  const { records, directory, files, quota, now, runThumbnailTask: runTask } = options;
  await app.register(projects, { records, directory, files, now });
  await app.register(projectStorage, { records, quota });
  if (files !== undefined) await app.register(projectLogo, { records, files, runTask });
};

export default projectRoutes;
