/**
 * CPU of a survey beside that of another checkout of the project: processes alternately, each on the same
 * images with nothing kept from before. What else the machine does changes both of a pair alike, and user and
 * system seconds count instead of the clock. Prints every pair and the median of the ratios.
 *
 *   npx tsx bench/survey-paired.ts OTHER [--code .] [--images 36] [--threads 2] [--pairs 5] [--most 1.15]
 *       [--data DIR]
 *
 * OTHER and --code: the repository, or what `npm run build` made of it; take the same of both, because compiling
 * sources counts. The two must have the same libraries. --data: keeps the simulated images there. Exit code 1
 * when the median is above --most.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { machineLoad } from "./figures/machine-load.ts";
import { simulatedImages } from "./survey/simulated-images.ts";
import type { SurveyCost } from "./survey/survey-cost.ts";
import { surveyOnce } from "./survey/survey-once.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    code: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
    images: { type: "string", default: "36" },
    threads: { type: "string", default: "2" },
    pairs: { type: "string", default: "5" },
    most: { type: "string", default: "1.15" },
    data: { type: "string" },
  },
});
const [other] = positionals;
const [images, threads, pairs, most] = [
  values.images,
  values.threads,
  values.pairs,
  values.most,
].map(Number) as [number, number, number, number];
const counts = [images, threads, pairs];
if (other === undefined || !counts.every((n) => Number.isInteger(n) && n >= 1) || !(most > 0)) {
  console.error(
    "usage: survey-paired.ts OTHER [--images N] [--threads N] [--pairs N] [--most RATIO]",
  );
  process.exit(2);
}

interface Pair {
  readonly now: SurveyCost;
  readonly other: SurveyCost;
}

const s = (seconds: number) => seconds.toFixed(2);

function middle(given: readonly number[]): number {
  const sorted = given.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** CPU of a stage; 0 where a version has no stage of this name. */
const cpuOf = ({ stages }: SurveyCost, stage: string) =>
  stages.find(({ name }) => name === stage)?.cpuS ?? 0;

function report(found: readonly Pair[]): number {
  const names = found[0]?.now.stages.map(({ name }) => name) ?? [];
  const rows = names.map((name) => {
    const now = middle(found.map((pair) => cpuOf(pair.now, name)));
    const its = middle(found.map((pair) => cpuOf(pair.other, name)));
    return [name, { now: s(now), other: s(its) }] as const;
  });
  console.log("\nCPU s by stage, medians");
  console.table(Object.fromEntries(rows));
  const ratios = found.map(({ now, other: its }) => now.cpuS / its.cpuS);
  const ratio = middle(ratios);
  console.log(
    `${found.length} pairs: ${s(middle(found.map(({ now }) => now.cpuS)))} s of CPU beside ` +
      `${s(middle(found.map(({ other: its }) => its.cpuS)))} s; ratio ${ratio.toFixed(3)} in the median, ` +
      `${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)} (at most ${most})`,
  );
  return ratio;
}

const data = values.data ?? (await mkdtemp(join(tmpdir(), "plumbline-bench-images-")));
try {
  const folder = await simulatedImages(data, images);
  const found: Pair[] = [];
  for (let i = 0; i < pairs; i += 1) {
    // Each goes first as often.
    const order = i % 2 === 0 ? [values.code, other] : [other, values.code];
    const costs: SurveyCost[] = [];
    for (const code of order) costs.push(await surveyOnce({ code, images: folder, threads }));
    const [first, second] = costs as [SurveyCost, SurveyCost];
    const pair = i % 2 === 0 ? { now: first, other: second } : { now: second, other: first };
    found.push(pair);
    const { now, other: its } = pair;
    console.log(
      `pair ${i + 1}: ${s(now.cpuS)} s of CPU, ${now.cameras} cameras, rms ${now.rmsPx.toFixed(3)} px; ` +
        `other ${s(its.cpuS)} s, ${its.cameras}, ${its.rmsPx.toFixed(3)}; ` +
        `ratio ${(now.cpuS / its.cpuS).toFixed(3)}; ${machineLoad()}`,
    );
  }
  process.exitCode = report(found) <= most ? 0 : 1;
} finally {
  if (values.data === undefined) await rm(data, { recursive: true, force: true });
}
