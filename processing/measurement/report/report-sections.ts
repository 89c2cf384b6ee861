import type {
  Alignment,
  Georeferencing,
  StockpileMeasurement,
} from "../../../domain/sites/measurement.ts";
import type { BaseMethod, Stockpile } from "../../../domain/sites/stockpile.ts";
import { stockpileStatus } from "../../../domain/sites/stockpile.ts";
import { cubicMetres, figure, percent, plusMinus, signed } from "../../page/figures.ts";
import { type Markup, markup } from "../../page/markup.ts";
import { tile } from "../../page/tile.ts";

/** What must be seen before the number is used. */
export function notices({ footprint_state, is_current }: StockpileMeasurement): Markup {
  return markup`${
    footprint_state === "confirmed"
      ? undefined
      : markup`<div class="notice"><b>Footprint proposed, not confirmed.</b> The outline was found in the surface by the program. Nobody has checked whether it follows the toe of the pile: the volume is that of the outline in the pictures, whatever it takes in. Confirm or correct it before the number is used.</div>
`
  }${
    is_current
      ? undefined
      : markup`<div class="notice"><b>Not the current volume.</b> A later survey had been measured already when this one came in.</div>
`
  }`;
}

/** The figures that readers need first, after the volume itself. */
export function keyTiles(measurement: StockpileMeasurement, stockpile: Stockpile): Markup {
  const { current_volume_m3: volume, change_m3, change_95_m3, tonnes, coverage } = measurement;
  const share = volume / stockpile.max_capacity_m3;
  const status = stockpileStatus(stockpile, volume);
  return markup`<div class="tiles">
${tile(measurement.accuracy, "accuracy: 100 % less the interval", "")}
${tile(`${signed(change_m3, 1)} m\u00b3`, change_95_m3 === undefined ? `change; ${whyUnsure(measurement)}` : `change ${plusMinus(change_95_m3)} (95 %)`, measurement.significant === false ? "warn" : "")}
${tile(percent(share), `of ${cubicMetres(stockpile.max_capacity_m3)} capacity: ${status}`, status === "low" || status === "full" ? "warn" : "")}
${tonnes === undefined ? tile("\u2013", "tonnes: no density is set", "") : tile(`${figure(tonnes, 1)} t`, `at ${figure(measurement.density_t_per_m3 ?? 0, 2)} t/m\u00b3, as it lies`, "")}
${tile(`${figure(measurement.max_height_m, 2)} m`, "highest above the base", "")}
${tile(`${figure(measurement.area_m2, 1)} m\u00b2`, "area of the footprint", measurement.footprint_state === "confirmed" ? "" : "warn")}
${tile(percent(coverage), "of the footprint have heights", coverage < 0.95 ? "warn" : "")}
${tile(`${figure(measurement.gsd_cm, 1)} cm`, "ground sample distance", "")}
</div>`;
}

/** Who said the volume before. */
function before({
  previous_measurement_id: id,
  change_basis: basis,
}: StockpileMeasurement): string {
  if (id !== undefined) return `measurement ${id}`;
  return basis === "none" ? "nobody has said; counted from nothing" : "declared by a person";
}

/** Before, now, and whether the difference means anything. */
export function changeSection(measurement: StockpileMeasurement): Markup {
  const { previous_volume_m3, current_volume_m3, uncertainty_95_m3, change_m3 } = measurement;
  const { change_95_m3, significant } = measurement;
  return markup`<table><tbody>
<tr><td class="name">Volume before</td><td class="n few">${cubicMetres(previous_volume_m3)}</td><td class="soft">${before(measurement)}</td></tr>
<tr><td class="name">Volume now</td><td class="n few">${cubicMetres(current_volume_m3)}</td><td class="soft">${plusMinus(uncertainty_95_m3)} (95 %)</td></tr>
<tr><td class="name">Change</td><td class="n few"><b>${signed(change_m3, Math.abs(change_m3) < 10 ? 2 : 1)} m\u00b3</b></td><td class="soft">${change_95_m3 === undefined ? "uncertainty not known" : `${plusMinus(change_95_m3)} (95 %)`}</td></tr>
</tbody></table>
<p>${conclusion(measurement, significant)}</p>`;
}

