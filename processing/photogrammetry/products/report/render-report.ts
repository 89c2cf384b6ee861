import { LIMITS } from "../../../gates/gate-thresholds.ts";
import { Markup, markup } from "../../../page/markup.ts";
import { PAGE_STYLE } from "../../../page/page-style.ts";
import { cameraMap, type MapBackground } from "./camera-map.ts";
import { figureText as text } from "./figure-text.ts";
import type { ReportInput } from "./report-input.ts";
import type { Figure, SurveyReport } from "./report-schema.ts";
import {
  controlTable,
  findingsSection,
  imageTable,
  keyTiles,
  lensTable,
  scaleSource,
  unusedImages,
} from "./report-tables.ts";
import { residualFields } from "./residual-field.ts";
import { residualFieldPlot, rmsByImage, scoreHistogram } from "./residual-plots.ts";

/** An encoded picture, as it goes into a data URI. */
export interface EncodedPicture {
  readonly mediaType: "image/png" | "image/webp";
  readonly bytes: Uint8Array;
}

/** Pictures of the report; the orthophoto is `undefined` where the engine made none. */
export interface ReportPictures {
  readonly ortho: EncodedPicture | undefined;
  /** The orthophoto below the map of cameras, smaller. */
  readonly backdrop: EncodedPicture | undefined;
  readonly height: EncodedPicture;
  readonly score: EncodedPicture | undefined;
  readonly views: EncodedPicture | undefined;
}

/**
 * One HTML page with everything in it, its pictures small (larger ones are products beside it): no script, nothing fetched, fit for A4 paper. Every text that came
 * with the images is escaped. A content policy in the page forbids whatever might slip through.
 */
