import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DomainError } from "../../domain/errors.ts";
import type { HeightUnit } from "../../domain/geometry/vertical-datum.ts";
import type { BaseChoice } from "../../domain/sites/stockpile.ts";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";
import { writeMetered } from "../../storage/disk/write-metered.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import type { GeodeticExtent } from "../engine/raster/surface-extent.ts";
import { READ_RASTERS } from "../engine/raster/tasks.ts";
import { withShared } from "../engine/run/shared-memory.ts";
import { checkUnitBeside } from "../epoch/check-unit-beside.ts";
import type { GateFinding } from "../gates/gates.ts";
import type { WorkerPool } from "../pool/pool.ts";
import type { GroundSurvey } from "./surface/ground-survey.ts";

export interface GroundTools {
  readonly files: Pick<FileStore, "get">;
  readonly engines: Pick<WorkerPool, "run">;
  /** Admits the copy; `undefined`: none is refused. */
  readonly disk: DiskSpace | undefined;
}

/** The ground that a base names, and what is to be known of its file. */
export interface LoadedGround {
  readonly ground: GroundSurvey;
  readonly findings: readonly GateFinding[];
}

/**
 * Reads the surface, or its part within `extent`, that a base of the kind `survey` names.
 * @param surveyM median height of the survey that is measured, metres
 * @param dir takes a copy of the file
 * @throws DomainError `PARAMETER_INVALID` when it is not stored any more; `IMAGE_REFUSED` when it is not a
 *   GeoTIFF of heights; StorageShortage
 */
export async function loadGround(
  tools: GroundTools,
  {
    base: { surface_key: surfaceKey, height_unit: heightUnit },
    extent,
    surveyM,
  }: {
    readonly base: Extract<BaseChoice, { readonly method: "survey" }>;
    readonly extent: GeodeticExtent | undefined;
    readonly surveyM: number;
  },
  dir: string,
  signal: AbortSignal,
): Promise<LoadedGround> {
  const { ground, isUnitStated, findings } = await readGround(
    tools,
    { surfaceKey, heightUnit, extent },
    dir,
    signal,
  );
  const { heightM } = ground.origin;
  return {
    ground,
    findings: [...findings, ...checkUnitBeside({ isUnitStated, heightM }, surveyM)],
  };
}

/**
 * Reads a stored surface, or its part within `extent`.
 * @param dir takes a copy of the file
 * @throws as {@link loadGround}
 */
export async function readGround(
  { files, engines, disk }: GroundTools,
  {
    surfaceKey,
    heightUnit,
    extent,
  }: {
    readonly surfaceKey: string;
    readonly heightUnit: HeightUnit | undefined;
    readonly extent: GeodeticExtent | undefined;
  },
  dir: string,
  signal: AbortSignal,
): Promise<LoadedGround & { readonly isUnitStated: boolean }> {
  const opened = await files.get(surfaceKey);
  if (opened === undefined) {
    throw new DomainError(
      "PARAMETER_INVALID",
      "the surface that is this stockpile's base is not stored any more",
    );
  }
  await mkdir(dir, { recursive: true });
  const path = join(dir, "ground.tif");
  if (disk === undefined) await pipeline(opened.body, createWriteStream(path), { signal });
  else await writeMetered(opened.body, path, { disk, writer: "product", signal });
  try {
    const rasters = { dsm: path, orthophoto: undefined, extent, heightUnit };
    const surface = await engines.run(READ_RASTERS, rasters, signal);
    const { origin, dsm, isUnitStated, findings } = surface;
    return { ground: { origin, dsm: withShared(dsm) }, isUnitStated, findings };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "IMAGE_REFUSED") throw error;
    throw new DomainError(
      "IMAGE_REFUSED",
      `the stockpile's base (base.surface_url): ${error.message}`,
    );
  }
}
