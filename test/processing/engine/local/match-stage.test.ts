import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { matchBlock } from "../../../../processing/engine/local/match-stage.ts";
import type { SurveyBlock } from "../../../../processing/engine/local/survey-block.ts";
import type { MatchPairsInput } from "../../../../processing/engine/local/tasks/match-pairs.task.ts";
import type { SurveyInput } from "../../../../processing/engine/port/engine.ts";
import { openStageStore } from "../../../../processing/engine/run/stage-store.ts";
import { createSurveyRun } from "../../../../processing/engine/run/survey-run.ts";
import type { WorkerPool } from "../../../../processing/pool/pool.ts";
import { PATIENT_MS } from "../../../support/patience.ts";
import { surveyImage } from "../../../support/survey-image.ts";
import { surveyNetwork } from "../../../support/survey-network.ts";
import { until } from "../../../support/until.ts";

/** 48 images in six strips have some 250 pairs, in four parts. */
const { priors, lenses } = surveyNetwork({ seed: 4, strips: 6, perStrip: 8, points: 1 }).input;
const images = priors.map((_, i) => surveyImage({ name: `${i}.jpg`, capturedAtMs: i * 1_000 }));
// What follows reads nothing else of a block.
const block = { images, priors, lenses: { lenses } } as unknown as SurveyBlock;
const none = new Uint8Array(0);
const keypoints = {
  keys: images.map((_, i) => `key ${i}`),
  keypoints: images.map(() => ({
    ...{ count: 0, x: new Float32Array(0), y: new Float32Array(0) },
    ...{ scale: new Float32Array(0), angle: new Float32Array(0), descriptors: none },
  })),
};

describe("matching of a survey", () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "match-stage-"));
  });
  afterEach(() => rm(dir, { recursive: true }));

  const keptParts = async () => (await readdir(dir)).filter((name) => name.endsWith(".stage"));

  /** A run whose pool finds no pair at all and breaks down after some; returns how many it tried. */
  async function run(breaksAfter = Number.POSITIVE_INFINITY) {
    const tried: string[] = [];
    const shares: number[] = [];
    const pool = {
      async run(_: unknown, pairs: MatchPairsInput) {
        if (tried.length >= breaksAfter) {
          await until(
            "a part that is kept",
            async () => (await keptParts()).length > 0,
            PATIENT_MS,
          );
          throw new Error("the process was killed");
        }
        return pairs.map(([a, b]) => {
          tried.push(`${a.image}-${b.image}`);
          return { first: a.image, second: b.image, candidates: 30, inliers: 3 };
        });
      },
    };
    // Nothing here reads the input.
    const survey = createSurveyRun(
      {} as SurveyInput,
      pool as unknown as WorkerPool,
      await openStageStore(dir),
      {
        signal: new AbortController().signal,
        onProgress: ({ percent }) => shares.push(percent),
        weights: { matching: 1 },
      },
    );
    const found = await matchBlock(survey, block, keypoints).catch(() => undefined);
    return { tried, shares, failed: found?.value.failed };
  }

  it("matching of a survey goes on after the parts that were done when a process was killed, with the same result", async () => {
    const whole = await run(100);
    expect(whole.failed).toBeUndefined();
    const rest = await run();
    // Of the first 96 pairs one part of 64 was finished.
    const total = rest.failed?.length ?? 0;
    expect(total).toBeGreaterThan(200);
    expect(rest.tried).toHaveLength(total - 64);
    expect(new Set(rest.failed?.map(({ first, second }) => `${first}-${second}`)).size).toBe(total);
    expect(rest.shares.at(-1)).toBe(100);
    expect((await run()).tried).toEqual([]);
  });
});
