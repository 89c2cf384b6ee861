import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bundledScript } from "../../support/bundled-program.ts";
import { surveySet } from "../../support/survey-sets.ts";
import { type Check, type Expectation, holds, within } from "./check.ts";
import type { SurveyLine } from "./survey-line.ts";

const SCRIPT = "test/e2e/survey/survey-process.ts";
const GIB = 1024 ** 3;
const MEMORY_BYTES = 4 * GIB;
const WIDTH_PX = 800;
/** The survey is set beside one of a quarter of its images. */
const GROWTH = 4;
/** Where the large one is killed: in the middle of keypoints, of matching, and after orientation. */
const KILLED_AT_PERCENT = [16, 37, 53];

/** What a survey took, over all processes that it needed. */
interface Cost {
  readonly cpuS: number;
  readonly peakBytes: number;
  readonly end: SurveyLine;
  /** CPU seconds of the last process in each stage. */
  readonly stages: ReadonlyMap<string, number>;
}

/**
 * A survey as large as this machine takes at once: `--images 600`. It is killed three times and goes on.
 * Memory and CPU, those of the killed processes included, beside a survey of a quarter of the images.
 */
export const large: Check = {
  name: "large",
  about: `--images N of ${WIDTH_PX} px, killed (-9) on the way: memory within 4 GiB, CPU in proportion to N / ${GROWTH}`,
  async run({ images, print }) {
    const small = await survey(Math.round(images / GROWTH), [], print);
    const whole = await survey(images, KILLED_AT_PERCENT, print);
    const growth = Math.log(whole.cpuS / small.cpuS) / Math.log(GROWTH);
    const expectations: Expectation[] = [
      within(`${images} images: oriented`, whole.end.cameras ?? 0, 0.98 * images, images),
      within(`${images} images: reprojection error`, whole.end.rmsPx ?? Number.NaN, 0, 0.7, "px"),
      within(`${images} images: memory`, whole.peakBytes / GIB, 0, 4, "GiB"),
      within("growth of CPU with the images, exponent", growth, 0, 1.15),
      holds("it ends with its products", whole.end.stage === "end"),
    ];
    return expectations;
  },
};

async function survey(
  images: number,
  killedAt: readonly number[],
  print: (line: string) => void,
): Promise<Cost> {
  const { folder } = await surveySet({ widthPx: WIDTH_PX, images, gps: "rtk" });
  const dir = await mkdtemp(join(tmpdir(), "plumbline-large-"));
  try {
    let [cpuS, peakBytes] = [0, 0];
    for (const percent of [...killedAt, Number.POSITIVE_INFINITY]) {
      const lines = await runUntil(percent, [folder, join(dir, "stages"), join(dir, "out")]);
      const last = lines.at(-1);
      if (last === undefined) throw new Error("the survey said nothing");
      cpuS += last.cpuS;
      peakBytes = Math.max(peakBytes, last.peakBytes);
      const kept = (await readdir(join(dir, "stages"))).length;
      print(
        `${images} images: ${last.stage} at ${Math.floor(last.percent)} %, ${Math.round(last.cpuS)} s ` +
          `of CPU, ${Math.round(last.peakBytes / 1e6)} MB, ${kept} files of finished stages`,
      );
      if (last.stage !== "end") continue;
      const stages = stageTimes(lines);
      print(
        `${images} images: ${[...stages].map(([stage, s]) => `${stage} ${s.toFixed(0)} s`).join(", ")}; ` +
          `${last.cameras} cameras, rms ${last.rmsPx?.toFixed(3)} px, warned ${last.warned?.join(", ")}`,
      );
      return { cpuS, peakBytes, end: last, stages };
    }
    throw new Error("the survey did not end");
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Runs the survey, kills it once it has come so far, and yields what it printed. */
async function runUntil(percent: number, folders: readonly string[]): Promise<SurveyLine[]> {
  const args = [...folders, `${WIDTH_PX}`, `${MEMORY_BYTES}`];
  const child = spawn(process.execPath, [await bundledScript(SCRIPT), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const lines: SurveyLine[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as SurveyLine;
    lines.push(line);
    if (line.percent < percent) continue;
    child.kill("SIGKILL");
    break;
  }
  await gone;
  return lines;
}

/** CPU seconds from the first line of each stage to that of the next. */
function stageTimes(lines: readonly SurveyLine[]): ReadonlyMap<string, number> {
  const starts = lines.filter((line, i) => i === 0 || lines[i - 1]?.stage !== line.stage);
  return new Map(
    starts.slice(0, -1).map(({ stage, cpuS }, i) => [stage, (starts[i + 1]?.cpuS ?? cpuS) - cpuS]),
  );
}