export function renderReport(
  report: SurveyReport,
  input: ReportInput,
  pictures: ReportPictures,
): string {
  const { survey, place, surface } = report;
  const fields = input.reconstruction === undefined ? [] : residualFields(input.reconstruction);
  const flown =
    survey.flown_from === null
      ? "time unknown"
      : `${survey.flown_from.slice(0, 16).replace("T", " ")} to ${(survey.flown_to ?? "").slice(11, 16)} by the camera's clock`;
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>Survey report: ${survey.name}</title><style>${new Markup(PAGE_STYLE)}</style></head><body>
<header><h1>${survey.name}</h1>
<p>Photogrammetric survey, quality report. ${flown}. Engine: ${survey.engine}.</p>
<p class="soft">Origin ${text(place.latitude)}, ${text(place.longitude)} (WGS 84), height ${text(place.height)}. Products: ${place.projection} (EPSG:${place.epsg}), north-up; heights ${place.heights}.</p></header>
${keyTiles(report)}
<h2>Findings</h2>${findingsSection(report)}
<h2>Cameras and ground covered</h2>
<figure>${cameraMap(input, background(input, pictures))}
<figcaption>Footprints are drawn at the median height of the ground. Red arrows: what the adjustment moved each camera against its GPS position, after the common offset was taken off. Red crosses: images that could not be oriented.</figcaption></figure>
<div class="pair">${pictureFigure(pictures.views, "Views of each cell", "Three are the least for a height that can be trusted; below it red.")}
${pictureFigure(pictures.score, "Matching score", "Mean correlation of the views at the surface: 1 = equal, below 0.3 a cell is no data (white).")}</div>
<h2>Surface and orthophoto</h2>
<p>Cell of the surface ${text(surface.cell)}, of the orthophoto ${text(surface.orthophoto_cell)}; ground sample distance of the photographs ${text(surface.ground_sample_distance)}, of the images as the surface was matched in them ${text(surface.matched_sample_distance)}; flying height ${text(surface.flying_height)}. Heights from ${text(surface.lowest)} to ${text(surface.highest)}; ${text(surface.area)} with heights.</p>
${pictureFigure(pictures.height, "Surface model", "Heights as colours, as the file has them, shaded from the north-west, slopes twice as steep. White: no data.")}
${pictureFigure(pictures.ortho, "Orthophoto", "True orthophoto: walls do not lean. White: not seen.")}
<figure>${scoreHistogram(report)}<figcaption>Score of the cells that have a height.</figcaption></figure>
<h2>Adjustment</h2>${adjustmentTable(report)}
<figure>${rmsByImage(report)}<figcaption>An image that stands out is blurred, has moving things in it, or a wrong tag.</figcaption></figure>
${fields.map((field, i) => markup`<figure>${residualFieldPlot(field)}<figcaption>Lens ${i + 1}: mean residual by place in the picture. Arrows without order are noise; a swirl or a star is distortion that the lens model left over.</figcaption></figure>`)}
${controlTable(report)}
<h3>Lenses</h3>${lensTable(report)}
<h2>Images</h2>${unusedImages(report)}${imageTable(report)}
<p class="soft">Figures with their units are in report.json beside this page (${report.schema}). The way from ENU to the map errs by at most ${text(place.map_error)}; products are resampled onto it, measurements are made before.</p>
</body></html>
`;
  return page.text;
}

function background(input: ReportInput, pictures: ReportPictures): MapBackground | undefined {
  if (pictures.backdrop === undefined || input.orthoFrame === undefined) return undefined;
  return { frame: input.orthoFrame, dataUri: dataUri(pictures.backdrop) };
}

function dataUri({ mediaType, bytes }: EncodedPicture): string {
  return `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}`;
}

function pictureFigure(
  picture: EncodedPicture | undefined,
  title: string,
  caption: string,
): Markup | undefined {
  if (picture === undefined) return undefined;
  return markup`<figure><h3>${title}</h3><img src="${dataUri(picture)}" alt="${title}"><figcaption>${caption}</figcaption></figure>`;
}

/** Usual errors are 0.2 to 0.7 pixels of the working size: a sixth to six tenths of the limit. */
function fitNote({ value }: Figure): string {
  if (value === null) return "pixels of the photographs";
  const [least, most] = [0.2, 0.7].map((px) => ((px / LIMITS.rmsPx) * value).toFixed(1));
  return `pixels of the photographs; ${least} to ${most} px is usual, above ${value} px is refused`;
}

function adjustmentTable({ adjustment: a }: SurveyReport): Markup {
  const rows: readonly (readonly [string, Figure, string])[] = [
    ["Reprojection error (rms)", a.reprojection_rms, fitNote(a.reprojection_limit)],
    ["Tie points", a.tie_points, "points on the ground that images share"],
    ["Observations", a.observations, "places of tie points in images"],
    ["Observations a point", a.observations_per_point, "3 and more check each other"],
    [
      "Tracks dropped",
      a.dropped_tracks,
      `up to 6 % is usual; above ${LIMITS.droppedTracks * 100} % is refused`,
    ],
    ["GPS residual, horizontal", a.gps_residual_horizontal, "0.02 m with RTK, 0.5 to 3 m without"],
    ["GPS residual, vertical", a.gps_residual_vertical, "0.03 m with RTK, 0.5 to 5 m without"],
    ["GPS offset taken off, east", a.gps_bias_east, "common to all images"],
    ["GPS offset taken off, north", a.gps_bias_north, "common to all images"],
    ["GPS offset taken off, up", a.gps_bias_up, "common to all images"],
    ["Scale, standard deviation", a.scale_sigma, `fixed by ${scaleSource(a.scale_from)}`],
    [
      "Volume, standard deviation from scale alone",
      a.volume_sigma_from_scale,
      "three times the scale's",
    ],
    ["Control points (used)", a.control_rms, "rms of what is left over"],
    ["Control points left out in turn", a.leave_one_out_rms, "rms; what the others make of each"],
    [
      "Control points, standard deviation",
      a.control_sigma_horizontal,
      "horizontal, as declared or by residuals",
    ],
    ["", a.control_sigma_vertical, "vertical"],
    ["Check points (held back)", a.check_rms, "rms; the only independent measure of this survey"],
  ];
  return markup`<table><thead><tr><th>Figure</th><th class="n">Measured</th><th>To compare</th></tr></thead><tbody>
${rows.map(
  ([
    name,
    figure,
    note,
  ]) => markup`<tr><td>${name}</td><td class="n">${text(figure)}</td><td class="soft">${note}</td></tr>
`,
)}</tbody></table>`;
}
