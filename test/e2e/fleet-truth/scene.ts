import type { RecordedCrossing } from "./recorded.ts";
import type { CrossingType } from "./true-crossings.ts";
import type { FleetTruth, TruthAsset } from "./truth.ts";

/** A yard 200 m from west to east and 200 m from south to north, its west edge at 0 m east. */
export const YARD = {
  id: "yard",
  projectId: "site",
  ring: [
    { eastM: 0, northM: -100 },
    { eastM: 200, northM: -100 },
    { eastM: 200, northM: 100 },
    { eastM: 0, northM: 100 },
  ],
};

/** What a test says of its machine; times in seconds. */
export interface MachineSketch {
  /** Where it was when, metres east of the yard's west edge, on the line through its middle. */
  readonly way: readonly (readonly [atS: number, eastM: number])[];
  readonly fixesS: readonly number[];
  /** Its stays in the yard; `undefined`: since before, or beyond, the run. */
  readonly visitsS: readonly (readonly [
    enteredS: number | undefined,
    exitedS: number | undefined,
  ])[];
  readonly clockSkewS?: number;
  readonly firstHeardS?: number;
}

const ms = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1_000);

/** A machine with an accuracy of 4 m and a noise of 2 m per axis: clear from 10 m on. */
export function machine(sketch: MachineSketch): TruthAsset {
  const { way, fixesS, visitsS, clockSkewS = 0, firstHeardS = fixesS[0] } = sketch;
  return {
    id: "truck",
    projectId: "site",
    sigmaM: 2,
    accuracyM: 4,
    clockSkewMs: clockSkewS * 1_000,
    fixTimesMs: fixesS.map((atS) => atS * 1_000),
    firstHeardMs: (firstHeardS ?? 0) * 1_000,
    visits: visitsS.map(([enteredS, exitedS]) => ({
      fenceId: "yard",
      enteredMs: ms(enteredS),
      exitedMs: ms(exitedS),
    })),
    track: {
      timesMs: Float64Array.from(way, ([atS]) => atS * 1_000),
      points: way.map(([, eastM]) => ({ eastM, northM: 0 })),
    },
  };
}

/** A run of one machine. */
export function truthOf(asset: TruthAsset): FleetTruth {
  return { startMs: 0, endMs: 100_000, fences: [YARD], assets: [asset] };
}

/** A record of the machine and the yard, dated on the device's clock. */
export function record(type: CrossingType, atS: number, cause = "crossing"): RecordedCrossing {
  return {
    ...{ eventId: `${type}-${atS}`, assetId: "truck", fenceId: "yard" },
    ...{ type, atMs: atS * 1_000, inferred: false, cause },
  };
}
