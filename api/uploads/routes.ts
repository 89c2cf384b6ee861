import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { ProjectId } from "../../domain/ids.ts";
import { isoTime } from "../../domain/iso-time.ts";
import { UNFINISHED_UPLOAD_MS, type Upload } from "../../domain/platform/upload.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import { MAX_IMAGE_BYTES, UPLOADED_IMAGE_MS } from "../../processing/images/files/image-limits.ts";
import { cleanName } from "../../processing/images/files/image-name.ts";
import type { ProjectQuota } from "../../storage/quota/quota.ts";
import { uploadProject } from "../access/upload-project.ts";
import { principal } from "../auth/guard.ts";
import { needsOneOf } from "../auth/needs-one-of.ts";
import { FAILURES, TOO_LARGE, WRITE_FAILURES } from "../errors/error.ts";
import { cutWhenSilent } from "../long-requests/silent-body.ts";
import { createWorkSlots } from "../long-requests/work-slots.ts";
import { withBody } from "../validation/validation.ts";
import { newUploadId, type ResumableUploads } from "./resumable-uploads.ts";
import { TusProtocol } from "./tus-protocol.ts";
import { visibleUpload } from "./upload-access.ts";

export interface UploadRoutesOptions {
  readonly uploads: ResumableUploads;
  readonly directory: AssetDirectory;
  readonly quota: ProjectQuota;
}

/**
 * Requests that bring bytes at a time; each holds a connection, and up to 2 MiB until they are stored. A browser opens six.
 */
const SENDING = { what: "requests that send uploads", perOwner: 16, inAll: 64, retryAfterS: 5 };
/**
 * Requests a minute and key, or session: 300 images in pieces of 4 MiB on a fast line. Apart from other requests, which a
 * flight would leave nothing for.
 */
const REQUESTS_PER_MINUTE = 6_000;
const BODY_TYPE = "application/offset+octet-stream";

const UploadView = Type.Object(
  {
    id: Type.String({ description: "For `upload_id` in `images` of other requests" }),
    project_id: Type.Union([ProjectId, Type.Null()]),
    name: Type.String(),
    status: Type.Enum(["unfinished", "stored"]),
    received_bytes: Type.Integer(),
    length_bytes: Type.Integer(),
    expires_at: Type.String({ format: "date-time", description: "When it is deleted" }),
    sha256: Type.Union([Type.String(), Type.Null()]),
    url: Type.Union([Type.String(), Type.Null()], {
      description: "Address of the image, as of POST /progress/images; null until it is stored",
    }),
  },
  { title: "Upload" },
);
const UploadPath = Type.Object({ upload_id: Type.String() });

