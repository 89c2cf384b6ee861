import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { diskError } from "../../storage/disk/disk-error.ts";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";
import type { SurveyProducts } from "./engine.ts";
import type { ModelFiles } from "./products/model-files.ts";
import type { OrthoFiles } from "./products/ortho-files.ts";
import type { ProductInput } from "./products/product-input.ts";
import type { ReportFiles } from "./products/report-files.ts";
import type { SurfaceFiles } from "./products/surface-files.ts";
import { keyText } from "./run/key-text.ts";
import type { SurveyRun } from "./run/survey-run.ts";
import { withShared } from "./shared-memory.ts";

const PRODUCTS = { name: "products", version: 3 } as const;

type Files = SurfaceFiles & OrthoFiles & ModelFiles & ReportFiles;

/** Names of the files in the folder of results. */
const PRODUCT_FILES = {
  dsm: "dsm.tif",
  orthomosaic: "orthomosaic.tif",
  orthomosaicPreview: "orthomosaic-preview.jpg",
  hillshade: "hillshade.png",
  model3d: "model.glb",
  reportJson: "report.json",
  reportHtml: "report.html",
} as const satisfies Record<keyof SurveyProducts, string>;

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
  const { value: files } = await run.once(PRODUCTS, [...gridKeys, keyText(facts)], async () => {
    const shared = { ...product, dsm: withShared(dsm), ortho: ortho && withShared(ortho) };
    let done = 0;
    const counted = async <T>(work: Promise<T>): Promise<T> => {
      const value = await work;
      done += 1;
      run.advance("products", done / 5);
      return value;
    };
    const [orthoFiles, modelFiles, surfaceFiles, reportFiles] = await Promise.all([
      counted(pool.run("write-ortho", shared, signal)),
      counted(pool.run("write-model", shared, signal)),
      counted(pool.run("write-surface", shared, signal)),
      counted(pool.run("write-report", shared, signal)),
    ]);
    const all: Files = { ...orthoFiles, ...modelFiles, ...surfaceFiles, ...reportFiles };
    return all;
  });
  await mkdir(input.outDir, { recursive: true });
  const paths: Partial<Record<keyof SurveyProducts, string>> = {};
  for (const [product, name] of Object.entries(PRODUCT_FILES)) {
    const key = product as keyof SurveyProducts;
    const bytes = files[key];
    if (bytes === undefined) continue;
    signal.throwIfAborted();
    paths[key] = join(input.outDir, name);
    await replaceFile(disk, join(input.outDir, name), bytes);
  }
  run.advance("products", 1);
  return paths as SurveyProducts;
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
