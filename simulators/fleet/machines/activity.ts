import type { Point } from "../site/plane.ts";
import type { Trip } from "../site/trip.ts";

/** The truth about a machine at one instant. */
export interface Motion {
  readonly point: Point;
  readonly speedMps: number;
  /** Where it faces, degrees clockwise from north, `[0, 360)`. */
  readonly headingDeg: number;
  /** Engine load, percent; 0 with the engine off. */
  readonly loadPercent: number;
  readonly payloadKg: number;
}

/**
 * What a machine does for a while. Activities of one machine follow each other without a gap:
 * each starts when and where the one before ended.
 */
export interface Activity {
  readonly name: string;
  /** ms since the Unix epoch, whole numbers; `[startMs, endMs)`. */
  readonly startMs: number;
  readonly endMs: number;
  readonly engineOn: boolean;
  /**
   * Whether this is work (docs/rules.md#working-time: engine on, and speed > 1 km/h or load > 10 %). It holds
   * for the whole activity: idle load stays below 9 %, work and driving stay above 14 %.
   */
  readonly working: boolean;
  readonly moving: boolean;
  motionAt(timeMs: number): Motion;
}

/** How a machine behaves while stationary: what its engine does and what changes meanwhile. */
export interface Manner {
  /** `off`, `idle`, or the load of work on the spot in percent, swinging by `amplitude`. */
  readonly engine:
    | "off"
    | "idle"
    | { readonly mean: number; readonly amplitude: number; readonly periodS: number };
  /** Payload at the start and at the end, kg; in between it changes in equal steps of `steps`. */
  readonly payload?: { readonly fromKg: number; readonly toKg: number; readonly steps: number };
  /** The upper carriage turns to and fro by this angle within `periodS`. */
  readonly swing?: { readonly deg: number; readonly periodS: number };
}

/** Idle load, percent: 5 +- 1.5; below the 10 % that counts as work. */
const IDLE = { mean: 5, amplitude: 1.5, periodS: 70 };

/** Staying at `point` for `durationS`. */
export function stand(
  name: string,
  startMs: number,
  durationS: number,
  pose: { readonly point: Point; readonly headingDeg: number; readonly payloadKg: number },
  manner: Manner,
): Activity {
  const durationMs = Math.max(1, Math.round(durationS * 1_000));
  const off = manner.engine === "off";
  const load = typeof manner.engine === "object" ? manner.engine : IDLE;
  return {
    name,
    startMs,
    endMs: startMs + durationMs,
    engineOn: !off,
    working: typeof manner.engine === "object",
    moving: false,
    motionAt(timeMs) {
      const elapsedMs = Math.min(durationMs, Math.max(0, timeMs - startMs));
      const wave = (periodS: number) => Math.sin((2 * Math.PI * elapsedMs) / 1_000 / periodS);
      const swungDeg = manner.swing ? manner.swing.deg * wave(manner.swing.periodS) : 0;
      return {
        point: pose.point,
        speedMps: 0,
        headingDeg: (pose.headingDeg + swungDeg + 360) % 360,
        loadPercent: off ? 0 : load.mean + load.amplitude * wave(load.periodS),
        payloadKg: payloadAt(manner.payload, elapsedMs / durationMs) ?? pose.payloadKg,
      };
    },
  };
}

function payloadAt(payload: Manner["payload"], share: number): number | undefined {
  if (payload === undefined) return undefined;
  const done = share >= 1 ? 1 : Math.floor(share * payload.steps) / payload.steps;
  return payload.fromKg + (payload.toKg - payload.fromKg) * done;
}

/** Driving a planned trip with the engine under load. */
export function drive(name: string, startMs: number, trip: Trip, payloadKg: number): Activity {
  const durationMs = Math.max(1, Math.round(trip.durationS * 1_000));
  // A full 40 t dumper works its engine about twice as hard as an empty one.
  const baseLoad = 30 + Math.min(35, payloadKg / 1_000);
  return {
    name,
    startMs,
    endMs: startMs + durationMs,
    engineOn: true,
    working: true,
    moving: true,
    motionAt(timeMs) {
      const elapsedS = Math.min(durationMs, Math.max(0, timeMs - startMs)) / 1_000;
      return {
        ...trip.at(elapsedS),
        loadPercent: baseLoad + 12 * Math.sin(elapsedS / 6),
        payloadKg,
      };
    },
  };
}
