import type { FastifyRequest } from "fastify";
import type { NamedUploads } from "../surveys/image-entries.ts";
import type { ResumableUploads } from "./resumable-uploads.ts";
import { visibleUpload } from "./upload-access.ts";

/** Finds the uploads that bodies name, for whom they belong to. */
export function createNamedUploads(uploads: ResumableUploads): NamedUploads {
  return {
    async find(request: FastifyRequest, id: string) {
      const seen = await visibleUpload(uploads.files, request, id).catch(() => undefined);
      if (seen === undefined) return undefined;
      const whole = await uploads.finish(id);
      if (whole?.stored === undefined) return "unfinished";
      return { url: uploads.urlOf(whole.stored.key), name: whole.name };
    },
  };
}
