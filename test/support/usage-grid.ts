import type { Reading } from "../../domain/equipment/reading.ts";
import { localDayAt, overlapMs } from "../../domain/local-time.ts";
import {
  type DayFigure,
  type DayFigures,
  dayFigures,
} from "../../ingest/asset-state/day-figures.ts";
import { dayTotals } from "../../ingest/asset-state/track-view.ts";
import { newAssetTrack } from "../../ingest/track/asset-track.ts";
import { sampleOf } from "../../ingest/track/timeline-sample.ts";
import { foldWork } from "../../ingest/utilization/utilization.ts";
import { ASSET, PROJECT } from "./timeline-run.ts";
import {
  DAY,
  type Device,
  MACHINES,
  metersOf,
  readingsOfDay,
  secondsOf,
  simulateDay,
  type TrueDay,
} from "./usage-day.ts";

const SHIFT = { fromHour: 7, toHour: 16 };
export const CALENDAR = { time_zone: "UTC", shift: { start: "07:00", end: "16:00" } };
export const INTERVALS_MIN = [1, 4, 6, 10, 60] as const;

export const FIGURES = ["working", "overtime", "engine_on", "distance"] as const;
export type FigureName = (typeof FIGURES)[number];

/** One simulated day of one device with what the service says of it. */
export interface GridDay {
  readonly name: string;
  readonly device: Device;
  readonly truth: Readonly<Record<FigureName, number>>;
  readonly figures: DayFigures;
  /** What is wrong; empty: nothing. */
  readonly faults: readonly string[];
}

/** The figures of the day that counts after these readings, in order. */
export function figuresAfter(readings: readonly Reading[]): DayFigures {
  const track = newAssetTrack(ASSET, PROJECT);
  for (const reading of readings) foldWork(track, sampleOf(reading), CALENDAR);
  const day = track.days.find((one) => one.day === DAY);
  if (day === undefined) throw new Error(`no day ${DAY}`);
  const { startMs, endMs, shift } = localDayAt(CALENDAR, day.startMs);
  const period = { ms: endMs - startMs, shiftMs: overlapMs(shift, startMs, endMs) };
  return dayFigures(dayTotals(day), period);
}

/** Every device of the table on the day of this seed. */
export function* gridOfSeed(seed: number): Iterable<GridDay> {
  const machine = MACHINES[seed % MACHINES.length] ?? "truck";
  const day = simulateDay(machine, seed);
  const yesNo = [true, false];
  const comparedDay = (device: Device): GridDay => {
    const { intervalS, hours, odometer, engine, speed, sleeps, apartS } = device;
    const figures = figuresAfter(readingsOfDay(day, device, seed + 1));
    const truth = truthOf(day, device);
    const said = [
      ...[hours && "hours", odometer && "odometer", engine && "engine", speed && "speed"],
      ...[sleeps && "sleeps", apartS > 0 && `positions ${apartS} s later`],
    ];
    const name = `${machine} seed ${seed} ${intervalS / 60} min ${said.filter(Boolean).join("+")}`;
    const faults = FIGURES.flatMap((figure) => faultsOf(figure, figures[figure], truth[figure]));
    return { name, device, truth, figures, faults: [...faults, ...excessOf(figures)] };
  };
  for (const minutes of INTERVALS_MIN) {
    const intervalS = minutes * 60;
    for (const hours of yesNo) {
      for (const odometer of yesNo) {
        for (const engine of yesNo) {
          yield comparedDay(deviceOf(seed, { intervalS, hours, odometer, engine, apartS: 0 }));
        }
      }
    }
    for (const engine of yesNo) {
      const apartS = [1, intervalS / 3, intervalS / 2, intervalS - 2][seed % 4] ?? 1;
      yield comparedDay(
        deviceOf(seed, { intervalS, hours: false, odometer: true, engine, apartS }),
      );
    }
  }
}

function deviceOf(
  seed: number,
  said: Pick<Device, "intervalS" | "hours" | "odometer" | "engine" | "apartS">,
): Device {
  return {
    ...said,
    speed: seed % 2 === 0,
    sleeps: seed % 4 === 1,
    lost: seed % 5 === 0 ? 0.05 : 0,
    hourStep: [0.01, 0.05, 0.1, 1][seed % 4] ?? 1,
    kmStep: [0.001, 0.1, 1][(seed >> 1) % 3] ?? 1,
  };
}

/** Work is what the device can say of it: speed while the engine runs, else the engine, else movement. */
function truthOf(day: TrueDay, { speed, engine, hours }: Device): GridDay["truth"] {
  const isOn = (s: number) => day.engineOn[s] === 1;
  const isMoving = (s: number) => (day.speedKmh[s] ?? 0) > 1;
  const works = speed || !(engine || hours) ? isMoving : isOn;
  const inShift = secondsOf(works, SHIFT.fromHour, SHIFT.toHour);
  return {
    working: inShift,
    overtime: secondsOf(works) - inShift,
    engine_on: secondsOf(isOn),
    distance: metersOf(day),
  };
}

/** A day has 24 hours. */
function excessOf({ working, overtime, engine_on }: DayFigures): readonly string[] {
  const worked = (working.value ?? 0) + (overtime.value ?? 0);
  const engine = engine_on.value ?? 0;
  return Math.max(worked, engine) > 86_400
    ? [`${worked} s of work, ${engine} s of engine in a day`]
    : [];
}

function faultsOf(name: FigureName, figure: DayFigure, truth: number): readonly string[] {
  const { value, lower, upper, basis, seen, reason, parts } = figure;
  const faults: string[] = [];
  if (lower === null || upper === null || seen === null) return [`${name}: no bounds or share`];
  const text = `${name} ${value ?? "null"} in [${lower}, ${upper}] by ${basis}, seen ${seen}`;
  if (truth < lower || truth > upper) faults.push(`${text}: is ${Math.round(truth)}`);
  if (value === null && (basis !== "none" || reason === undefined))
    faults.push(`${text}: no reason`);
  if (value === 0 && truth > 0 && upper < truth) faults.push(`${text}: bare 0`);
  if (value !== null && (value < lower || value > upper)) faults.push(`${text}: out of bounds`);
  const sum = parts.observed + parts.meter + parts.bridged;
  if (value !== null && Math.abs(sum - value) > 1) faults.push(`${text}: parts sum to ${sum}`);
  return faults;
}
