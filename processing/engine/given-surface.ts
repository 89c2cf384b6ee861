import type { GateFinding } from "../gates/gates.ts";
import { fileHash } from "../images/files/file-hash.ts";
import type { SurveyImage } from "../photogrammetry/camera/survey-image.ts";
import type { SurveyResult } from "./port/engine.ts";
import { writeProducts } from "./product-stage.ts";
import { productGeoid } from "./products/product-geoid.ts";
import { productMap } from "./products/product-input.ts";
import { openRaster } from "./raster/open-raster.ts";
import type { GivenRasters, ReadRasters } from "./raster/read-rasters.ts";
import { extentToRead } from "./raster/read-surface.ts";
import { READ_RASTERS } from "./raster/tasks.ts";
import { keyText } from "./run/key-text.ts";
import type { FinishedStage } from "./run/stage-store.ts";
import type { SurveyRun } from "./run/survey-run.ts";

const RASTERS = { name: "rasters", version: 5 } as const;

/** Reads rasters onto ENU grids, each content once. */
export async function readGivenSurface(
  run: SurveyRun,
  rasters: GivenRasters,
): Promise<FinishedStage<ReadRasters>> {
  const { orthophoto, extent, heightUnit = "" } = rasters;
  // Of a raster that is read whole it changes nothing.
  const largeExtent = (await isReadInPart(rasters)) ? rasters.largeExtent : undefined;
  const keys = [
    await fileHash(rasters.dsm),
    orthophoto === undefined ? "" : await fileHash(orthophoto),
    extent === undefined ? "" : keyText(extent),
    largeExtent === undefined ? "" : keyText(largeExtent),
    heightUnit,
  ];
  return await run.once(RASTERS, keys, () => run.pool.run(READ_RASTERS, rasters, run.signal));
}

/** Whether the raster has too many cells to be read as a whole, and `largeExtent` says what is read of it. */
async function isReadInPart({ dsm, ...choice }: GivenRasters): Promise<boolean> {
  if (choice.extent !== undefined || choice.largeExtent === undefined) return false;
  const raster = await openRaster(dsm);
  try {
    return extentToRead(raster, choice) !== undefined;
  } finally {
    await raster.close();
  }
}

/** The result of an engine that yields rasters and says nothing of cameras. */
export async function finishGivenSurface(
  run: SurveyRun,
  { key, value }: FinishedStage<ReadRasters>,
  facts: {
    readonly engine: "precomputed" | "nodeodm";
    readonly images: readonly SurveyImage[];
    readonly refused: readonly string[];
    readonly findings: readonly GateFinding[];
  },
): Promise<SurveyResult> {
  const { engine, images, refused } = facts;
  const { origin, dsm, ortho, stepM, heightDatum } = value;
  const { name, outputCrs, geoidGrid } = run.input;
  const given = { reconstruction: undefined, heightDatum };
  const geoid = await productGeoid(geoidGrid, origin, dsm, given);
  const asked = [...productMap(outputCrs, origin).findings, ...geoid.findings];
  const findings = [...facts.findings, ...value.findings, ...asked];
  const found = {
    ...{ engine, images, origin, reconstruction: undefined, dsm, stepM, ortho, findings },
    heightDatum,
    ...(geoid.geoid && { geoid: geoid.geoid.name }),
  };
  const product = {
    ...{ name, coverage: undefined, refused, geoidPatch: geoid.geoid },
    ...{ outputCrs, ...found },
  };
  const products = await writeProducts(run, product, [key]);
  return { ...found, refused, products, timings: run.timings() };
}
