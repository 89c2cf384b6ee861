import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { SurveyCost } from "./survey-cost.ts";

const TSX = fileURLToPath(import.meta.resolve("tsx"));
const SURVEY = fileURLToPath(new URL("survey-process.ts", import.meta.url));

export interface SurveyAsked {
  /** Folder of the program: the repository, or what tsc built of it. */
  readonly code: string;
  /** Folder of images. */
  readonly images: string;
  readonly threads: number;
  /** Where stages are kept from one survey to the next; absent: none is known before, none is kept. */
  readonly stages?: string;
  /** File of control points; marks in images that are not there are left out. */
  readonly control?: string | undefined;
  /** Folder that cameras.txt and images.txt are written to, in COLMAP's text format. */
  readonly model?: string;
}

/** A survey in a process of its own, and what it took. */
export async function surveyOnce(asked: SurveyAsked): Promise<SurveyCost> {
  const { code, images, threads, control = "", model = "" } = asked;
  const stages = asked.stages ?? (await mkdtemp(join(tmpdir(), "plumbline-bench-stages-")));
  try {
    const args = [
      ...["--import", TSX, SURVEY],
      ...[code, images, stages, String(threads), control, model],
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
    return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as SurveyCost;
  } finally {
    if (asked.stages === undefined) await rm(stages, { recursive: true, force: true });
  }
}
