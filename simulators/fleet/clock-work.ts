import { setImmediate as breathe, setTimeout as delay } from "node:timers/promises";
import type { AssetRun, Due } from "./asset-run.ts";

/** How the world is driven. */
export interface ClockWork {
  readonly assets: readonly AssetRun[];
  readonly startMs: number;
  readonly endMs: number;
  /** When, by the real clock, the simulated time was or is `startMs`; ms since the Unix epoch. */
  readonly beganMs: number;
  /** Simulated seconds per second; `Infinity`: as fast as `hasRoom` allows. */
  readonly speedup: number;
  /** Whether more may be sent now; when not, the simulated time stops. */
  readonly hasRoom: () => boolean;
  readonly send: (due: Due) => void;
  readonly signal: AbortSignal;
  /** Called at every step of the simulated time. */
  readonly onTime: (simulatedMs: number) => void;
}

/**
 * Longest stretch without letting the sockets work, ms. Longer delays acknowledgements, shorter spends time on
 * turns.
 */
const SLICE_MS = 15;
/** Longest wait, ms: how late a signal or a change of room may be noticed. */
const LONGEST_WAIT_MS = 50;

/**
 * Lets the world live from `startMs` to `endMs`, second by second, and sends every reading at its
 * own simulated time. Resolves with the simulated time reached: `endMs`, or at the signal the end of
 * the second that was under way.
 */
export async function runClockWork(work: ClockWork): Promise<number> {
  let worldMs = work.startMs;
  let due: Due[] = [];
  let next = 0;
  let sliceMs = Date.now();
  const targetMs = () => work.startMs + (Date.now() - work.beganMs) * work.speedup;
  for (;;) {
    const item = due[next];
    // After the signal the second that was lived already is still sent: its readings are made.
    const isLast = work.signal.aborted || worldMs >= work.endMs;
    if (item === undefined && isLast) return worldMs;
    const atMs = item?.atMs ?? worldMs;
    const isPaced = Number.isFinite(work.speedup);
    const earlyMs = isPaced ? (atMs - targetMs()) / work.speedup : 0;
    if (earlyMs > 0 || !(work.signal.aborted || work.hasRoom())) {
      await delay(Math.min(LONGEST_WAIT_MS, Math.max(1, earlyMs)));
      sliceMs = Date.now();
      continue;
    }
    if (item === undefined) {
      worldMs = Math.min(work.endMs, worldMs + 1_000);
      const at = worldMs;
      due = work.assets.flatMap((asset) => asset.step(at)).sort((a, b) => a.atMs - b.atMs);
      next = 0;
    } else {
      work.send(item);
      next += 1;
    }
    work.onTime(atMs);
    if (Date.now() - sliceMs > SLICE_MS) {
      await breathe();
      sliceMs = Date.now();
    }
  }
}
