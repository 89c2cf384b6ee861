import type { Reading } from "../../domain/equipment/reading.ts";
import { offsetLocation } from "../../domain/geodesy.ts";
import { seededRandom } from "./seeded-random.ts";

/** The evening before the day that counts, UTC. */
const FIRST_MS = Date.parse("2026-06-01T18:00:00Z");
/** The day that counts. */
export const DAY = "2026-06-02";
const DAY_FROM_S = 6 * 3_600;
const DAY_TO_S = 30 * 3_600;
/** Until the next morning, when the machine has begun again. */
const LENGTH_S = 39 * 3_600;
const ORIGIN = { latitude: 52.5, longitude: 13.4 };
const GNSS_SIGMA_M = 3;

export const MACHINES = ["truck", "excavator", "bus"] as const;
export type Machine = (typeof MACHINES)[number];

/** What a machine did, second by second. */
export interface TrueDay {
  readonly engineOn: Uint8Array;
  readonly speedKmh: Float64Array;
  readonly eastM: Float64Array;
  readonly northM: Float64Array;
  /** Cumulative, since the first second. */
  readonly engineS: Float64Array;
  readonly wayM: Float64Array;
  readonly machine: Machine;
}

/** What a device says, and how often. */
export interface Device {
  readonly intervalS: number;
  readonly hours: boolean;
  readonly odometer: boolean;
  readonly engine: boolean;
  readonly speed: boolean;
  /** It says nothing while the engine has been off for ten minutes. */
  readonly sleeps: boolean;
  /** Share of its messages that never come. */
  readonly lost: number;
  /** Steps of its meters, hours and kilometres. */
  readonly hourStep: number;
  readonly kmStep: number;
  /** Positions come in messages of their own, so long after those of the meters, s; 0: in the same. */
  readonly apartS: number;
}

