import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import type { Stockpile } from "../../../domain/sites/stockpile.ts";
import { cubicMetres, moment, plusMinus } from "../../page/figures.ts";
import { logo } from "../../page/logo.ts";
import { Markup, markup } from "../../page/markup.ts";
import { PAGE_STYLE } from "../../page/page-style.ts";
import type { PileProfile } from "../profile/pile-profile.ts";
import { profileMarkup } from "../profile/profile-svg.ts";
import { basisTable, changeSection, findings, keyTiles, notices } from "./report-sections.ts";
import { uncertaintyTable } from "./uncertainty-table.ts";
import { type MeasuredVolume, volumeHistory } from "./volume-history.ts";

/** What a page about a measurement is made of. */
export interface MeasurementReport {
  readonly measurement: StockpileMeasurement;
  /** As it is now; the measurement keeps its own values. */
  readonly stockpile: Stockpile;
  /** Name of its project; `undefined`: it was deleted. */
  readonly projectName?: string | undefined;
  /** Address of the project's logo; `undefined`: it has none. */
  readonly logoUrl?: string | undefined;
  /** `undefined`: its file is gone. */
  readonly profile: PileProfile | undefined;
  /** Addresses of the pictures, for a browser. */
  readonly pictures: {
    readonly hillshade: string;
    readonly heights: string;
    readonly change?: string | undefined;
  };
  /** Measurements of the stockpile in any order, this one among them. */
  readonly history: readonly MeasuredVolume[];
  /** What else there is to open. */
  readonly links?: readonly { readonly text: string; readonly url: string }[];
}

const STYLE = `${PAGE_STYLE}
.volume { font-size: 17px; margin: 18px 0 4px; } .volume b { font-size: 38px; margin-right: 10px; white-space: nowrap; }
.notice { border: 2px solid var(--bad); border-left-width: 10px; padding: 10px 14px; margin: 14px 0; font-size: 15px; }
.notice b { color: var(--bad); text-transform: uppercase; letter-spacing: 0.02em; }
td.bar { width: 24%; padding-top: 8px; } td.bar svg { width: 100%; height: 10px; display: block; } svg .bar-fill { stroke: none; }
td.name { width: 24%; font-weight: 600; } td.few { width: 14%; } ul.images { font-size: 0.9em; overflow-wrap: anywhere; } .finding { overflow-wrap: anywhere; }
p.ok { margin: 10px 0; }
@media print { .volume b { font-size: 30px; } .notice { font-size: 12px; } .large img { max-height: 200mm; object-fit: contain; } }
`;

/**
 * One page about one measurement: no script, fit for A4 paper, so that a browser's print makes the PDF.
 * Pictures are fetched from their addresses; every text that people or images brought along is escaped, and a
 * content policy in the page forbids whatever might slip through.
 */
export function measurementReportHtml(report: MeasurementReport): string {
  const { measurement, stockpile, profile, pictures, history, links = [] } = report;
  const project = report.projectName ?? stockpile.project_id;
  const title = `${stockpile.material}, ${stockpile.location}`;
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' data: https: http:; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>Stockpile measurement: ${title}</title><style>${new Markup(STYLE)}</style></head><body>
<header>${logo(report.logoUrl, project)}<p class="soft">${project}</p><h1>${title}</h1>
<p>Stockpile measurement of ${moment(measurement.measured_at)}.</p>
<p class="soft">Stockpile ${stockpile.id}, project ${stockpile.project_id}, measurement ${measurement.id}; recorded ${moment(measurement.recorded_at)}.</p></header>
${notices(measurement)}
<p class="volume"><b>${cubicMetres(measurement.current_volume_m3)}</b> ${plusMinus(measurement.uncertainty_95_m3)} (95 %)</p>
<p>${measurement.accuracy_note}</p>
${keyTiles(measurement, stockpile)}
<h2>Change</h2>${changeSection(measurement)}
<h2>Where the uncertainty comes from</h2>${uncertaintyTable(measurement)}
<h2>Height above the base</h2>
${picture(pictures.heights, "Height above the base", "The outline is the footprint that was measured. Contours as in the legend; hatched: interpolated or no data.", "large")}
<h2>Sections</h2>
${profile === undefined ? markup`<p class="soft">The sections are not at hand.</p>` : markup`<figure>${profileMarkup(profile)}<figcaption>Heights count from the lowest place of the base below the pile. Dotted: where the footprint begins and ends.</figcaption></figure>`}
<h2>Relief${pictures.change === undefined ? "" : " and change"}</h2>
<div class="${pictures.change === undefined ? "single" : "pair"}">${picture(pictures.hillshade, "Relief", "Lit from the west and north, slopes twice as steep.", "")}
${pictures.change === undefined ? undefined : picture(pictures.change, "Change since the survey before", "Blue: added. Red: removed. Grey: within the noise of the ground around.", "")}</div>
<h2>What the volume rests on</h2>${basisTable(measurement)}
<h2>Warnings and images</h2>${findings(measurement)}
<h2>History</h2>
<figure>${volumeHistory(history, measurement.id, stockpile.max_capacity_m3)}<figcaption>Measured volumes with their intervals of 95 %; red: this one.</figcaption></figure>
${links.length === 0 ? undefined : markup`<h2>Files</h2><ul>${links.map(({ text, url }) => markup`<li><a href="${url}">${text}</a></li>`)}</ul>`}
</body></html>
`;
  return page.text;
}

function picture(url: string, title: string, caption: string, kind: string): Markup {
  return markup`<figure class="${kind}"><img src="${url}" alt="${title}"><figcaption>${caption}</figcaption></figure>`;
}
