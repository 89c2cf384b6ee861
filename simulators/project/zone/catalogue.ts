import { SimulatorError } from "../../command-line/simulator-error.ts";
import type { Random } from "../../randomness/random.ts";
import type { ZonePlan } from "./zone-plan.ts";

const PLAIN = { expectation: "measured", isOccluded: false } as const;

/**
 * The zones of every simulated project, in the site's grid: three columns with a haul road between the
 * second and the third. Sizes, times and costs are chosen so that lifts are 0.5 to 12 m high where they
 * are to be measured, some work is ahead and some behind. Within +-42 m along and +-38 m across, but for
 * the one off the flight.
 */
const ZONES: readonly ZonePlan[] = [
  {
    ...PLAIN,
    ...{ code: "EMB", name: "Embankment", metric: "fill", cost: 182_000, design: "tin" },
    rect: { alongM: -23, rightM: -26, halfLengthM: 18, halfWidthM: 11 },
    work: { kind: "fill", heightM: 3, liftM: 0.5, slopeRun: 1.5 },
    planned: { from: 0.04, to: 0.78 },
    actual: { from: 0.05, to: 0.92 },
  },
  {
    ...PLAIN,
    ...{ code: "EXC", name: "Excavation", metric: "cut", cost: 210_000, design: "raster" },
    rect: { alongM: 22, rightM: 27, halfLengthM: 19, halfWidthM: 10 },
    work: { kind: "cut", heightM: 3.2, liftM: 0.8, slopeRun: 1 },
    planned: { from: 0.08, to: 0.7 },
    actual: { from: 0.05, to: 0.6 },
  },
  {
    ...PLAIN,
    ...{ code: "BLA", name: "Building A", metric: "height", cost: 640_000, design: "levels" },
    rect: { alongM: 9.5, rightM: -1, halfLengthM: 8, halfWidthM: 6 },
    work: { kind: "building", storeys: 4, storeyM: 3 },
    planned: { from: 0.1, to: 0.95 },
    actual: { from: 0.08, to: 0.93 },
  },
  {
    ...PLAIN,
    ...{ code: "BLB", name: "Building B", metric: "height", cost: 520_000, design: "levels" },
    rect: { alongM: -32, rightM: -1, halfLengthM: 7.5, halfWidthM: 5.5 },
    work: { kind: "building", storeys: 4, storeyM: 2.8 },
    planned: { from: 0.15, to: 0.95 },
    actual: { from: 0.3, to: 1.4 },
  },
  {
    ...PLAIN,
    ...{ code: "PAD", name: "Crane pad", metric: "fill", cost: 38_000, design: "raster" },
    rect: { alongM: -11.5, rightM: -1, halfLengthM: 8.5, halfWidthM: 9 },
    work: { kind: "fill", heightM: 1.8, liftM: 0.45, slopeRun: 1 },
    planned: { from: 0.04, to: 0.6 },
    actual: { from: 0.02, to: 0.38 },
  },
  {
    ...PLAIN,
    ...{ code: "OVR", name: "Access ramp", metric: "fill", cost: 41_000, design: "raster" },
    rect: { alongM: 10, rightM: -26, halfLengthM: 9, halfWidthM: 10 },
    work: { kind: "fill", heightM: 1.6, liftM: 0.4, slopeRun: 1.5, isOverbuilt: true },
    planned: { from: 0.2, to: 0.72 },
    actual: { from: 0.22, to: 0.8 },
  },
  {
    ...PLAIN,
    ...{ code: "BAS", name: "Drainage basin", metric: "cut", cost: 66_000, design: "tin" },
    rect: { alongM: -32, rightM: 27, halfLengthM: 9, halfWidthM: 10 },
    work: { kind: "cut", heightM: 2, liftM: 0.5, slopeRun: 1.5 },
    planned: { from: 0.2, to: 0.62 },
    actual: { from: 0.42, to: 1.15 },
  },
  {
    ...PLAIN,
    ...{ code: "POD", name: "Béton podium", metric: "area", cost: 95_000, design: "level" },
    rect: { alongM: 32, rightM: -1, halfLengthM: 8, halfWidthM: 9 },
    work: { kind: "slabs", heightM: 0.6, bays: { along: 6, across: 2 }, beyondM: 0.6 },
    // Below half of the slabs' height: a bay is laid or it is not.
    toleranceM: 0.25,
    planned: { from: 0.3, to: 0.9 },
    actual: { from: 0.28, to: 0.98 },
  },
  {
    ...PLAIN,
    ...{ code: "OCC", name: "Laydown terrace", metric: "fill", cost: 57_000, design: "raster" },
    rect: { alongM: 32, rightM: -26.5, halfLengthM: 9, halfWidthM: 10.5 },
    // What is parked on it stands more than 1 m above its design at any time.
    work: { kind: "fill", heightM: 1.2, liftM: 0.3, slopeRun: 1.5 },
    planned: { from: 0.1, to: 0.8 },
    actual: { from: 0.12, to: 0.88 },
    isOccluded: true,
  },
  {
    ...PLAIN,
    ...{ code: "LAT", name: "North terrace", metric: "fill", cost: 52_000, design: "raster" },
    rect: { alongM: -10.5, rightM: 26.5, halfLengthM: 8.5, halfWidthM: 9.5 },
    work: { kind: "fill", heightM: 2, liftM: 0.5, slopeRun: 1.5 },
    planned: { from: 0.7, to: 1.05 },
    actual: { from: 1.2, to: 1.6 },
  },
  {
    ...PLAIN,
    ...{ code: "SUB", name: "Haul road sub-base", metric: "fill", cost: 23_000, design: "level" },
    rect: { alongM: -21, rightM: 12.5, halfLengthM: 19, halfWidthM: 2 },
    work: { kind: "fill", heightM: 0.18, liftM: 0.18, slopeRun: 1 },
    planned: { from: 0.25, to: 0.6 },
    actual: { from: 0.3, to: 0.75 },
    expectation: "dsm_not_suitable",
  },
  {
    ...PLAIN,
    ...{ code: "ASP", name: "Haul road asphalt", metric: "fill", cost: 31_000, design: "level" },
    rect: { alongM: 21, rightM: 12.5, halfLengthM: 19, halfWidthM: 2 },
    work: { kind: "fill", heightM: 0.05, liftM: 0.05, slopeRun: 1 },
    planned: { from: 0.55, to: 0.9 },
    actual: { from: 0.5, to: 0.9 },
    expectation: "dsm_not_suitable",
  },
  {
    ...PLAIN,
    ...{ code: "FAR", name: "Off-site stockyard", metric: "fill", cost: 48_000, design: "raster" },
    rect: { alongM: 175, rightM: 10, halfLengthM: 11, halfWidthM: 9 },
    work: { kind: "fill", heightM: 2, liftM: 0.5, slopeRun: 1.5 },
    planned: { from: 0.1, to: 0.6 },
    actual: { from: 0.1, to: 0.7 },
    expectation: "not_observed",
  },
];

