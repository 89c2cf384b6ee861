import type { Report } from "../../../api/progress/reports/report-schemas.ts";
import type { TrueWeek, TrueZoneFacts } from "../../../simulators/project/truth/project-truth.ts";
import type { ProjectSet } from "../../support/project-sets.ts";
import { type CheckContext, mean, quantile } from "./check.ts";
import { eventsOf, type SiteService } from "./site-service.ts";

/** Error of a zone in a week, points. */
const MOST_ERROR = 3;
/**
 * Share of true percents that intervals of 95 % hold, by the number of figures: of few, chance alone decides.
 */
const COVERAGE = [0.92, 0.98] as const;
const MANY_FIGURES = 200;
const LEAST_COVERAGE = 0.85;
/** A zone counts where its lift is so many levels of detection. */
const LEAST_LODS = 5;
/** Planned percents of the service have one decimal, and no more error than that. */
export const PLANNED_POINTS = 0.051;

/** What a report says of a zone in a week, beside its truth. */
export interface Row {
  readonly zone: TrueZoneFacts;
  readonly week: TrueWeek;
  readonly reported: Report["zones"][number];
  readonly truth: number;
}

/** What a report says of a whole project in a week. */
export interface ProjectStatus {
  readonly seed: number;
  readonly week: TrueWeek;
  readonly report: Report;
}

/** Rows whose percent this flight measured. */
const measuredIn = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(
    ({ reported }) => reported.raw_progress !== null && reported.method.startsWith("dsm_"),
  );

/** Error and coverage of the zones that flights measured. */
export function checkPercents({ expect, print }: CheckContext, rows: readonly Row[]): void {
  const measured = measuredIn(rows);
  const lodsOf = ({ reported, zone }: Row): number => {
    const { figures } = reported.evidence as {
      readonly figures?: Readonly<Record<string, unknown>>;
    };
    return zone.meanLiftM / Number(figures?.["lod_m"]);
  };
  const thick = measured.filter((row) => lodsOf(row) >= LEAST_LODS);
  const errorOf = ({ reported, truth }: Row) => Math.abs((reported.raw_progress ?? 0) - truth);
  const widthOf = ({ reported: { interval_95: ends } }: Row) => (ends?.[1] ?? 0) - (ends?.[0] ?? 0);
  const worst = thick.toSorted((a, b) => errorOf(b) - errorOf(a));
  for (const { zone, week, reported, truth } of worst.slice(0, 5)) {
    print(
      `worst: ${zone.code} in week ${week.week}: ${reported.raw_progress} of ${truth.toFixed(1)}, [${reported.interval_95?.join(", ")}]`,
    );
  }
  const free = thick.filter(({ zone }) => !zone.isOccluded);
  const errors = free.map(errorOf);
  expect(
    `zones whose lift is 5 x the level of detection are off by at most ${MOST_ERROR} points, in each week`,
    free.length > 0 && errors.every((points) => points <= MOST_ERROR),
    `${free.length} figures, mean ${mean(errors).toFixed(2)}, 95 % within ${quantile(errors, 0.95).toFixed(2)}, at most ${Math.max(...errors).toFixed(2)} points`,
  );
  // Heights alone do not distinguish a parked lorry from fill; the interval has to.
  expect(
    "zones with machines on them are within that error, or their interval says that they may not be",
    thick
      .filter(({ zone }) => zone.isOccluded)
      .every((row) => errorOf(row) <= MOST_ERROR || widthOf(row) > 2 * MOST_ERROR),
    thick
      .filter(({ zone }) => zone.isOccluded)
      .map(
        ({ reported, truth }) =>
          `${reported.progress} [${reported.interval_95}] of ${truth.toFixed(1)}`,
      )
      .join("; "),
  );
  const covered = thick.filter(({ reported, truth }) => {
    const [low = 0, high = 0] = reported.interval_95 ?? [];
    // Ends of intervals have one decimal.
    return truth >= low - 0.05 && truth <= high + 0.05;
  });
  const share = covered.length / thick.length;
  const widths = thick.map(widthOf);
  const [least, most] = thick.length < MANY_FIGURES ? [LEAST_COVERAGE, 1] : COVERAGE;
  const begun = thick.filter(({ truth }) => truth > 0 && truth < 100);
  expect(
    `intervals of 95 % hold ${100 * least} to ${100 * most} % of true percents, and are no wider than 30 points in the mean`,
    share >= least && share <= most && mean(widths) <= 30,
    `${(100 * share).toFixed(1)} % of ${thick.length}, ${((100 * begun.filter((row) => covered.includes(row)).length) / begun.length).toFixed(1)} % of the ${begun.length} in progress, ${mean(widths).toFixed(1)} points wide`,
  );
}

