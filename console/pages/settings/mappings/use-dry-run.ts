import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Failure } from "../../../api/failure.ts";
import { type DryRun, type PayloadMapping, tryMapping } from "./requests.ts";

/**
 * Pause after the last key until a message is tried, ms. Shorter sends a request for each letter of who types fast;
 * longer feels like a page that does not answer.
 */
const PAUSE_MS = 400;

interface LiveDryRun {
  readonly answer: Signal<DryRun | undefined>;
  readonly failure: Signal<Failure | undefined>;
  /** What is shown is of an older text. */
  readonly isOld: Signal<boolean>;
}

/** Tries a message by a mapping each time that one of them changes; without a message, nothing is tried. */
export function useDryRun(mapping: PayloadMapping, payload: string): LiveDryRun {
  const answer = useSignal<DryRun | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const isOld = useSignal(false);
  const text = JSON.stringify(mapping);

  useEffect(() => {
    if (payload.trim() === "") {
      answer.value = undefined;
      failure.value = undefined;
      isOld.value = false;
      return undefined;
    }
    isOld.value = true;
    let isLeft = false;
    const timer = setTimeout(async () => {
      const outcome = await tryMapping(mapping, payload);
      if (isLeft) return;
      answer.value = "value" in outcome ? outcome.value : undefined;
      failure.value = "failure" in outcome ? outcome.failure : undefined;
      isOld.value = false;
    }, PAUSE_MS);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [text, payload]);

  return { answer, failure, isOld };
}
