import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { ProjectId } from "../../../domain/ids.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import type { ProjectQuota, ProjectUsage } from "../../../storage/quota/quota.ts";
import { visibleStoredProject } from "../../access/record-access.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { ifMatching, noteState } from "../../writes/resource-tag.ts";

export interface ProjectStorageOptions {
  readonly records: Pick<RecordStore, "projects" | "storedFiles">;
  readonly quota: ProjectQuota;
}

const MIB = 1024 ** 2;

const Storage = Type.Object(
  {
    project_id: ProjectId,
    used_bytes: Type.Integer({
      description:
        "Uploads, surfaces, products of surveys, reports, the logo, and the plans of schedules",
    }),
    files: Type.Integer(),
    limit_bytes: Type.Union([Type.Integer(), Type.Null()], { description: "null: no quota" }),
    left_bytes: Type.Union([Type.Integer(), Type.Null()]),
  },
  { title: "ProjectStorage" },
);
const ProjectPath = Type.Object({ project_id: ProjectId });

/** What projects have stored and may store, mounted at `/api/v1`. */
const projectStorage: FastifyPluginAsyncTypebox<ProjectStorageOptions> = async (app, options) => {
  const { records, quota } = options;

  app.get(
    "/projects/:project_id/storage",
    {
      config: { access: "any key", tagged: true },
      schema: {
        operationId: "getProjectStorage",
        tags: ["platform"],
        summary: "What a project has stored, and what its quota leaves",
        params: ProjectPath,
        response: { 200: Storage, ...FAILURES },
      },
    },
    async (request) => {
      const { project_id } = request.params;
      await visibleStoredProject(records.projects, request, project_id);
      const usage = await quota.usage(project_id);
      // What a PUT would overwrite: files that come and go do not change it.
      noteState(request, { limitBytes: usage.ownLimitBytes });
      return storageView(usage);
    },
  );

  app.put(
    "/projects/:project_id/storage",
    {
      // A larger quota is asked for when the disk is short, too, and takes no space.
      config: { access: "admin", storesNothing: true, tagged: true },
      schema: {
        operationId: "setProjectStorage",
        tags: ["platform"],
        summary: "Give a project a quota of its own",
        description:
          "`limit_mib: null` restores the quota of the installation (`PROJECT_STORAGE_MIB`). A project that has stored more keeps its files, and can store no more.",
        params: ProjectPath,
        body: Type.Object({
          limit_mib: Type.Union([Type.Integer({ minimum: 0, maximum: 2 ** 32 }), Type.Null()]),
        }),
        response: { 200: Storage, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { project_id } = request.params;
      await visibleStoredProject(records.projects, request, project_id);
      const { limit_mib } = request.body;
      const limitBytes = limit_mib === null ? undefined : limit_mib * MIB;
      await records.storedFiles.updateLimit(
        project_id,
        ifMatching(request, () => ({ limitBytes })),
      );
      return storageView(await quota.usage(project_id));
    },
  );
};

export default projectStorage;

const storageView = ({ projectId, bytes, files, limitBytes }: ProjectUsage) => ({
  project_id: projectId,
  used_bytes: bytes,
  files,
  limit_bytes: limitBytes ?? null,
  left_bytes: limitBytes === undefined ? null : Math.max(0, limitBytes - bytes),
});
