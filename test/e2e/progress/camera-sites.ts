import { fork } from "node:child_process";
import { once } from "node:events";
import { bundledScript } from "../../support/bundled-program.ts";
import {
  LABEL_COUNTS,
  LABELS_SO_FAR,
  type LabelFigures,
  type SiteFigures,
} from "./camera/measure-site.ts";
import { type Check, quantile } from "./check.ts";

/** Share of true percents that intervals of 95 % hold; of few sites, chance alone decides how many more. */
const LEAST_COVERAGE = 0.92;
const MOST_COVERAGE = 0.98;
const MANY_SITES = 20;
/** Of few sites. */
const LEAST_BY_CHANCE = 0.85;
/** Of zones that pictures call complete. */
const MOST_WRONG = 0.05;
/** Fewest labels that come to intervals here. */
const BOUNDED = 12;
/** Issue: error in points at 20 labels after smoothing. */
const MOST_ERROR = 6;
const LABELS = 20;
/** Pictures of a camera that nobody touched and that is suspended nevertheless. Chosen. */
const MOST_FALSE_ALARMS = 0.01;
/** Of them, pictures that cannot be placed: haze and objects before the lens. Chosen. */
const MOST_UNCLEAR = 0.05;
const PROCESSES = 2;

/** Estimates from fixed cameras over many sites (issue, Must show 2). */
export const cameraSites: Check = {
  name: "camera-sites",
  about: "simulated sites before fixed cameras: error, coverage, cameras that were knocked",
  async run({ seeds, firstSeed, expect, print }) {
    const sites = await measureSites(seeds, firstSeed, print);
    const [still, moved] = [tally(sites, "still"), tally(sites, "moved")];
    print(
      `${sites.length} sites; pictures of still cameras: ${countsText(still)}; of knocked ones: ${countsText(moved)}`,
    );
    const perPicture = (of: "paintMs" | "readMs") =>
      (sum(sites.map((site) => site[of])) / (total(still) + total(moved))).toFixed(0);
    print(`${perPicture("paintMs")} ms to paint a picture, ${perPicture("readMs")} ms to read it`);
    print(
      "labels  error  smoothed  nearest  by hand  coverage  width  unlike all labels  complete",
    );
    const rows = LABEL_COUNTS.map((labels) => figuresAt(sites, "figures", labels));
    for (const row of rows) print(rowText(row));
    print("the same of the 12 views after the last label:");
    const later = LABELS_SO_FAR.map((labels) => figuresAt(sites, "later", labels));
    for (const row of later) print(rowText(row));
    const bySite = sites.map((site) => figuresAt([site], "figures", LABELS));
    const errors = bySite.map((row) => row.smoothedError / row.estimates);
    const coverages = bySite.map((row) => row.covered / row.intervals);
    print(
      `by site at ${LABELS} labels: smoothed error ${quantile(errors, 0.5).toFixed(1)} in the middle, ` +
        `${Math.max(...errors).toFixed(1)} at most; coverage ${(100 * Math.min(...coverages)).toFixed(0)} % at least`,
    );

    const twenty = figuresAt(sites, "figures", LABELS);
    const bounded = rows.filter(({ labels }) => labels >= BOUNDED);
    const [least, most] =
      seeds < MANY_SITES ? [LEAST_BY_CHANCE, 1] : [LEAST_COVERAGE, MOST_COVERAGE];
    const coverage = bounded.map((row) => row.covered / row.intervals);
    expect(
      `intervals of 95 % hold ${100 * least} to ${100 * most} % of true percents, at 12, 20 and 40 labels`,
      coverage.every((share) => share >= least && share <= most),
      coverage.map((share) => `${(100 * share).toFixed(1)} %`).join(", "),
    );
    expect(
      "and less than all: they say something",
      bounded.every((row) => row.covered < row.intervals && row.width / row.intervals < 60),
      bounded.map((row) => `${(row.width / row.intervals).toFixed(0)} points wide`).join(", "),
    );
    expect(
      "fewer than nine labels come to no interval",
      rows.filter(({ labels }) => labels < 9).every(({ intervals }) => intervals === 0),
    );
    const error = twenty.smoothedError / twenty.estimates;
    expect(
      `published percents are off by at most ${MOST_ERROR} points in the mean, of 20 labels`,
      error <= MOST_ERROR && error > 0.5,
      `${error.toFixed(2)} points; raw ${(twenty.absoluteError / twenty.estimates).toFixed(2)}`,
    );
    expect(
      "a camera that points 15 % off is suspended in all cases",
      total(moved) > 0 && moved["moved"] === total(moved),
      countsText(moved),
    );
    const share = (kind: string) => (still[kind] ?? 0) / total(still);
    expect(
      "a camera that nobody touched hardly ever is",
      share("moved") <= MOST_FALSE_ALARMS && share("unclear") <= MOST_UNCLEAR,
      countsText(still),
    );
    expect(
      `published percents are off by less than those of the nearest labelled picture, from ${BOUNDED} labels on`,
      bounded.every((row) => row.absoluteError < row.nearestError),
      bounded
        .map((row) => `${each(row, "absoluteError")} of ${each(row, "nearestError")}`)
        .join(", "),
    );
    const high = bounded.reduce((all, row) => all + row.highCovered / row.highIntervals, 0);
    expect(
      "intervals hold at the end of the scale, where 95 to 100 % are true",
      high / bounded.length >= least,
      bounded
        .map((row) => `${((100 * row.highCovered) / row.highIntervals).toFixed(1)} %`)
        .join(", "),
    );
    const complete = sum(rows.map((row) => row.complete));
    const wrong = sum(rows.map((row) => row.falseComplete));
    expect(
      "of zones that pictures alone call complete at most 5 % are not",
      wrong <= MOST_WRONG * complete,
      `${complete} reported complete, ${wrong} of them wrong`,
    );
    return undefined;
  },
};

