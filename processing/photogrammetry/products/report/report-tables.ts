import { LIMITS } from "../../../gates/gate-thresholds.ts";
import { type Markup, markup } from "../../../page/markup.ts";
import { tile } from "../../../page/tile.ts";
import { figureText as text } from "./figure-text.ts";
import type { Figure, SurveyReport } from "./report-schema.ts";

/** The eight key figures for a surveyor. */
export function keyTiles(report: SurveyReport): Markup {
  const { images, adjustment, surface, findings } = report;
  const oriented = `${images.oriented.value ?? "?"} of ${images.given.value ?? "?"}`;
  const isAll = images.oriented.value === images.given.value;
  const hasRefusal = findings.some(({ severity }) => severity === "reject");
  return markup`<div class="tiles">
${tile(oriented, "images oriented", isAll ? "" : "warn")}
${tile(text(adjustment.reprojection_rms), "reprojection error (rms)", over(adjustment.reprojection_rms, adjustment.reprojection_limit.value ?? Number.POSITIVE_INFINITY))}
${tile(text(surface.ground_sample_distance), "ground sample distance of the photographs", "")}
${tile(text(surface.area), "with heights", "")}
${tile(withSign(adjustment.scale_sigma), `scale, fixed by ${scaleSource(adjustment.scale_from)}`, over(adjustment.scale_sigma, (LIMITS.volumeSigma / 3) * 100))}
${tile(text(surface.coverage), "of the surveyed cells have a height", under(surface.coverage, LIMITS.coverage * 100))}
${tile(text(surface.views_mean), "on each cell, mean", under(surface.views_mean, 3))}
${tile(String(findings.length), "findings", hasRefusal ? "bad" : findings.length > 0 ? "warn" : "")}
</div>`;
}

/** What fixes the scale, for people. */
export function scaleSource(from: string): string {
  return from === "gps" || from === "rtk" ? from.toUpperCase() : from.replaceAll("_", " ");
}

function withSign(figure: Figure): string {
  return figure.value === null ? text(figure) : `\u00b1 ${text(figure)}`;
}

function over({ value }: Figure, limit: number): "" | "warn" {
  return value !== null && value > limit ? "warn" : "";
}

function under({ value }: Figure, limit: number): "" | "warn" {
  return value !== null && value < limit ? "warn" : "";
}

/** What the gates have to say, with what to do about it. */
export function findingsSection({ findings }: SurveyReport): Markup {
  if (findings.length === 0) return markup`<p class="ok">No gate has anything to say.</p>`;
  return markup`${findings.map(
    ({
      gate,
      severity,
      measured,
      limit,
      advice,
      images,
    }) => markup`<div class="finding ${severity}">
<b>${gate}</b> ${severity === "reject" ? "(no honest result)" : "(warning)"}: ${text(measured)}, limit ${limit.value ?? "none"}
<p>${advice}</p>${images.length === 0 ? undefined : markup`<p class="soft">${images.join(", ")}</p>`}</div>
`,
  )}`;
}

/** Every control point and mark with what is left over; nothing where none was given. */
export function controlTable({ control }: SurveyReport): Markup | undefined {
  if (control.length === 0) return undefined;
  return markup`<h3>Control points</h3><table><thead><tr><th>Point</th><th>Use</th><th class="n">East, north, up m</th><th class="n">Left out in turn m</th><th>Marks, px of the file</th></tr></thead><tbody>
${control.map(
  (point) => markup`<tr><td>${point.name}</td><td>${USES[point.use]}</td>
<td class="n">${[point.error_east, point.error_north, point.error_up].map((figure) => plain(figure, 3)).join(", ")}</td><td class="n">${plain(point.leave_one_out, 3)}</td>
<td>${point.marks.map(({ image, used, residual }) => `${image} ${plain(residual, 1)}${used || point.use !== "used" ? "" : " (left out)"}`).join(", ")}</td></tr>
`,
)}</tbody></table>
<p class="soft">Errors are where the marks put a point less where it was given. Points that are used pull the model to them; left out in turn they do not.</p>`;
}

const USES = { used: "used", check: "check point (held back)", left_out: "left out" } as const;

/** Calibration of each lens, in pixels of the photographs. */
export function lensTable({ lenses }: SurveyReport): Markup {
  if (lenses.length === 0) return markup`<p>The engine gave no lenses.</p>`;
  return markup`<table><thead><tr><th>Lens</th><th class="n">Images</th><th class="n">Size</th><th class="n">Focal length</th><th class="n">Change</th><th class="n">Centre x, y</th><th class="n">k1</th><th class="n">k2</th><th class="n">p1</th><th class="n">p2</th></tr></thead><tbody>
${lenses.map(
  (
    lens,
    i,
  ) => markup`<tr><td>${i + 1}</td><td class="n">${lens.images}</td><td class="n">${plain(lens.width)} x ${plain(lens.height)}</td>
<td class="n">${text(lens.focal_length)} \u00b1 ${text(lens.focal_length_sigma)}</td><td class="n">${text(lens.focal_length_change)}</td>
<td class="n">${plain(lens.principal_point_x, 1)}, ${plain(lens.principal_point_y, 1)}</td>
<td class="n">${plain(lens.k1, 5)}</td><td class="n">${plain(lens.k2, 5)}</td><td class="n">${plain(lens.p1, 5)}</td><td class="n">${plain(lens.p2, 5)}</td></tr>
`,
)}</tbody></table>`;
}

/** Every image with its quality and residuals. */
export function imageTable({ image_table: rows }: SurveyReport): Markup {
  return markup`<table class="images"><thead><tr><th class="n">No</th><th>Image</th><th>Camera</th><th class="n">Tie points</th><th class="n">rms px</th><th class="n">GPS E, N, up m</th><th class="n">Tilt</th><th class="n">Sharpness</th><th class="n">Brightness</th><th class="n">Clipped</th></tr></thead><tbody>
${rows.map(
  (
    row,
    i,
  ) => markup`<tr><td class="n">${i + 1}</td><td>${row.name}${row.oriented ? "" : " (not oriented)"}</td><td>${row.camera}</td>
<td class="n">${plain(row.observations)}</td><td class="n">${plain(row.reprojection_rms, 2)}</td>
<td class="n">${[row.gps_residual_east, row.gps_residual_north, row.gps_residual_up].map((figure) => plain(figure, 2)).join(", ")}</td>
<td class="n">${row.tilt.value === null ? "-" : text(row.tilt)}</td><td class="n">${plain(row.sharpness)}</td><td class="n">${plain(row.brightness)}</td><td class="n">${text(row.clipped)}</td></tr>
`,
)}</tbody></table>`;
}

/** The images that were not used, with the reason. */
export function unusedImages({ image_uses: uses }: SurveyReport): Markup {
  const unused = uses.filter(({ use }) => use !== "used");
  if (unused.length === 0) return markup`<p>Every image was used.</p>`;
  return markup`<table><thead><tr><th>Image that was not used</th><th>What became of it</th><th>Why</th></tr></thead><tbody>
${unused.map(
  ({ name, use, reason }) =>
    markup`<tr><td>${name}</td><td>${use.replaceAll("_", " ")}</td><td>${reason ?? ""}</td></tr>
`,
)}</tbody></table>`;
}

/** Without its unit, which the column's head names; `digits` decimals, so that the decimal points are aligned. */
function plain({ value }: Figure, digits = 0): string {
  return value === null ? "-" : value.toFixed(digits);
}
