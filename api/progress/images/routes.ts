import type { Readable } from "node:stream";
import fastifyMultipart, { type MultipartFile } from "@fastify/multipart";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import { ProjectId } from "../../../domain/ids.ts";
import { StorageShortage } from "../../../domain/platform/storage-shortage.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import {
  MAX_IMAGE_BYTES,
  UPLOADED_IMAGE_MS,
} from "../../../processing/images/files/image-limits.ts";
import { cleanName } from "../../../processing/images/files/image-name.ts";
import type { ProjectQuota } from "../../../storage/quota/quota.ts";
import { uploadProject } from "../../access/upload-project.ts";
import { needsOneOf } from "../../auth/needs-one-of.ts";
import { WRITE_FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { cutWhenSilent } from "../../long-requests/silent-body.ts";
import { createWorkSlots } from "../../long-requests/work-slots.ts";
import type { ImageUploads, UploadAbout } from "../../surveys/image-uploads.ts";
import { withBody } from "../../validation/validation.ts";

export interface ImagesOptions {
  readonly uploads: ImageUploads;
  readonly directory: AssetDirectory;
  readonly quota: ProjectQuota;
  readonly now: () => number;
}

/** Images of one request: as many as one measurement takes (the contract, Limits). */
const MAX_IMAGES = 300;
/**
 * Uploads under way. Each holds a connection and a file that is being written; a site's uplink is full with
 * one, so more of a key would only wait for each other. All keys together stay far below the limit of open
 * files (1,024 by default). To come back after some images.
 */
const UPLOADS = { what: "uploads", perOwner: 16, inAll: 256, retryAfterS: 10 };

const UploadedImage = Type.Object(
  {
    name: Type.String({ description: "Name of the file as it was sent" }),
    status: Type.Enum(["stored", "refused"]),
    url: Type.Optional(Type.String({ description: "Address for `images` of other requests" })),
    sha256: Type.Optional(Type.String({ description: "SHA-256 of the bytes, hex" })),
    size_bytes: Type.Optional(Type.Integer()),
    reason: Type.Optional(Type.String({ description: "Why it was refused" })),
  },
  { title: "UploadedImage" },
);
type UploadedImage = Type.Static<typeof UploadedImage>;

/** Images from clients that have no public address for them, mounted at `/api/v1/progress`. */
const images: FastifyPluginAsyncTypebox<ImagesOptions> = async (app, options) => {
  const { uploads, directory, quota, now } = options;
  await app.register(fastifyMultipart, {
    throwFileSizeLimit: false,
    limits: { fileSize: MAX_IMAGE_BYTES, files: MAX_IMAGES, fields: 10, fieldSize: 1_024 },
  });

  const slots = createWorkSlots(UPLOADS);

  /** `before`: the results of the images before it. */
  async function storeOne(
    part: MultipartFile,
    about: UploadAbout,
    before: readonly UploadedImage[],
  ): Promise<UploadedImage> {
    // A part that is a file by its type alone has no name.
    const name = cleanName((part.filename as string | undefined) ?? "") || "image";
    try {
      const { sha256, bytes, url } = await uploads.store(part.file, about);
      return { name, status: "stored", url, sha256, size_bytes: bytes };
    } catch (error) {
      // Stored images are answered with their addresses, which would be lost otherwise.
      const isPartial =
        error instanceof StorageShortage && before.some(({ status }) => status === "stored");
      const isRefused = error instanceof DomainError && error.code === "IMAGE_REFUSED";
      if (!(isRefused || isPartial)) throw error;
      // The rest of it has to be read for the next one to come.
      part.file.resume();
      return { name, status: "refused", reason: error.message };
    }
  }

  app.post(
    "/images",
    {
      config: { access: "any key", longBody: true, once: "repeatable" },
      onRequest: needsOneOf("progress:write", "materials:write"),
      // The body is a stream, which the route reads part by part.
      validatorCompiler: withBody(Type.Unknown()),
      schema: {
        operationId: "uploadImages",
        tags: ["progress"],
        summary: "Store images, and get addresses to name them by in other requests",
        description: `Up to ${MAX_IMAGES} JPEG, PNG, TIFF or WebP files of at most ${MAX_IMAGE_BYTES / 1024 ** 2} MiB as multipart/form-data, under any field name. Each has a result of its own, in their order; 400 \`unusable_images\` when none was stored. Needs \`progress:write\` or \`materials:write\`.`,
        querystring: Type.Object({
          project_id: Type.Optional(
            Type.Unsafe<ProjectId>({
              ...ProjectId,
              description:
                "Whose quota the images count for; required where the key sees several projects and one has a quota",
            }),
          ),
        }),
        consumes: ["multipart/form-data"],
        body: Type.Object({ images: Type.Array(Type.String({ format: "binary" })) }),
        response: {
          201: Type.Object(
            {
              images: Type.Array(UploadedImage),
              expires_at: Type.String({
                format: "date-time",
                description: "Until when the addresses lead to the images",
              }),
            },
            { title: "UploadedImages" },
          ),
          ...WRITE_FAILURES,
        },
      },
    },
    async (request, reply) => {
      const { project_id } = request.query;
      const projectId = await uploadProject(request, directory, project_id, quota);
      const leave = slots.enter(request, reply);
      const expiresAtMs = now() + UPLOADED_IMAGE_MS;
      const results: UploadedImage[] = [];
      let taken: Readable | undefined;
      const stopWatching = cutWhenSilent(request.raw, () => taken?.readableEnded === true);
      try {
        const bytes = Number(request.headers["content-length"] ?? 0);
        await quota.require(projectId, bytes);
        await uploads.requireRoom(bytes);
        for await (const part of request.files()) {
          taken = part.file;
          results.push(await storeOne(part, { expiresAtMs, projectId }, results));
          taken = undefined;
        }
      } catch (error) {
        throw isDamagedForm(error)
          ? new Refusal(400, "invalid_request", "The form is cut off or damaged")
          : error;
      } finally {
        leave();
        stopWatching();
      }
      if (results.length === 0) {
        throw new Refusal(400, "invalid_request", "The form has no file in it");
      }
      if (!results.some(({ status }) => status === "stored")) {
        const reasons = results.slice(0, 3).map(({ name, reason }) => `${name} ${reason}`);
        throw new Refusal(400, "unusable_images", `No image was stored: ${reasons.join("; ")}`);
      }
      reply.code(201);
      return { images: results, expires_at: new Date(expiresAtMs).toISOString() };
    },
  );
};

export default images;

/**
 * What the parser of forms throws when a form has no end, no boundary or too long a one: errors
 * without a code (sources of @fastify/busboy 3.2).
 */
function isDamagedForm(error: unknown): boolean {
  return error instanceof Error && !("code" in error) && /multipart|needle/i.test(error.message);
}
