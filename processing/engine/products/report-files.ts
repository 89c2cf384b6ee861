import { encodeJpeg, encodePng } from "../../images/encode.ts";
import {
  heightPicture,
  orthoPicture,
  scorePicture,
  viewsPicture,
} from "../../photogrammetry/products/map-pictures.ts";
import type { Picture } from "../../photogrammetry/products/picture.ts";
import { buildReport } from "../../photogrammetry/products/report/build-report.ts";
import {
  type EncodedPicture,
  renderReport,
} from "../../photogrammetry/products/report/render-report.ts";
import { type ProductInput, surfaceMap } from "./product-input.ts";

export interface ReportFiles {
  readonly reportJson: Uint8Array;
  readonly reportHtml: Uint8Array;
}

/** Longer edge of the orthophoto in the page, pixels: it is printed 18 cm wide. Chosen. */
const ORTHO_PX = 1_200;

/**
 * The quality report as JSON and as one page. Times are not in it: the same images give the same bytes,
 * however often the work was interrupted.
 */
export async function reportFiles(input: ProductInput): Promise<ReportFiles> {
  const { dsm, ortho, engine, origin } = input;
  const facts = { ...input, map: surfaceMap(input), orthoFrame: ortho };
  const report = buildReport(facts);
  const png = async (picture: Picture): Promise<EncodedPicture> => ({
    mediaType: "image/png",
    bytes: await encodePng(picture),
  });
  // A given surface says nothing of views and correlation.
  const isMeasured = engine === "local";
  const page = renderReport(report, facts, {
    ortho: ortho && {
      mediaType: "image/jpeg",
      bytes: await encodeJpeg(orthoPicture(ortho, ORTHO_PX)),
    },
    height: await png(heightPicture(dsm, origin.heightM)),
    score: isMeasured ? await png(scorePicture(dsm)) : undefined,
    views: isMeasured ? await png(viewsPicture(dsm)) : undefined,
  });
  return {
    reportJson: Buffer.from(`${JSON.stringify(report, undefined, 1)}\n`),
    reportHtml: Buffer.from(page),
  };
}
