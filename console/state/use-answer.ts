import { type Signal, useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import type { Outcome } from "../api/outcome.ts";

/** What a part of a page shows of a request that it makes again and again. */
export interface Answer<T> {
  /** The newest answer; stays while a later request fails. */
  readonly data: Signal<T | undefined>;
  /** Of the newest request; `undefined`: it went well. */
  readonly failure: Signal<Failure | undefined>;
  /** Asks again now. */
  readonly read: () => Promise<void>;
}

/**
 * Asks at the start, when `about` changes, and every `everyMs` while the page is looked at. An answer about something
 * that was left meanwhile is dropped.
 */
export function useAnswer<T>(
  load: () => Promise<Outcome<T>>,
  about: string,
  everyMs?: number,
): Answer<T> {
  const data = useSignal<T | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const newest = useRef(0);
  const waiting = useRef(false);
  const latestLoad = useRef(load);
  latestLoad.current = load;

  const read = useCallback(async () => {
    newest.current += 1;
    const own = newest.current;
    waiting.current = true;
    const outcome = await latestLoad.current();
    if (own !== newest.current) return;
    waiting.current = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) data.value = outcome.value;
  }, [data, failure]);

  useEffect(() => {
    data.value = undefined;
    failure.value = undefined;
    void read();
    const timer =
      everyMs === undefined
        ? undefined
        : setInterval(() => {
            // An answer that takes longer than the pause is waited for: another question would drop it.
            if (document.visibilityState === "visible" && !waiting.current) void read();
          }, everyMs);
    return () => {
      newest.current += 1;
      clearInterval(timer);
    };
  }, [about, everyMs, read, data, failure]);

  return { data, failure, read };
}
