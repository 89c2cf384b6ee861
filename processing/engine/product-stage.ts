import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SurveyExport } from "../../domain/sites/survey-exports.ts";
import { diskError } from "../../storage/disk/disk-error.ts";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";
import type { SurveyProducts } from "./port/engine.ts";
import type { ExportFiles } from "./products/export-files.ts";
import type { ModelFiles } from "./products/model-files.ts";
import type { OrthoFiles } from "./products/ortho-files.ts";
import type { ProductInput } from "./products/product-input.ts";
import type { ReportFiles } from "./products/report-files.ts";
import type { SurfaceFiles } from "./products/surface-files.ts";
import {
  WRITE_CAMERAS,
  WRITE_EXPORTS,
  WRITE_MODEL,
  WRITE_ORTHO,
  WRITE_REPORT,
  WRITE_SURFACE,
} from "./products/tasks.ts";
import { keyText } from "./run/key-text.ts";
import { withShared } from "./run/shared-memory.ts";
import type { SurveyRun } from "./run/survey-run.ts";

const PRODUCTS = { name: "products", version: 5 } as const;
/** Of its own: who asks for exports of a known survey has nothing else made again. */
const EXPORTS = { name: "exports", version: 1 } as const;

type Files = SurfaceFiles &
  OrthoFiles &
  ModelFiles &
  ReportFiles & { readonly cameras: ExportFiles };

/** Names of the files in the folder of results. */
const PRODUCT_FILES = {
  dsm: "dsm.tif",
  orthomosaic: "orthomosaic.tif",
  orthomosaicPreview: "orthomosaic-preview.jpg",
  hillshade: "hillshade.png",
  model3d: "model.glb",
  reportJson: "report.json",
  reportHtml: "report.html",
} as const satisfies Record<Exclude<keyof SurveyProducts, "exports">, string>;

/** Names of the exports there; other programs look for theirs in a folder by these names. */
const EXPORT_FILES = {
  point_cloud: "point-cloud.copc.laz",
  dtm: "dtm.tif",
  contours_geojson: "contours.geojson",
  contours_dxf: "contours.dxf",
  cameras: "cameras.json",
  opensfm_reconstruction: "opensfm/reconstruction.json",
  opensfm_shots: "opensfm/shots.geojson",
  colmap_cameras: "colmap/cameras.txt",
  colmap_images: "colmap/images.txt",
  colmap_points: "colmap/points3D.txt",
} as const satisfies Record<SurveyExport, string>;

/**
 * Makes the files that a survey leaves behind and puts them into `input.outDir`, each whole or not at all.
 * @param gridKeys keys of what the grids came from
 * @throws StorageShortage
 */
export async function writeProducts(
  run: SurveyRun,
  product: ProductInput,
  gridKeys: readonly string[],
): Promise<SurveyProducts> {
  const { pool, disk, signal, input } = run;
  const { dsm, ortho, reconstruction: _, ...facts } = product;
  run.advance("products", 0);
  const shared = { ...product, dsm: withShared(dsm), ortho: ortho && withShared(ortho) };
  const keys = [...gridKeys, keyText(facts)];
  const tasks = input.exports === true ? 7 : 6;
  let done = 0;
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    const value = await work;
    done += 1;
    run.advance("products", done / tasks);
    return value;
  };
  const { contourIntervalM } = input;
  const makeFiles = run.once(PRODUCTS, keys, async () => {
    const [orthoFiles, modelFiles, surfaceFiles, reportFiles, cameras] = await Promise.all([
      counted(pool.run(WRITE_ORTHO, shared, signal)),
      counted(pool.run(WRITE_MODEL, shared, signal)),
      counted(pool.run(WRITE_SURFACE, shared, signal)),
      counted(pool.run(WRITE_REPORT, shared, signal)),
      counted(pool.run(WRITE_CAMERAS, shared, signal)),
    ]);
    const all: Files = {
      ...orthoFiles,
      ...modelFiles,
      ...surfaceFiles,
      ...reportFiles,
      cameras,
    };
    return all;
  });
  const asked = { ...shared, contourIntervalM };
  const makeExports =
    input.exports === true
      ? run.once(EXPORTS, [...keys, keyText(contourIntervalM ?? null)], () =>
          counted(pool.run(WRITE_EXPORTS, asked, signal)),
        )
      : undefined;
  const [{ value: files }, made] = await Promise.all([makeFiles, makeExports]);
  const write = async <Name extends string>(
    names: Readonly<Record<Name, string>>,
    bytesOf: { readonly [Key in NoInfer<Name>]?: Uint8Array },
  ): Promise<Partial<Record<Name, string>>> => {
    const paths: Partial<Record<Name, string>> = {};
    for (const [product, name] of Object.entries<string>(names)) {
      const key = product as Name;
      const bytes = bytesOf[key];
      if (bytes === undefined) continue;
      signal.throwIfAborted();
      const path = join(input.outDir, name);
      await mkdir(dirname(path), { recursive: true });
      await replaceFile(disk, path, bytes);
      paths[key] = path;
    }
    return paths;
  };
  const paths = await write(PRODUCT_FILES, files);
  const exports = await write(EXPORT_FILES, { ...files.cameras, ...made?.value });
  run.advance("products", 1);
  return { ...paths, exports } as SurveyProducts;
}

async function replaceFile(disk: DiskSpace, path: string, bytes: Uint8Array): Promise<void> {
  const part = `${path}.${randomBytes(6).toString("hex")}.part`;
  const grant = await disk.reserve("product", bytes.length);
  try {
    await writeFile(part, bytes);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw diskError(error);
  } finally {
    grant.release();
  }
}
