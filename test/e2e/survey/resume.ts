import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { SurveyEngine } from "../../../processing/engine/port/engine.ts";
import { openEngineThread } from "../../../processing/engine/thread/engine-thread.ts";
import { openSurveyBench } from "../../support/run-survey.ts";
import { surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import { type Check, type Expectation, holds, within } from "./check.ts";
import type { SurveyLine } from "./survey-line.ts";

const SCRIPT = fileURLToPath(new URL("./survey-process.ts", import.meta.url));

/** Stages as the local engine names them. */
const STAGES = [
  ...["images", "keypoints", "matching", "orientation", "surface", "orthophoto", "products"],
];
/** Some of each kind: files of the survey itself, and of those for other programs. */
const PRODUCTS = ["dsm.tif", "orthomosaic.tif", "model.glb", "report.json", "point-cloud.copc.laz"];
/** A kill comes so long after a stage has begun: in its middle. */
const INTO_STAGE_MS = 150;

/** A killed survey goes on and ends with the same bytes; a cancelled one ends at once. */
export const resume: Check = {
  name: "resume",
  about: "kill -9 in each stage, then the same bytes; cancel within 1 s; a second run within 2 s",
  async run({ print }) {
    const { folder } = await surveySet(TINY_SURVEY);
    const dir = await mkdtemp(join(tmpdir(), "plumbline-resume-"));
    const expectations: Expectation[] = [];
    try {
      const undisturbed = join(dir, "undisturbed");
      await ended(start(folder, join(dir, "stages-0"), undisturbed));
      const wanted = await digest(undisturbed);
      print([...wanted.keys()].join(" "));
      const areThere = PRODUCTS.every((name) => wanted.has(name));
      expectations.push(holds("an undisturbed run leaves every product", areThere));
      for (const [i, stage] of STAGES.entries()) {
        const [stages, out] = [join(dir, `stages-${i + 1}`), join(dir, `out-${i + 1}`)];
        await killIn(stage, start(folder, stages, out));
        const before = (await readdir(stages)).length;
        await ended(start(folder, stages, out));
        const same = sameFiles(wanted, await digest(out));
        print(`killed in ${stage}: ${before} files of finished stages were there`);
        expectations.push(holds(`killed in ${stage}: the same bytes after all`, same));
      }
      expectations.push(...(await cancelled(folder)));
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
    return expectations;
  },
};

function start(folder: string, stages: string, out: string): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", SCRIPT, folder, stages, out], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function ended(child: ChildProcess): Promise<void> {
  child.stdout?.resume();
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`the survey ended with ${code}`);
}

async function killIn(stage: string, child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  if (child.stdout === null) throw new Error("no output");
  for await (const line of createInterface({ input: child.stdout })) {
    if ((JSON.parse(line) as SurveyLine).stage !== stage) continue;
    await delay(INTO_STAGE_MS);
    child.kill("SIGKILL");
    break;
  }
  await gone;
}

/** SHA-256 of every file of a folder and of those within it. */
async function digest(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const hashes = await Promise.all(
    paths.sort().map(async (path) => {
      const hash = createHash("sha256").update(await readFile(path));
      return [relative(folder, path), hash.digest("hex")] as const;
    }),
  );
  return new Map(hashes);
}

function sameFiles(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([name, sha256]) => b.get(name) === sha256);
}

async function cancelled(folder: string): Promise<readonly Expectation[]> {
  const bench = await openSurveyBench();
  const engines = openEngineThread({ threads: 2, memoryBytes: 1.2e9, nodeOdm: undefined });
  const engine: SurveyEngine = {
    name: "local",
    process: (input, options) =>
      engines.process({ engine: "local", rasters: undefined }, input, options),
  };
  const profile = { workingWidthPx: 480 };
  const expectations: Expectation[] = [];
  try {
    for (const stage of ["keypoints", "surface"]) {
      const cancel = new AbortController();
      let atMs = 0;
      const failure = await bench
        .run(folder, {
          profile,
          engine,
          signal: cancel.signal,
          onProgress(progress) {
            if (progress.stage !== stage || cancel.signal.aborted) return;
            atMs = performance.now();
            cancel.abort();
          },
        })
        .then(
          () => undefined,
          (error: unknown) => error,
        );
      const tookMs = performance.now() - atMs;
      const isAbort = failure instanceof DOMException && failure.name === "AbortError";
      expectations.push(holds(`cancelled in ${stage}: ends with AbortError`, isAbort));
      expectations.push(within(`cancelled in ${stage}: ends after`, tookMs, 0, 1_000, "ms"));
    }
    const percents: number[] = [];
    await bench.run(folder, {
      profile,
      engine,
      onProgress: ({ percent }) => percents.push(percent),
    });
    const rises = percents.every((percent, i) => i === 0 || percent >= (percents[i - 1] ?? 0));
    expectations.push(
      holds("progress never falls and ends at 100", rises && percents.at(-1) === 100),
    );
    const startedMs = performance.now();
    await bench.run(folder, { profile, engine });
    const seconds = (performance.now() - startedMs) / 1_000;
    expectations.push(within("a second run takes", seconds, 0, 2, "s"));
  } finally {
    await engines.close();
    await bench.close();
  }
  return expectations;
}
