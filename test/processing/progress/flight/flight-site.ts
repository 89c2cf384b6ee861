import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CaptureId, WorkZoneId } from "../../../../domain/ids.ts";
import type { ZoneEstimate } from "../../../../domain/sites/capture.ts";
import type { Georeferencing } from "../../../../domain/sites/measurement.ts";
import { encodeEpoch } from "../../../../processing/epoch/epoch-file.ts";
import { planOfRing, ringOfPlan } from "../../../../processing/epoch/plan-ring.ts";
import type { SurveyFacts } from "../../../../processing/epoch/survey-facts.ts";
import { createEnuFrame, type SurveyOrigin } from "../../../../processing/geometry/enu.ts";
import { placeFirst } from "../../../../processing/progress/flight/analysis/place-flight.ts";
import { estimateZones } from "../../../../processing/progress/flight/analysis/zone-work.ts";
import { stableGround } from "../../../../processing/progress/flight/cells/stable-mask.ts";
import type {
  FlightInput,
  SurfaceInput,
  ZoneInput,
} from "../../../../processing/progress/flight/input/flight-input.ts";
import { seenOnly } from "../../../../processing/progress/flight/registration/zone-heights.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

/** Middle of the site, and height of its ground, metres. */
export const SITE: SurveyOrigin = { latDeg: 52.52, lonDeg: 13.405, heightM: 80 };
const GROUND_M = -30;
const EDGE_M = 60;

export interface FlownSite {
  /** Height above the ground at a place, metres. */
  readonly rise?: (x: number, y: number) => number;
  /** What its positions are off by: east, north, up, metres. */
  readonly offM?: readonly [number, number, number];
  readonly georeferencing?: Georeferencing;
  readonly cellM?: number;
  readonly seed?: number;
  /** Standard deviation of heights, in squares of 3 by 3 cells that vary as one. */
  readonly noiseM?: number;
  readonly isHole?: (x: number, y: number) => boolean;
}

/** Rolling ground with rubble on it, so that relief shows shifts in plan: 60 m square. */
const groundAt = (x: number, y: number): number =>
  GROUND_M +
  0.4 * Math.sin(x / 5) * Math.cos(y / 4) +
  0.25 * Math.sin(x / 1.7 + 1) * Math.sin(y / 2.1);

/** A survey of the site as from an engine that gives no cameras. */
export function flownSite({
  rise = () => 0,
  offM = [0, 0, 0],
  georeferencing = "rtk",
  cellM = 0.4,
  seed = 1,
  noiseM = 0.015,
  isHole = () => false,
}: FlownSite = {}): SurveyFacts {
  const random = seededRandom(seed);
  const side = Math.round(EDGE_M / cellM);
  const blocks = Math.ceil(side / 3);
  // Sums of uniform numbers: standard deviation 1.
  const noise = Float32Array.from({ length: blocks * blocks }, () => {
    let sum = 0;
    for (let k = 0; k < 6; k += 1) sum += random() - 0.5;
    return sum * Math.SQRT2;
  });
  const elevationM = new Float32Array(side * side);
  for (let i = 0; i < elevationM.length; i += 1) {
    const [col, row] = [i % side, Math.floor(i / side)];
    const x = -EDGE_M / 2 + (col + 0.5) * cellM;
    const y = EDGE_M / 2 - (row + 0.5) * cellM;
    const block = Math.floor(row / 3) * blocks + Math.floor(col / 3);
    const z = groundAt(x, y) + rise(x, y) + noiseM * (noise[block] ?? 0) + offM[2];
    elevationM[i] = isHole(x, y) ? Number.NaN : z;
  }
  const known = Array.from(elevationM, (z) => !Number.isNaN(z));
  return {
    origin: createEnuFrame(SITE).toGeodetic([0, 0, 0]),
    dsm: {
      westM: -EDGE_M / 2 + offM[0],
      northM: EDGE_M / 2 + offM[1],
      ...{ cellM, width: side, height: side, elevationM },
      score: Float32Array.from(known, (isKnown) => (isKnown ? 0.9 : Number.NaN)),
      views: Uint8Array.from(known, (isKnown) => (isKnown ? 5 : 0)),
    },
    georeferencing,
    gsdM: cellM / 4,
    block: undefined,
    cameras: [],
  };
}

/** A rectangle in plan by its edges: west, south, east, north, metres. */
export type Rectangle = readonly [west: number, south: number, east: number, north: number];
export const isIn = ([west, south, east, north]: Rectangle, x: number, y: number): boolean =>
  x > west && x < east && y > south && y < north;

export const ringOf = ([west, south, east, north]: Rectangle) =>
  ringOfPlan(
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ],
    SITE,
  );

/** A zone in a rectangle, to be filled by 2 m unless `change` says something else. */
export const zoneIn = (id: string, at: Rectangle, change: Partial<ZoneInput> = {}): ZoneInput => ({
  id: id as WorkZoneId,
  name: id,
  ring: ringOf(at),
  metric: { kind: "fill" },
  takesBaseline: true,
  baseline: undefined,
  design: above(2),
  earlierLevels: undefined,
  ...change,
});

export const above = (heightM: number): SurfaceInput => ({
  kind: "level",
  heightM,
  reference: "baseline",
});

/**
 * What a second flight says of zones, after a first one of the bare site: both in one frame, so that nothing
 * has to be brought anywhere.
 */
export async function secondFlight(
  site: FlownSite,
  zones: readonly ZoneInput[],
  first: FlownSite = {},
): Promise<readonly ZoneEstimate[]> {
  const dir = await mkdtemp(join(tmpdir(), "second-flight-"));
  try {
    const survey = flownSite({ seed: 2, ...site });
    const before = placeFirst(flownSite(first));
    const { lattice, origin } = before;
    const path = join(dir, "epoch.bin");
    const id = "cap_1" as CaptureId;
    const epoch = { datum: id, surface: before.surface, cameras: [], companions: [] };
    await writeFile(path, encodeEpoch(epoch));
    const baseline: SurfaceInput = {
      kind: "file",
      format: "epoch",
      path,
      openBytes: 1,
      readBytes: 1,
    };
    const surface = seenOnly(placeFirst(survey).surface);
    const polygons = zones.map(({ ring }) => planOfRing(ring, origin));
    return await estimateZones(
      zones.map((zone) => ({ ...zone, baseline: zone.baseline ?? baseline })),
      {
        ...{ surface, survey, first: before.surface },
        ground: stableGround(surface, polygons),
        placed: {
          alignment: {
            ...{ kind: "georeferenced", heightSigmaM: 0.003, planSigmaM: 0.01 },
            scaleSigma: undefined,
          },
        },
        datum: { id, origin, lattice, georeferencing: survey.georeferencing },
      },
    );
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** An input of the whole task. */
export const flightInput = (
  site: FlownSite,
  zones: readonly ZoneInput[],
  change: Partial<FlightInput> = {},
): FlightInput => ({
  captureId: "cap_1" as CaptureId,
  survey: flownSite(site),
  ortho: undefined,
  datum: undefined,
  earlier: [],
  companions: [],
  zones,
  changing: [],
  ...change,
});
