import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DomainError } from "../../domain/errors.ts";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";
import { writeMetered } from "../../storage/disk/write-metered.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { GeodeticExtent } from "../engine/raster/surface-extent.ts";
import { withShared } from "../engine/shared-memory.ts";
import type { SurveyPool } from "../pool/survey-pool.ts";
import type { GroundSurvey } from "./ground-survey.ts";

export interface GroundTools {
  readonly files: FileStore;
  readonly engines: Pick<SurveyPool, "run">;
  /** Admits the copy. */
  readonly disk: DiskSpace;
}

/**
 * Reads the surface, or its part within `extent`, that a base of the kind `survey` names.
 * @param dir takes a copy of the file
 * @throws DomainError `PARAMETER_INVALID` when it is not stored any more; `IMAGE_REFUSED` when it is no
 * GeoTIFF of heights; StorageShortage
 */
export async function loadGround(
  { files, engines, disk }: GroundTools,
  {
    surfaceKey,
    extent,
  }: { readonly surfaceKey: string; readonly extent: GeodeticExtent | undefined },
  dir: string,
  signal: AbortSignal,
): Promise<GroundSurvey> {
  const opened = await files.get(surfaceKey);
  if (opened === undefined) {
    throw new DomainError(
      "PARAMETER_INVALID",
      "the surface that is this stockpile's base is not stored any more",
    );
  }
  await mkdir(dir, { recursive: true });
  const path = join(dir, "ground.tif");
  await writeMetered(opened.body, path, { disk, writer: "product", signal });
  const { origin, dsm } = await engines.run(
    "read-rasters",
    { dsm: path, orthophoto: undefined, ...(extent && { extent }) },
    signal,
  );
  return { origin, dsm: withShared(dsm) };
}
