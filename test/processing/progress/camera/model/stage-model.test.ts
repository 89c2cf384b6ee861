import { describe, expect, it } from "vitest";
import { stageModel } from "../../../../../processing/progress/camera/model/stage-model.ts";
import { seededRandom } from "../../../../support/seeded-random.ts";

const STAGES = [
  { name: "framing", credit: 20 },
  { name: "board", credit: 60 },
  { name: "paint", credit: 100 },
];

/** Photographs around a corner of their own for each stage. */
function photographs(stage: number, count: number, seed: number, spread = 0.1) {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i) => ({
    features: Float32Array.from(
      { length: 5 },
      (_v, f) => (f === stage ? 1 : 0) + spread * (random() - 0.5),
    ),
    stage: STAGES[stage]?.name ?? "",
    takenAtMs: i,
  }));
}

describe("the model of stages", () => {
  const labels = [0, 1, 2].flatMap((stage) => photographs(stage, 6, stage + 1));

  it("recognises each stage", () => {
    const model = stageModel(STAGES, labels);
    if ("missing" in model) throw new Error(model.missing);
    expect(model.looRight).toBe(1);
    for (const stage of [0, 1, 2]) {
      const [photograph] = photographs(stage, 1, 40 + stage);
      const estimated = model.estimate(photograph?.features ?? new Float32Array(5));
      expect(estimated.stage).toBe(STAGES[stage]);
      expect(estimated.margin).toBeGreaterThanOrEqual(model.leastMargin);
    }
  });

  it("is unsure between two stages", () => {
    const model = stageModel(STAGES, labels);
    if ("missing" in model) throw new Error(model.missing);
    const half = model.estimate(Float32Array.of(0.5, 0.5, 0, 0, 0));
    expect(half.margin).toBeLessThan(0.3);
  });

  it("needs five labels of two stages, and does not know the others", () => {
    const few = [...photographs(0, 5, 1), ...photographs(1, 4, 2)];
    expect(stageModel(STAGES, few)).toEqual({
      missing: "5 labels of at least two stages; there are framing 5, board 4, paint 0",
    });
    expect(stageModel(STAGES, [...few, ...photographs(1, 1, 9)])).toMatchObject({
      stages: STAGES.slice(0, 2),
    });
  });

  it("the model of stages gives no stage where labels contradict each other", () => {
    const coin = seededRandom(8);
    const mixed = photographs(0, 30, 5).map((one) => ({
      ...one,
      stage: STAGES[coin() < 0.5 ? 0 : 1]?.name ?? "",
    }));
    const model = stageModel(STAGES, mixed);
    if ("missing" in model) throw new Error(model.missing);
    expect(model.looRight).toBeLessThan(0.8);
    const [photograph] = photographs(0, 1, 77);
    const estimated = model.estimate(photograph?.features ?? new Float32Array(5));
    expect(estimated.margin).toBeLessThan(model.leastMargin);
  });

  it("the model of stages takes several photographs together by their mean scores", () => {
    const model = stageModel(STAGES, labels);
    if ("missing" in model) throw new Error(model.missing);
    const estimated = [0, 0, 1].map((stage, i) =>
      model.estimate(photographs(stage, 1, 70 + i)[0]?.features ?? new Float32Array(5)),
    );
    expect(model.together(estimated)?.stage).toBe(STAGES[0]);
    expect(model.together([])).toBeUndefined();
  });
});
