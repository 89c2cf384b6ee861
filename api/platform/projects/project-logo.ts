import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import { ProjectId } from "../../../domain/ids.ts";
import { projectFolder, projectLogoKey } from "../../../domain/platform/project-logo.ts";
import {
  LOGO_BOX_PX,
  MAX_LOGO_BYTES,
  MAX_LOGO_SIDE_PX,
} from "../../../processing/images/logo/logo-limits.ts";
import { MAKE_LOGO } from "../../../processing/images/logo/tasks.ts";
import type { Files } from "../../../storage/open.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleStoredProject } from "../../access/record-access.ts";
import type { RunTask } from "../../dependencies/dependencies.ts";
import { FAILURES, NOT_MODIFIED, WRITE_FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { whileOpen } from "../../long-requests/while-open.ts";
import { matchesTag, tagHash } from "../../representations/entity-tag.ts";
import { readLogo } from "../../stored-images/project-logos.ts";
import { withBody } from "../../validation/validation.ts";
import { deleteFolder } from "../../writes/delete-folder.ts";

export interface ProjectLogoOptions {
  readonly records: Pick<RecordStore, "projects">;
  readonly files: Pick<Files, "store">;
  /** Absent: no logo can be set here. */
  readonly runTask: RunTask | undefined;
}

const PNG = "image/png";
const TYPES = [PNG, "image/jpeg", "image/webp"];

const ProjectPath = Type.Object({ project_id: ProjectId });
const ProjectLogo = Type.Object(
  { width_px: Type.Integer(), height_px: Type.Integer(), size_bytes: Type.Integer() },
  { title: "ProjectLogo", description: "The logo as it is stored, PNG" },
);
const path = "/projects/:project_id/logo";

/** The sign of a project, which its reports and printed pages show; mounted at `/api/v1`. */
const projectLogo: FastifyPluginAsyncTypebox<ProjectLogoOptions> = async (app, options) => {
  const { records, files, runTask } = options;
  app.addContentTypeParser(
    TYPES,
    { parseAs: "buffer", bodyLimit: MAX_LOGO_BYTES },
    (_request, body, done) => done(null, body),
  );

  app.get(
    path,
    {
      config: { access: "any key" },
      schema: {
        operationId: "getProjectLogo",
        tags: ["platform"],
        summary: "The logo of a project, PNG",
        description: "404 where it has none. Has an entity tag.",
        params: ProjectPath,
        response: {
          200: {
            description: "The logo",
            content: { [PNG]: { schema: Type.Unsafe({ type: "string", format: "binary" }) } },
          },
          ...NOT_MODIFIED,
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      const { id } = await visibleStoredProject(
        records.projects,
        request,
        request.params.project_id,
      );
      const png = await readLogo(files.store, id);
      reply.header("cache-control", "private, no-cache");
      if (png === undefined) throw new Refusal(404, "not_found", "The project has no logo");
      const etag = `"${tagHash(png.toString("latin1"))}"`;
      reply.header("etag", etag);
      if (matchesTag(request.headers["if-none-match"], etag)) return reply.code(304).send();
      return reply.type(PNG).send(png);
    },
  );

  app.put(
    path,
    {
      config: { access: "admin" },
      // The body is an image.
      validatorCompiler: withBody(Type.Unknown()),
      schema: {
        operationId: "putProjectLogo",
        tags: ["platform"],
        summary: "Set the logo that reports and printed pages of a project show",
        description: `The file itself as the body: PNG, JPEG or WebP of at most ${MAX_LOGO_BYTES / 1024 ** 2} MiB and ${MAX_LOGO_SIDE_PX} pixels a side. Its content counts, not the type that is named. It is written anew as PNG of at most ${LOGO_BOX_PX.width} x ${LOGO_BOX_PX.height} pixels, on white. No SVG: it can run and fetch things.`,
        params: ProjectPath,
        consumes: TYPES,
        body: Type.String({ format: "binary" }),
        response: { 200: ProjectLogo, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { project_id } = request.params;
      const { id } = await visibleStoredProject(records.projects, request, project_id);
      const body: unknown = request.body;
      if (!Buffer.isBuffer(body)) {
        throw new Refusal(400, "invalid_request", `The body must be a file: ${TYPES.join(", ")}`);
      }
      if (runTask === undefined) {
        throw new Refusal(400, "invalid_request", "No images are read by this process");
      }
      const { png, widthPx, heightPx } = await runTask(
        MAKE_LOGO,
        { content: body },
        whileOpen(reply),
      ).catch((error: unknown) => {
        throw isOfTheImage(error)
          ? new Refusal(400, "unusable_images", `The logo ${error.message}`)
          : error;
      });
      await files.store.put(projectLogoKey(id), png, { projectId: id });
      if ((await records.projects.find(id)) === undefined) {
        // It was deleted meanwhile, and its folder before the file was there.
        deleteFolder(files.store, projectFolder(id), request.log);
        throw new DomainError("PROJECT_NOT_FOUND", `no project "${id}"`);
      }
      return { width_px: widthPx, height_px: heightPx, size_bytes: png.byteLength };
    },
  );

  app.delete(
    path,
    {
      config: { access: "admin" },
      schema: {
        operationId: "deleteProjectLogo",
        tags: ["platform"],
        summary: "Remove the logo of a project",
        params: ProjectPath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { project_id } = request.params;
      const { id } = await visibleStoredProject(records.projects, request, project_id);
      await files.store.delete(projectLogoKey(id));
      return reply.code(204).send(null);
    },
  );
};

export default projectLogo;

/** Whether the file itself is why no logo could be made of it: what a decoder cannot survive included. */
const isOfTheImage = (error: unknown): error is DomainError =>
  error instanceof DomainError && (error.code === "IMAGE_REFUSED" || error.code === "TASK_FAILED");
