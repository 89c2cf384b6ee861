import { encodeSmall } from "../../images/pixels/encode.ts";
import { buildReport } from "../../photogrammetry/products/report/build-report.ts";
import {
  type EncodedPicture,
  renderReport,
} from "../../photogrammetry/products/report/render-report.ts";
import {
  heightPicture,
  orthoPicture,
  scorePicture,
  viewsPicture,
} from "../../pictures/map-pictures.ts";
import type { Picture } from "../../pictures/picture.ts";
import { originHeightM, type ProductInput, surfaceMap } from "./product-input.ts";

export interface ReportFiles {
  readonly reportJson: Uint8Array;
  readonly reportHtml: Uint8Array;
}

/**
 * Longer edge, pixels, and most bytes of each picture in the page: together some 160 kB, 220 kB as text. Whole
 * ones are files beside the page.
 */
const LARGE = { edgePx: 900, mostBytes: 50_000 };
const MAP = { edgePx: 700, mostBytes: 30_000 };
const SMALL = { edgePx: 500, mostBytes: 20_000 };
/** Longer edge of the orthophoto that two of them are made of, pixels. */
const ORTHO_PX = 1_200;

/**
 * The quality report as JSON and as one page. Times are not in it: the same images give the same bytes,
 * however often the work was interrupted.
 */
export async function reportFiles(input: ProductInput): Promise<ReportFiles> {
  const { dsm, ortho, engine } = input;
  const originM = originHeightM(input);
  const facts = { ...input, map: surfaceMap(input), orthoFrame: ortho, originHeightM: originM };
  const report = buildReport(facts);
  const small = async (picture: Picture, size: typeof LARGE): Promise<EncodedPicture> => ({
    mediaType: "image/webp",
    bytes: await encodeSmall(picture, size),
  });
  const photo = ortho && orthoPicture(ortho, ORTHO_PX);
  // A given surface says nothing of views and correlation.
  const isMeasured = engine === "local";
  const page = renderReport(report, facts, {
    ortho: photo && (await small(photo, LARGE)),
    backdrop: photo && (await small(photo, SMALL)),
    height: await small(heightPicture(dsm, originM), MAP),
    score: isMeasured ? await small(scorePicture(dsm), MAP) : undefined,
    views: isMeasured ? await small(viewsPicture(dsm), MAP) : undefined,
  });
  return {
    reportJson: Buffer.from(`${JSON.stringify(report, undefined, 1)}\n`),
    reportHtml: Buffer.from(page),
  };
}