/** Why a change has no uncertainty. */
function whyUnsure({
  previous_measurement_id: id,
  change_basis: basis,
}: StockpileMeasurement): string {
  if (id !== undefined) return "the footprint or the base was changed since the measurement before";
  return basis === "none"
    ? "nobody has said what the stockpile held before"
    : "the volume before was declared by a person and has no uncertainty";
}

function conclusion(measurement: StockpileMeasurement, significant: boolean | undefined): Markup {
  if (significant === undefined) {
    return markup`<span class="soft">Whether the change is significant cannot be said: ${whyUnsure(measurement)}.</span>`;
  }
  return significant
    ? markup`<b>Significant:</b> the change is beyond its uncertainty.`
    : markup`<b>Not significant:</b> the change lies within its uncertainty; these surveys cannot distinguish it from no change at all.`;
}

const BASES: Readonly<Record<BaseMethod, string>> = {
  plane: "a plane through the ground around the toe",
  tin: "a surface of triangles through the ground around the toe",
  level: "a level at a given height",
  survey: "the ground as it was surveyed when the place was empty",
};
const BASE_FROM: Readonly<Record<StockpileMeasurement["base"]["from"], string>> = {
  this_epoch: "measured with this survey, which is the first",
  first_epoch: "kept from the first survey, so that volumes compare",
  given: "given by a person",
};
const GEOREFERENCINGS: Readonly<Record<Georeferencing, string>> = {
  gps: "the camera's GPS; metres off in place, and the scale is only as good",
  rtk: "RTK positions of the camera",
  control_points: "control points on the ground",
  scale_bars: "measured distances on site",
  given: "the given surface's own",
};
const ALIGNMENTS: Readonly<Record<Alignment, string>> = {
  first: "the first survey: the others are brought onto it",
  joint_adjustment: "oriented together with images of an earlier survey",
  stable_ground: "fitted to an earlier survey on ground that did not change",
  georeferenced: "by RTK or control of both",
};

/** What the volume rests on. */
export function basisTable(measurement: StockpileMeasurement): Markup {
  const { base, footprint_state, area_m2, cut_m3, fill_m3, coverage, interpolated } = measurement;
  const rows: readonly (readonly [string, string])[] = [
    [
      "Footprint",
      `${figure(area_m2, 1)} m\u00b2, ${footprint_state === "confirmed" ? "confirmed by a person" : "PROPOSED by the program, not confirmed"}`,
    ],
    [
      "Base",
      `${BASES[base.method]}; ${BASE_FROM[base.from]}${base.nmad_m === 0 ? "" : `; the ground lies within ${figure(100 * base.nmad_m, 1)} cm of it (NMAD)`}`,
    ],
    ["Above and below the base", `${cubicMetres(cut_m3)} above, ${cubicMetres(fill_m3)} below`],
    [
      "Heights",
      `${percent(coverage)} of the footprint; of that ${percent(interpolated)} interpolated; cells of ${figure(100 * measurement.cell_m, 1)} cm`,
    ],
    ["Scale and place", GEOREFERENCINGS[measurement.georeferencing]],
    ["On the earlier surveys", ALIGNMENTS[measurement.alignment]],
  ];
  return markup`<table><tbody>
${rows.map(
  ([name, what]) => markup`<tr><td class="name">${name}</td><td>${what}</td></tr>
`,
)}</tbody></table>`;
}

/** Warnings of the gates, and images that were left out. */
export function findings({ warnings, images }: StockpileMeasurement): Markup {
  const { given, oriented, refused } = images;
  const counted =
    oriented === undefined
      ? `${given} given; the engine does not report how many it used.`
      : `${oriented} of ${given} images oriented.`;
  return markup`${
    warnings.length === 0
      ? markup`<p class="ok">No gate has anything to say.</p>`
      : warnings.map(
          (warning) => markup`<div class="finding">${warning}</div>
`,
        )
  }
<p>${counted}</p>
${
  refused.length === 0
    ? undefined
    : markup`<p>Left out:</p><ul class="images">${refused.map((reason) => markup`<li>${reason}</li>`)}</ul>`
}`;
}
