import type { KindLoad } from "../../storage/ports/platform/jobs.ts";

/**
 * Speed that is assumed of a kind before its first job is done, s per unit of work. About an image; it is wrong
 * only until the first job is done.
 */
const ASSUMED_S_PER_UNIT = 2;

/**
 * How long a job that is added now waits until all work before it is done, s: the units that are left
 * times the moving average of seconds per unit of their kind, over so many jobs at once in all
 * runners. Within a factor of two at best: jobs of one kind differ.
 */
export function waitingTimeS(load: readonly KindLoad[], jobsAtOnce: number): number {
  const workS = load.map(
    ({ unitsLeft, secondsPerUnit = ASSUMED_S_PER_UNIT }) => unitsLeft * secondsPerUnit,
  );
  return workS.reduce((sum, seconds) => sum + seconds, 0) / jobsAtOnce;
}

/** How long so much work of one kind takes once it has begun, s, by the same average. */
export function workTimeS(load: readonly KindLoad[], kind: string, units: number): number {
  const { secondsPerUnit = ASSUMED_S_PER_UNIT } = load.find((one) => one.kind === kind) ?? {};
  return units * secondsPerUnit;
}