/** Uploads that go on after a cut, by tus 1.0.0; mounted at `/api/v1`. */
const uploadRoutes: FastifyPluginAsyncTypebox<UploadRoutesOptions> = async (app, options) => {
  const { uploads, directory, quota } = options;
  const tus = new TusProtocol(uploads);
  const slots = createWorkSlots(SENDING);
  const access = {
    config: { access: "any key", requestsPerMinute: REQUESTS_PER_MINUTE, longBody: true },
    onRequest: needsOneOf("progress:write", "materials:write"),
  } as const;
  // The body is a stream, which the protocol reads.
  app.addContentTypeParser(BODY_TYPE, (_request, payload, done) => done(null, payload));

  /** Answers a request that may bring bytes, while there is a place for it. */
  async function receive(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    begin?: Parameters<TusProtocol["answer"]>[3],
  ): Promise<void> {
    const leave = slots.enter(request, reply);
    const stopWatching = cutWhenSilent(request.raw, () => tus.isStoring(id));
    try {
      await tus.answer(request, reply, id, begin);
    } finally {
      leave();
      stopWatching();
    }
  }

  app.post(
    "/uploads",
    {
      ...access,
      config: { ...access.config, once: "repeatable", sends: ["Location"] },
      schema: {
        operationId: "createUpload",
        tags: ["progress"],
        summary: "Begin an upload that goes on after a cut (tus 1.0.0)",
        description: `For a tus client, with the headers Tus-Resumable, Upload-Length (${MAX_IMAGE_BYTES} at most) and Upload-Metadata (\`filename\`). Location is the upload. 413 where it is too large.`,
        querystring: Type.Object({ project_id: Type.Optional(ProjectId) }),
        response: { 201: UploadView, ...WRITE_FAILURES, ...TOO_LARGE },
      },
    },
    async (request, reply) => {
      const { project_id } = request.query;
      const projectId = await uploadProject(request, directory, project_id, quota);
      const { keyId } = principal(request);
      const id = newUploadId();
      await receive(request, reply, id, (lengthBytes, filename) =>
        uploads.begin({ id, keyId, projectId, lengthBytes, name: cleanName(filename) || "image" }),
      );
      return await view(await visibleUpload(uploads.files, request, id));
    },
  );

  app.head<{ Params: Static<typeof UploadPath> }>(
    "/uploads/:upload_id",
    { ...access, schema: { hide: true } },
    async (request, reply) => {
      const { id } = await visibleUpload(uploads.files, request, request.params.upload_id);
      reply.header("cache-control", "no-store");
      await tus.answer(request, reply, id);
      return reply.send();
    },
  );

  app.get(
    "/uploads/:upload_id",
    {
      ...access,
      schema: {
        operationId: "getUpload",
        tags: ["progress"],
        summary: "How much of an upload is there, and its image",
        description: "HEAD, with Tus-Resumable, answers Upload-Offset: where to go on.",
        params: UploadPath,
        response: { 200: UploadView, ...FAILURES },
      },
    },
    async (request) => {
      const found = await visibleUpload(uploads.files, request, request.params.upload_id);
      return await view((await uploads.finish(found.id)) ?? found);
    },
  );

  app.patch(
    "/uploads/:upload_id",
    {
      ...access,
      validatorCompiler: withBody(Type.Unknown()),
      schema: {
        operationId: "continueUpload",
        tags: ["progress"],
        summary: "Send more of an upload (tus 1.0.0)",
        description: `The next bytes as ${BODY_TYPE}, with Tus-Resumable and Upload-Offset: 409 where the upload is at another one. What arrived of a request that was cut stays. The last one stores the image, or refuses it.`,
        params: UploadPath,
        consumes: [BODY_TYPE],
        body: Type.Unsafe({ type: "string", format: "binary" }),
        response: { 204: Type.Null({ description: "Stored" }), ...WRITE_FAILURES, ...TOO_LARGE },
      },
    },
    async (request, reply) => {
      const { id } = await visibleUpload(uploads.files, request, request.params.upload_id);
      await receive(request, reply, id);
      return reply.send(null);
    },
  );

  app.delete(
    "/uploads/:upload_id",
    {
      ...access,
      schema: {
        operationId: "deleteUpload",
        tags: ["progress"],
        summary: "End an upload (tus 1.0.0)",
        description:
          "An image that it became stays as long as its addresses are good. Needs Tus-Resumable.",
        params: UploadPath,
        response: { 204: Type.Null({ description: "Deleted" }), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { id } = await visibleUpload(uploads.files, request, request.params.upload_id);
      await tus.answer(request, reply, id);
      return reply.send(null);
    },
  );

  async function view(upload: Upload): Promise<Static<typeof UploadView>> {
    const { id, projectId, name, lengthBytes, createdAtMs, stored } = upload;
    const parts = stored === undefined ? await uploads.files.parts(id) : [];
    const keptMs = stored === undefined ? UNFINISHED_UPLOAD_MS : UPLOADED_IMAGE_MS;
    return {
      id,
      project_id: projectId ?? null,
      name,
      status: stored === undefined ? "unfinished" : "stored",
      received_bytes:
        stored === undefined ? parts.reduce((sum, { bytes }) => sum + bytes, 0) : lengthBytes,
      length_bytes: lengthBytes,
      expires_at: isoTime(createdAtMs + keptMs),
      sha256: stored?.sha256 ?? null,
      url: stored === undefined ? null : uploads.urlOf(stored.key),
    };
  }
};

export default uploadRoutes;