/** Zones that lie on the flight are within this, metres; what else there is keeps off. */
export const ZONES_WITHIN = { alongM: 42, rightM: 38.5 };

/** The haul road's middle, `rightM` of the grid. */
export const ROAD_RIGHT_M = 12.5;

export const ZONE_CODES: readonly string[] = ZONES.map(({ code }) => code);

/** Standard deviation of starts and of ends of the actual work about the catalogue's, shares. */
const JITTER = 0.015;

/**
 * The zones of a seed: those asked for (none: all), with starts and ends that vary a little.
 * @throws SimulatorError naming codes that there are not.
 */
export function drawZones(codes: readonly string[], random: Random): ZonePlan[] {
  const unknown = codes.filter((code) => !ZONE_CODES.includes(code));
  if (unknown.length > 0) {
    throw new SimulatorError(
      `--zones: there is no zone "${unknown.join('", "')}"; there are: ${ZONE_CODES.join(", ")}`,
    );
  }
  return ZONES.map((zone) => {
    const drawn = random.fork(zone.code);
    const shift = (share: number) =>
      Math.max(0.02, share + JITTER * Math.max(-2, Math.min(2, drawn.gaussian())));
    return { ...zone, actual: { from: shift(zone.actual.from), to: shift(zone.actual.to) } };
  }).filter(({ code }) => codes.length === 0 || codes.includes(code));
}
