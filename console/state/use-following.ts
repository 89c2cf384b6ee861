import { type Signal, useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import type { Outcome } from "../api/outcome.ts";

/**
 * Pause after the last change before the service is asked, ms. A shorter one asks for corners that the pointer only
 * passes; with a longer one the figure visibly lags behind the hand.
 */
const PAUSE_MS = 250;

/** An answer that follows something that changes all the time, such as what a pointer draws. */
export interface Following<T> {
  /** The newest answer; it stays while another one is asked for. */
  readonly data: Signal<T | undefined>;
  /** Of the newest request; `undefined`: it went well, or nothing was asked yet. */
  readonly failure: Signal<Failure | undefined>;
  /** Whether `data` is not the answer about what is there now. */
  readonly isBehind: Signal<boolean>;
  /** Asks again at once. */
  readonly again: () => void;
}

/**
 * Asks about the newest state once it rests, and gives up what it asked about an earlier one: the service stops that
 * work, and no late answer replaces a newer one. Nothing is asked where `about` is `undefined`.
 */
export function useFollowing<T>(
  about: string | undefined,
  ask: (signal: AbortSignal) => Promise<Outcome<T>>,
): Following<T> {
  const data = useSignal<T | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const isBehind = useSignal(false);
  const running = useRef<AbortController | undefined>(undefined);
  const latestAsk = useRef(ask);
  latestAsk.current = ask;

  const send = useCallback(async () => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    isBehind.value = true;
    const outcome = await latestAsk.current(own.signal);
    if (own.signal.aborted) return;
    isBehind.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    // A figure of another drawing beside a failure would be taken for this one's.
    data.value = "value" in outcome ? outcome.value : undefined;
  }, [data, failure, isBehind]);

  useEffect(() => {
    failure.value = undefined;
    isBehind.value = about !== undefined;
    if (about === undefined) {
      data.value = undefined;
      return undefined;
    }
    const timer = setTimeout(() => void send(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [about, send, data, failure, isBehind]);

  return { data, failure, isBehind, again: () => void send() };
}