/** Shifts with breaks of ten minutes and more; of a truck and a bus drives with stops, of an excavator spells of digging. */
export function simulateDay(machine: Machine, seed: number): TrueDay {
  const random = seededRandom(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  const day: TrueDay = {
    engineOn: new Uint8Array(LENGTH_S),
    speedKmh: new Float64Array(LENGTH_S),
    eastM: new Float64Array(LENGTH_S),
    northM: new Float64Array(LENGTH_S),
    engineS: new Float64Array(LENGTH_S),
    wayM: new Float64Array(LENGTH_S),
    machine,
  };
  for (const [fromS, toS] of shiftsOf(between))
    drive(day, Math.round(fromS), Math.round(toS), between);
  integrate(day, between);
  return day;
}

/** When the engine runs, seconds: blocks of work on the day itself, and one on the next morning. */
function shiftsOf(
  between: (low: number, high: number) => number,
): readonly (readonly [number, number])[] {
  // Also the evening before: a device that sleeps has to have been heard once.
  const blocks: [number, number][] = [[0, 2_400]];
  const endS = DAY_FROM_S + between(14, 21) * 3_600;
  for (let atS = DAY_FROM_S + between(5.5, 8) * 3_600; atS < endS; ) {
    const untilS = Math.min(endS, atS + between(40, 200) * 60);
    blocks.push([atS, untilS]);
    atS = untilS + between(11, 70) * 60;
  }
  const nextS = DAY_TO_S + between(5.5, 7) * 3_600;
  return [...blocks, [nextS, LENGTH_S]];
}

function drive(
  { machine, engineOn, speedKmh }: TrueDay,
  fromS: number,
  toS: number,
  between: (low: number, high: number) => number,
): void {
  engineOn.fill(1, fromS, toS);
  for (let atS = fromS; atS < toS; ) {
    const isMoving = between(0, 1) < { truck: 0.6, excavator: 0.15, bus: 0.75 }[machine];
    const lastsS = Math.round(isMoving ? between(60, 700) : between(30, 400));
    const speed = machine === "excavator" ? between(1.5, 4) : between(12, 45);
    if (isMoving) speedKmh.fill(speed, atS, Math.min(toS, atS + lastsS));
    atS += lastsS;
  }
  // Nothing starts or stops at once: 1 m/s in a second.
  for (let s = fromS + 1; s < toS; s += 1) {
    speedKmh[s] = Math.min(speedKmh[s] ?? 0, (speedKmh[s - 1] ?? 0) + 3.6);
  }
  for (let s = toS - 2; s >= fromS; s -= 1) {
    speedKmh[s] = Math.min(speedKmh[s] ?? 0, (speedKmh[s + 1] ?? 0) + 3.6);
  }
}

function integrate(day: TrueDay, between: (low: number, high: number) => number): void {
  let heading = between(0, 2 * Math.PI);
  let turn = 0;
  for (let s = 1; s < LENGTH_S; s += 1) {
    const metersPerS = (day.speedKmh[s] ?? 0) / 3.6;
    if (s % 20 === 0) turn = between(-1, 1) < 0.7 ? between(-0.01, 0.01) : between(-0.15, 0.15);
    if (metersPerS > 0) heading += turn;
    day.eastM[s] = (day.eastM[s - 1] ?? 0) + metersPerS * Math.sin(heading);
    day.northM[s] = (day.northM[s - 1] ?? 0) + metersPerS * Math.cos(heading);
    day.wayM[s] = (day.wayM[s - 1] ?? 0) + metersPerS;
    day.engineS[s] = (day.engineS[s - 1] ?? 0) + (day.engineOn[s] ?? 0);
  }
}

/** What the device sends of the day, in order. */
export function readingsOfDay(day: TrueDay, device: Device, seed: number): readonly Reading[] {
  const random = seededRandom(seed);
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const readings: Reading[] = [];
  const phaseS = Math.floor(random() * device.intervalS);
  for (let s = phaseS; s < LENGTH_S; s += device.intervalS) {
    const isLost = random() < device.lost;
    const noise = [gauss() * GNSS_SIGMA_M, gauss() * GNSS_SIGMA_M] as const;
    const isAsleep =
      device.sleeps && !day.engineOn.subarray(Math.max(0, s - 600), s + 1).includes(1);
    if (isLost || isAsleep) continue;
    const { apartS } = device;
    const said = { ...saidAt(day, s, device), ...(apartS === 0 ? positionAt(day, s, noise) : {}) };
    if (Object.keys(said).length > 0) readings.push(readingAt(s, said));
    if (apartS > 0 && s + apartS < LENGTH_S) {
      readings.push(readingAt(s + apartS, positionAt(day, s + apartS, noise)));
    }
  }
  return readings;
}

/** A reading of the simulated second `s`. */
export function readingAt(s: number, fields: Readonly<Record<string, number>>): Reading {
  return {
    fixTimeMs: FIRST_MS + s * 1_000,
    timeSource: "device",
    rawTimeMs: undefined,
    seq: -1,
    payloadHash: s,
    fields,
    faults: undefined,
  };
}

function positionAt(
  day: TrueDay,
  s: number,
  [eastM, northM]: readonly [number, number],
): Readonly<Record<string, number>> {
  const at = offsetLocation(ORIGIN, (day.eastM[s] ?? 0) + eastM, (day.northM[s] ?? 0) + northM);
  return { ...at, accuracy_meters: 5 };
}

function saidAt(day: TrueDay, s: number, device: Device): Readonly<Record<string, number>> {
  const hours = 4_711.3 + (day.engineS[s] ?? 0) / 3_600;
  const km = 80_123.4 + (day.wayM[s] ?? 0) / 1_000;
  return {
    ...(device.engine ? { engine_on: day.engineOn[s] ?? 0 } : {}),
    ...(device.speed ? { speed_kmh: Math.round(day.speedKmh[s] ?? 0) } : {}),
    ...(device.hours ? { engine_hours: shown(hours, device.hourStep) } : {}),
    ...(device.odometer ? { odometer_km: shown(km, device.kmStep) } : {}),
  };
}

/** What a meter of that step shows: whole steps that are over. */
const shown = (value: number, step: number): number =>
  Number((Math.floor(value / step + 1e-9) * step).toFixed(4));

/** Seconds of the day that counts in which `is` holds, and how many of them from `fromHour` to `toHour`. */
export function secondsOf(is: (s: number) => boolean, fromHour = 0, toHour = 24): number {
  let sum = 0;
  for (let s = DAY_FROM_S + fromHour * 3_600; s < DAY_FROM_S + toHour * 3_600; s += 1) {
    if (is(s)) sum += 1;
  }
  return sum;
}

/** Metres of the day that counts. */
export const metersOf = ({ wayM }: TrueDay): number =>
  (wayM[DAY_TO_S] ?? 0) - (wayM[DAY_FROM_S] ?? 0);
