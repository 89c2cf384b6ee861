import { expect, it } from "vitest";
import type { MeasurementId } from "../../../domain/ids.ts";
import {
  decodeEpoch,
  type Epoch,
  encodeEpoch,
  readEpochHead,
} from "../../../processing/epoch/epoch-file.ts";

const EPOCH: Epoch = {
  datum: "msr_first" as MeasurementId,
  surface: {
    westM: -1.5,
    northM: 7.25,
    cellM: 0.125,
    width: 3,
    height: 2,
    elevationM: Float32Array.of(-38.0004, Number.NaN, -37.25, 1_234.567, Number.NaN, -0.001),
    score: Float32Array.of(0.874, Number.NaN, -0.25, 1, Number.NaN, 0),
    views: Uint8Array.of(5, 0, 3, 255, 0, 1),
  },
  cameras: [{ sha256: "ab".repeat(32), kind: "jpg", centre: [1.25, -2.5, 0.125] }],
  companions: [{ sha256: "cd".repeat(32), kind: "png" }],
};

it("an epoch file keeps heights to the millimetre, scores to the percent, and cells without data", () => {
  const { surface, ...rest } = decodeEpoch(encodeEpoch(EPOCH)) ?? {};
  const { surface: _, ...expected } = EPOCH;
  expect(rest).toEqual(expected);
  expect(surface).toEqual({
    ...EPOCH.surface,
    elevationM: Float32Array.of(-38, Number.NaN, -37.25, 1_234.567, Number.NaN, -0.001),
    score: Float32Array.of(0.87, Number.NaN, -0.25, 1, Number.NaN, 0),
  });
});

it("the head of an epoch file gives the cameras without the surface", () => {
  const head = readEpochHead(encodeEpoch(EPOCH));
  expect(head).toEqual({
    datum: EPOCH.datum,
    cameras: EPOCH.cameras,
    companions: EPOCH.companions,
    frame: { westM: -1.5, northM: 7.25, cellM: 0.125, width: 3, height: 2 },
  });
});

it("an epoch file takes arrays on shared memory", () => {
  const shared = new Float32Array(new SharedArrayBuffer(24));
  shared.set(EPOCH.surface.elevationM);
  const surface = { ...EPOCH.surface, elevationM: shared };
  expect(encodeEpoch({ ...EPOCH, surface })).toEqual(encodeEpoch(EPOCH));
});

it("an epoch file is a few bytes a cell for a surface with noise", () => {
  const side = 200;
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const elevationM = Float32Array.from({ length: side * side }, () => -38 + 0.04 * random());
  const score = Float32Array.from({ length: side * side }, () => 0.8 + 0.1 * random());
  const views = new Uint8Array(side * side).fill(5);
  const frame = { westM: 0, northM: 0, cellM: 0.1, width: side, height: side };
  const file = encodeEpoch({ ...EPOCH, surface: { ...frame, elevationM, score, views } });
  // Differences of 80 equal steps hold 6.3 to 7.3 bits, scores of 11 steps 3.5: 1.3 bytes at best.
  expect(file.length / side ** 2).toBeGreaterThan(1.2);
  expect(file.length / side ** 2).toBeLessThan(3.5);
});

it("an epoch file does not read files of another version", () => {
  const bytes = encodeEpoch(EPOCH);
  bytes[8] = "2".charCodeAt(0);
  expect(decodeEpoch(bytes)).toBeUndefined();
  expect(readEpochHead(bytes)).toBeUndefined();
});
