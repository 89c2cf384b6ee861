import type { FastifyRequest } from "fastify";
import { DomainError } from "../../../domain/errors.ts";
import type { WorkZoneId } from "../../../domain/ids.ts";
import { observationFolder, zoneFolder } from "../../../domain/sites/work-zone.ts";
import type { Files } from "../../../storage/open.ts";
import { Refusal } from "../../errors/refusal.ts";
import {
  keepUploadedImage,
  type NamedImage,
  readUploadedImage,
} from "../../stored-images/kept-image.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { deleteFolder } from "../../writes/delete-folder.ts";

const PARAMETER = "image_url";

/** Where photographs of observations are kept. */
export type PhotoFiles = Pick<Files, "keyOf" | "store">;

/** A photograph by the address of an upload. */
export interface NamedPhoto {
  /** Copies it among the files of the zone, and yields its key. @throws as `keepUploadedImage`. */
  keep(id: WorkZoneId): Promise<string>;
  /** Where the zone was deleted meanwhile, and its folder before the copy was there: deletes that again. */
  removeIfGone(error: unknown, id: WorkZoneId, request: FastifyRequest): void;
}

/** @throws ParameterError for another address, and for a TIFF, which no browser shows; Refusal without files. */
export function readPhoto(url: string, files: PhotoFiles | undefined): NamedPhoto {
  if (files === undefined) throw new Refusal(400, "invalid_request", "No files are kept here");
  const named: NamedImage = readUploadedImage(url, files, PARAMETER);
  if (named.kind === "tif") {
    throw invalidParameter(PARAMETER, "must be a JPEG, PNG or WebP image, not a TIFF");
  }
  return {
    keep: (id) => keepUploadedImage(named, observationFolder(id), files, PARAMETER),
    removeIfGone(error, id, request) {
      const isGone = error instanceof DomainError && error.code === "ZONE_NOT_FOUND";
      if (isGone) deleteFolder(files.store, zoneFolder(id), request.log);
    },
  };
}
