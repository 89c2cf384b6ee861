import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Span } from "../time/span.ts";

/** How much faster than the clock; 60 shows an hour in a minute. */
export const RATES = [1, 2, 5, 10, 30, 60] as const;

/** Longest step of the clock between two pictures, ms: a tab that comes to the front does not jump. */
const LONGEST_STEP_MS = 600;
/** Between two pictures where the person asked for less motion, ms. */
const STILL_STEP_MS = 500;

/** Goes through a range of time. */
export interface Playback {
  /** The time that is shown, ms since the Unix epoch; whoever sets it scrubs. */
  readonly at: Signal<number | undefined>;
  readonly isPlaying: ReadonlySignal<boolean>;
  readonly rate: Signal<number>;
  /** Begins or pauses; at the end of the range it begins again at its start. */
  readonly toggle: () => void;
  readonly close: () => void;
}

/** Calls back before the next picture, with the time by a clock, ms; yields what cancels it. */
type NextPicture = (draw: (nowMs: number) => void) => () => void;

/** The browser's pictures; where less motion is asked for, two a second. */
export function nextPicture(isStill: boolean): NextPicture {
  if (isStill) {
    return (draw) => {
      const timer = setTimeout(() => draw(performance.now()), STILL_STEP_MS);
      return () => clearTimeout(timer);
    };
  }
  return (draw) => {
    const frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  };
}

export function createPlayback({ fromMs, toMs }: Span, atMs: number, next: NextPicture): Playback {
  const at = signal<number | undefined>(atMs);
  const isPlaying = signal(false);
  const rate = signal<number>(10);
  let cancel = () => {};
  let beforeMs: number | undefined;

  const draw = (nowMs: number) => {
    const step = Math.min(LONGEST_STEP_MS, nowMs - (beforeMs ?? nowMs));
    beforeMs = nowMs;
    const place = (at.peek() ?? fromMs) + step * rate.peek();
    at.value = Math.min(toMs, place);
    if (place >= toMs) pause();
    else cancel = next(draw);
  };
  const pause = () => {
    cancel();
    isPlaying.value = false;
  };
  return {
    at,
    isPlaying,
    rate,
    toggle() {
      if (isPlaying.peek()) return pause();
      if ((at.peek() ?? fromMs) >= toMs) at.value = fromMs;
      beforeMs = undefined;
      isPlaying.value = true;
      cancel = next(draw);
    },
    close: pause,
  };
}
