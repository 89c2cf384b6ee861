import { afterAll, describe, expect, it } from "vitest";
import { withShared } from "../../../processing/engine/run/shared-memory.ts";
import { encodeBasis } from "../../../processing/epoch/survey-basis.ts";
import type { SurveyFacts } from "../../../processing/epoch/survey-facts.ts";
import { KEEP_BASIS } from "../../../processing/epoch/tasks.ts";
import { ThreadPool } from "../../../processing/pool/pool.ts";
import { heapBlock, heapSurvey } from "../../support/heap-survey.ts";

const MIB = 1024 ** 2;
const pool = new ThreadPool({ threads: 1, memoryBytes: 256 * MIB });
afterAll(() => pool.close());

function sharedSurvey(): SurveyFacts {
  const { dsm, ...facts } = heapSurvey();
  return { ...facts, block: heapBlock(), dsm: withShared(dsm) };
}

describe("the task keep-basis", () => {
  it("the task keep-basis makes in a thread, of a surface on shared memory, what is made here", async () => {
    const kept = await pool.run(KEEP_BASIS, sharedSurvey());
    expect(Buffer.from(kept).equals(encodeBasis(sharedSurvey()))).toBe(true);
  });

  it("the task keep-basis is not begun for a job that was stopped", async () => {
    const run = pool.run(KEEP_BASIS, sharedSurvey(), AbortSignal.abort());
    await expect(run).rejects.toMatchObject({ name: "AbortError" });
  });

  it("the task keep-basis is refused for a surface that takes more memory than there is", async () => {
    const { dsm, ...facts } = sharedSurvey();
    // 16 million cells of 24 bytes.
    const large = { ...facts, dsm: { ...dsm, width: 4_000, height: 4_000 } };
    await expect(pool.run(KEEP_BASIS, large)).rejects.toMatchObject({
      finding: { gate: "OUT_OF_MEMORY", threshold: 256 },
    });
  });
});
