import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { bundledScript } from "../../support/bundled-program.ts";
import { surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import { type Check, type Expectation, holds } from "./check.ts";
import type { SurveyLine } from "./survey-line.ts";

const SCRIPT = "test/e2e/survey/survey-process.ts";

/** Stages as the local engine names them. */
const STAGES = [
  ...["images", "keypoints", "matching", "orientation", "surface", "orthophoto", "products"],
];
/** Some of each kind: files of the survey itself, and of those for other programs. */
const PRODUCTS = ["dsm.tif", "orthomosaic.tif", "model.glb", "report.json", "point-cloud.copc.laz"];
/** A kill comes so long after a stage has begun: in its middle. */
const INTO_STAGE_MS = 150;

/** A killed survey goes on and ends with the same bytes. */
export const resume: Check = {
  name: "resume",
  about: "kill -9 in each stage, then the same bytes",
  async run({ print }) {
    const { folder } = await surveySet(TINY_SURVEY);
    const script = await bundledScript(SCRIPT);
    const dir = await mkdtemp(join(tmpdir(), "plumbline-resume-"));
    const start = (stages: string, out: string): ChildProcess =>
      spawn(process.execPath, [script, folder, stages, out], {
        stdio: ["ignore", "pipe", "inherit"],
      });
    const expectations: Expectation[] = [];
    try {
      const undisturbed = join(dir, "undisturbed");
      await ended(start(join(dir, "stages-0"), undisturbed));
      const wanted = await digest(undisturbed);
      print([...wanted.keys()].join(" "));
      const areThere = PRODUCTS.every((name) => wanted.has(name));
      expectations.push(holds("an undisturbed run leaves every product", areThere));
      // One survey is killed in one stage after the other; from each kill a copy of what it left goes on to the end.
      const killed = join(dir, "stages-killed");
      for (const [i, stage] of STAGES.entries()) {
        const [stages, out] = [join(dir, `stages-${i + 1}`), join(dir, `out-${i + 1}`)];
        await killIn(stage, start(killed, out));
        await cp(killed, stages, { recursive: true });
        const before = (await readdir(stages)).length;
        await ended(start(stages, out));
        const same = sameFiles(wanted, await digest(out));
        print(`killed in ${stage}: ${before} files of finished stages were there`);
        expectations.push(holds(`killed in ${stage}: the same bytes after all`, same));
      }
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
    return expectations;
  },
};

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