/** Zones that no flight saw make no project late, and the bounds for them hold. */
export async function checkStatuses(
  { expect, print }: CheckContext,
  { client }: SiteService,
  statuses: readonly ProjectStatus[],
): Promise<void> {
  for (const { seed, week, report } of statuses) {
    const { progress_percentage, seen_percent, interval_95, schedule, status } = report;
    print(
      `project ${seed}, week ${week.week}: ${progress_percentage} of ${seen_percent.toFixed(0)} % seen, [${interval_95}] of ${week.percent.toFixed(1)}; planned ${schedule.planned}, of all ${schedule.planned_all}; ${status}`,
    );
  }
  const lateIn = ({ week, report }: ProjectStatus) =>
    week.percent < week.plannedPercent - report.schedule.tolerance_points;
  const isWrong = (one: ProjectStatus) => one.report.status === "behind_schedule" && !lateIn(one);
  expect(
    "no project is behind schedule that is not",
    !statuses.some(isWrong),
    `${statuses.filter(isWrong).length} of ${statuses.length} reports, ${statuses.filter(lateIn).length} late in truth`,
  );
  const behind = (await eventsOf(client, "progress.behind_schedule")).length;
  const late = statuses.filter(({ report }) => report.status === "behind_schedule").length;
  expect("no event says so without a report", behind <= late, `${behind} events, ${late} reports`);
  const held = statuses.filter(({ week, report: { interval_95: ends } }) => {
    const [low = 0, high = 0] = ends ?? [];
    return week.percent >= low - 0.05 && week.percent <= high + 0.05;
  });
  expect(
    "the interval of the whole project, unseen zones from 0 to 100, holds its true percent",
    held.length >= COVERAGE[0] * statuses.length,
    `${held.length} of ${statuses.length}`,
  );
}

/** What must not be measured is not, and nothing is complete that is not built. */
export function checkRefusals({ expect }: CheckContext, rows: readonly Row[]): void {
  const of = (expectation: TrueZoneFacts["expectation"]) =>
    rows.filter(({ zone }) => zone.expectation === expectation);
  const thin = of("dsm_not_suitable");
  expect(
    "thin zones are refused as dsm_not_suitable in each week, and no percent is made up for them",
    thin.length > 0 &&
      thin.every(
        ({ reported }) =>
          reported.no_estimate === "dsm_not_suitable" &&
          reported.raw_progress === null &&
          reported.progress === 0 &&
          reported.status === "not_started",
      ),
    thin
      .map(({ reported }) => `${reported.name} ${reported.no_estimate} ${reported.progress}`)
      .join("; "),
  );
  const unseen = of("not_observed");
  expect(
    "zones that no flight can see have no percent",
    unseen.every(
      ({ reported }) => reported.raw_progress === null && reported.no_estimate === "not_observed",
    ),
    unseen.map(({ reported }) => `${reported.name} ${reported.no_estimate}`).join("; ") ||
      "there is none",
  );
  const over = measuredIn(rows).filter(({ zone }) => zone.isOverbuilt);
  expect(
    "what is built beyond the design is reported beside the percent and not credited",
    over.length > 0 &&
      over.every(({ reported, truth }) => (reported.raw_progress ?? 0) <= truth + MOST_ERROR) &&
      over.some(({ reported }) => {
        const { figures } = reported.evidence as { figures?: Readonly<Record<string, number>> };
        return (figures?.["overbuild_m3"] ?? 0) > 1;
      }),
    over.map(({ reported, truth }) => `${reported.raw_progress} of ${truth.toFixed(1)}`).join("; "),
  );
  const complete = rows.filter(({ reported }) => reported.status === "complete");
  expect(
    "no zone is complete that is not built",
    complete.every(({ truth }) => truth >= 95),
    complete.map(({ reported, truth }) => `${reported.name} at ${truth.toFixed(1)}`).join("; ") ||
      "none is",
  );
  expect(
    "only complete zones are reported as 100",
    rows.every(({ reported }) => (reported.progress === 100) === (reported.status === "complete")),
  );
}

/** Plan, earned value and pictures of one project. */
export function checkReports(
  { expect, print }: CheckContext,
  { truth }: ProjectSet,
  reports: readonly Report[],
): void {
  const planned = reports.map((report, i) =>
    Math.abs(report.schedule.planned_all - (truth.weeks[i]?.plannedPercent ?? Number.NaN)),
  );
  print(
    reports
      .map(
        ({ progress_percentage, schedule, status }, i) =>
          `${progress_percentage} of ${truth.weeks[i]?.percent.toFixed(1)}, planned ${schedule.planned}, ${status}`,
      )
      .join("; "),
  );
  expect(
    "reports are compared with the schedule, by cost",
    reports.every(
      ({ schedule, weight_basis }) => schedule.basis === "schedule" && weight_basis === "cost",
    ) && planned.every((points) => points <= PLANNED_POINTS + 0.05),
    `planned at most ${Math.max(...planned).toFixed(2)} points away`,
  );
  expect(
    "each report has earned value: SV is what is earned less what is planned",
    reports.every(
      ({ earned_value: value }) =>
        value !== null &&
        Math.abs(value.schedule_variance - (value.earned_value - value.planned_value)) < 0.11,
    ),
    JSON.stringify(reports.at(-1)?.earned_value),
  );
  expect(
    "each shows the orthomosaic of its own flight",
    reports.every(
      ({ images, capture_date }) => images.kind === "survey" && images.as_of === capture_date,
    ),
  );
}
