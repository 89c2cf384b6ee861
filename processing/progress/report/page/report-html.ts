import type { Project } from "../../../../domain/project.ts";
import type { ProgressReport } from "../../../../domain/sites/progress-report.ts";
import { figure, moment } from "../../../page/figures.ts";
import { logo } from "../../../page/logo.ts";
import { Markup, markup } from "../../../page/markup.ts";
import { PAGE_STYLE } from "../../../page/page-style.ts";
import { earnedTable } from "./earned-table.ts";
import { headline } from "./headline.ts";
import type { PlannedCurve } from "./planned-curve.ts";
import { REPORT_STYLE } from "./report-style.ts";
import { type CurvePoint, sCurve } from "./s-curve.ts";
import { WEIGHT_BASES } from "./words.ts";
import { zoneTable } from "./zone-table.ts";

/** What a page about a report is made of. */
export interface ReportPageInput {
  readonly report: ProgressReport;
  /** `undefined`: it was deleted. */
  readonly project: Pick<Project, "id" | "name"> | undefined;
  /** Address of its logo; `undefined`: it has none. */
  readonly logoUrl: string | undefined;
  /** Reports before this one, in any order. */
  readonly earlier: readonly CurvePoint[];
  /** As it is now; `undefined`: it is gone. */
  readonly plan: PlannedCurve | undefined;
  /** Addresses for a browser. */
  readonly mapUrl: string;
  readonly pictures: readonly { readonly title: string; readonly url: string }[];
  readonly supersededBy: { readonly id: string; readonly url: string } | undefined;
  readonly links: readonly { readonly text: string; readonly url: string }[];
}

/** Planned percents that differ by more were not made by the same plan: rounding is half a tenth. */
const SAME_PLAN_POINTS = 0.1;

/**
 * One page about one report: no script, fit for A4 paper. Every text that people or images brought along is
 * escaped, and a content policy in the page forbids whatever might slip through.
 */
export function reportHtml(input: ReportPageInput): string {
  const { report, project, logoUrl, plan, earlier, mapUrl, pictures, links } = input;
  const title = project?.name ?? report.project_id;
  const { earned_value: earned, images } = report;
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' data: https: http:; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>Progress: ${title}, ${report.capture_date.slice(0, 10)}</title><style>${new Markup(PAGE_STYLE + REPORT_STYLE)}</style></head><body>
<header>${logo(logoUrl, title)}<h1>${title}</h1>
<p>Progress as of ${moment(report.capture_date)}.</p>
<p class="soft">Project ${report.project_id}, report ${report.id}, revision ${report.revision}, capture ${report.capture_id}; recorded ${moment(report.recorded_at)}.</p></header>
${notices(input)}
${headline(report)}
<h2>Planned and actual</h2>
<figure>${sCurve(report, earlier, plan)}<figcaption><span class="key planned"></span> planned <span class="key actual"></span> actual, with intervals of 95 %; this report in red${earned?.forecast_finish == null ? "" : "; dashed: forecast at the pace so far"}. ${planNote(report, plan)}</figcaption></figure>
<h2>Zones</h2>
${zoneTable(report)}
<p class="soft">Bar: progress. Dark line across it: interval of 95 %. Red tick: planned. Seen: share of the zone that this capture saw. The project\u2019s percent is the mean of the zones that were ever seen, by ${WEIGHT_BASES[report.weight_basis]}.</p>
<h2>Map</h2>
<figure><img src="${mapUrl}" alt="Map of the zones"><figcaption>${
    images.kind === "survey"
      ? `Zones over the orthophoto of the flight of ${moment(images.as_of)}, where it could be placed.`
      : "Zones by their outlines: no flight has been made until then."
  }</figcaption></figure>
${earned === undefined ? undefined : markup`<h2>Earned value</h2>${earnedTable(earned)}`}
${pictures.length === 0 ? undefined : markup`<h2>Pictures</h2><div class="pictures">${pictures.map(({ title: name, url }) => markup`<figure><img src="${url}" alt="${name}"><figcaption>${name}</figcaption></figure>`)}</div>`}
<h2>Warnings</h2>
${report.warnings.length === 0 ? markup`<p class="ok">Nothing was left out or assumed.</p>` : report.warnings.map((warning) => markup`<div class="finding">${warning}</div>`)}
<h2>How the figures are meant</h2>
<p class="soft">What was not seen is not zero: such a zone keeps its last figure with its date, which bounds it from below only. The project\u2019s percent and what is planned beside it are of the zones that were ever seen; the others count as on plan in the status, and from 0 to 100 % in the interval. Estimates by images are smoothed over time and say at most 99 % unless they are sure or a person confirms; flights are compared with the design, and overbuilding in one place pays for nothing elsewhere. Intervals are of 95 %; errors of zones that one flight measured are added up, all others taken as independent.</p>
${links.length === 0 ? undefined : markup`<h2>Files</h2><ul>${links.map(({ text, url }) => markup`<li><a href="${url}">${text}</a></li>`)}</ul>`}
</body></html>
`.text;
}

/** What must be seen before any number is used. */
function notices({ report, supersededBy }: ReportPageInput): Markup {
  const { correction, supersedes } = report;
  const stale = report.zones.filter(({ method }) => method === "carried_forward").length;
  const fallen = report.zones.filter((zone) => zone.regression_suspected);
  return markup`${
    supersededBy === undefined
      ? undefined
      : markup`<div class="notice bad"><b>Corrected.</b> This report was corrected by <a href="${supersededBy.url}">${supersededBy.id}</a>; its figures no longer hold.</div>`
  }${
    correction === undefined
      ? undefined
      : markup`<div class="notice"><b>Correction</b> of ${supersedes ?? "an earlier report"} by ${correction.by}${correction.note === "" ? "" : `: ${correction.note}`}</div>`
  }${
    fallen.length === 0
      ? undefined
      : markup`<div class="notice bad"><b>Regression suspected</b> in ${fallen.map(({ name }) => name).join(", ")}: less is there than was reported before.</div>`
  }${
    stale === 0
      ? undefined
      : markup`<div class="notice"><b>Not all was seen.</b> ${stale} of ${report.zones.length} zones have figures of earlier captures.</div>`
  }`;
}

function planNote({ comparison }: ProgressReport, plan: PlannedCurve | undefined): string {
  if (plan === undefined) return "The plan of this report is no longer on record.";
  return Math.abs(plan.atReport - comparison.planned) > SAME_PLAN_POINTS
    ? `The plan was changed since: it says ${figure(plan.atReport, 1)} % for this date now.`
    : "";
}
