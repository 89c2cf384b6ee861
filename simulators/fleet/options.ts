import type { Shift } from "../../domain/project.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { FormatChoice, ListenerPorts } from "./formats/fleet-formats.ts";

/** How a fleet is simulated. Ranges are checked on the command line (arguments.ts). */
export interface FleetOptions {
  /** Address of the service, for example `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly key: string;
  /** Address of the broker; absent: port 1883 of the service's host. */
  readonly mqttUrl?: string;
  /** Ports of the listeners beside MQTT, on the service's host; formats whose listener has none are not mixed in. */
  readonly ports: ListenerPorts;
  readonly assets: number;
  /** What the devices speak; `mixed`: every format in turn, machine by machine. */
  readonly format: FormatChoice;
  /** Readings per second and asset. */
  readonly rate: number;
  /** Length of the run in simulated hours; `Infinity`: until the signal, keeping summaries only. */
  readonly hours: number;
  /** Simulated seconds per second. */
  readonly speedup: number;
  readonly seed: number;
  /** Folder for truth.json and fences.json; absent: nothing is written. */
  readonly out?: string;
  readonly projects: number;
  readonly fences: number;
  /** Id of the first project; further ones get `-2`, `-3`, ... */
  readonly projectId: string;
  /** Start of the simulated time, ms since the Unix epoch; absent: now, or now - hours when faster than life. */
  readonly startMs?: number;
  /** Send as fast as the broker acknowledges instead of on time. */
  readonly backlog: boolean;
  /** Devices without faults or noise. */
  readonly clean: boolean;
  /** Whether devices say how exact they are; otherwise none does, whatever its habits. */
  readonly reportsAccuracy: boolean;
  /** Rare fixes at (0, 0) or kilometres away. */
  readonly outliers: boolean;
  /** Working hours of new projects. */
  readonly shift: Shift;
  readonly timeZone: string;
}

/** A fleet of 20 machines for an hour, at life's own pace. */
export const FLEET_DEFAULTS = {
  assets: 20,
  format: "plumbline",
  ports: {},
  rate: 1,
  hours: 1,
  speedup: 1,
  seed: 1,
  projects: 1,
  fences: 6,
  projectId: "site-a",
  backlog: false,
  clean: false,
  reportsAccuracy: true,
  outliers: false,
  // Round the clock, so that a run at any hour shows machines at work.
  shift: { start: "00:00", end: "24:00" },
  timeZone: "Europe/Berlin",
} satisfies Partial<FleetOptions>;

/**
 * When the simulated time begins, rounded down to a whole second: the world moves in seconds.
 * A run that is faster than life must begin in the past, or it would send fixes of the future.
 */
export function startOf(options: FleetOptions, nowMs: number): number {
  const fast = options.speedup > 1 || options.backlog;
  const lengthMs = fast && Number.isFinite(options.hours) ? options.hours * HOUR_MS : 0;
  return Math.floor((options.startMs ?? nowMs - lengthMs) / 1_000) * 1_000;
}

/**
 * A device's clock may be this far behind, ms: two minutes (habits.ts), and some more. Less, and its first fixes
 * are before the fences.
 */
const FENCES_AHEAD_MS = 5 * MINUTE_MS;
/** Furthest back that the API takes `valid_from`, ms, less a minute for the request. */
const FENCES_LATEST_MS = (72 * 60 - 1) * 60_000;

/**
 * From when on a run's fences are to be in force, ms since the Unix epoch: before the first fix, whatever
 * the device's clock says. The readings of a run that begins more than 72 h back meet no fence until then.
 */
export function fencesFrom(startMs: number, nowMs: number): number {
  return Math.max(startMs - FENCES_AHEAD_MS, nowMs - FENCES_LATEST_MS);
}