async function measureSites(
  seeds: number,
  firstSeed: number,
  print: (line: string) => void,
): Promise<readonly SiteFigures[]> {
  const sites: SiteFigures[] = [];
  const names = Array.from({ length: seeds }, (_, i) => `site-${firstSeed + i}`);
  const shares = Array.from({ length: Math.min(PROCESSES, seeds) }, (_, k) =>
    names.filter((_name, i) => i % PROCESSES === k),
  );
  const script = await bundledScript("test/e2e/progress/camera/site-process.ts");
  const ends = shares.map(async (share) => {
    const child = fork(script, share, { execArgv: [] });
    child.on("message", (figures: SiteFigures) => {
      sites.push(figures);
      print(`${sites.length} of ${seeds} sites are measured`);
    });
    await once(child, "exit");
  });
  await Promise.all(ends);
  if (sites.length !== seeds) throw new Error(`${sites.length} of ${seeds} sites were measured`);
  return sites;
}

function figuresAt(
  sites: readonly SiteFigures[],
  of: "figures" | "later",
  labels: number,
): LabelFigures {
  const all = sites.flatMap((site) => site[of].filter((one) => one.labels === labels));
  const [first] = all;
  if (first === undefined) throw new Error(`no figures at ${labels} labels`);
  return all.slice(1).reduce((sums, one) => {
    const keys = Object.keys(sums) as (keyof LabelFigures)[];
    return Object.fromEntries(
      keys.map((key) => [key, key === "labels" ? labels : sums[key] + one[key]]),
    ) as unknown as LabelFigures;
  }, first);
}

const each = (row: LabelFigures, of: "absoluteError" | "nearestError"): string =>
  (row[of] / row.estimates).toFixed(2);

function rowText(row: LabelFigures): string {
  const mean = (value: number) => (value / row.estimates).toFixed(1);
  const bound = (text: string) => (row.intervals === 0 ? "-" : text);
  return [
    String(row.labels).padStart(6),
    mean(row.absoluteError).padStart(6),
    mean(row.smoothedError).padStart(9),
    mean(row.nearestError).padStart(8),
    mean(row.handMadeError).padStart(8),
    bound(`${((100 * row.covered) / row.intervals).toFixed(1)} %`).padStart(9),
    bound((row.width / row.intervals).toFixed(0)).padStart(6),
    `${((100 * row.novel) / row.estimates).toFixed(0)} %`.padStart(18),
    String(row.complete).padStart(9),
  ].join(" ");
}

function tally(
  sites: readonly SiteFigures[],
  kind: "still" | "moved",
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const site of sites) {
    for (const [name, count] of Object.entries(site[kind])) {
      counts[name] = (counts[name] ?? 0) + count;
    }
  }
  return counts;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const total = (counts: Readonly<Record<string, number>>): number => sum(Object.values(counts));
const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
