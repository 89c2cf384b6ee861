import { type Signal, useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { changePile, readPile, type StockpileChange, type TaggedPile } from "./requests.ts";

/** A change of a stockpile that somebody else may have changed meanwhile. */
interface PileChange {
  readonly failure: Signal<Failure | undefined>;
  /** As it is stored now, where it was changed meanwhile. */
  readonly theirs: Signal<TaggedPile | undefined>;
  readonly isBusy: Signal<boolean>;
  /** Sends it on the state that was seen; of 409 or 412, reads what is stored now. */
  readonly send: (seen: TaggedPile, body: StockpileChange) => Promise<void>;
}

export function usePileChange(onDone: () => void): PileChange {
  const failure = useSignal<Failure | undefined>(undefined);
  const theirs = useSignal<TaggedPile | undefined>(undefined);
  const isBusy = useSignal(false);

  async function send(seen: TaggedPile, body: StockpileChange) {
    if (isBusy.peek()) return;
    isBusy.value = true;
    theirs.value = undefined;
    const outcome = await changePile(seen, body);
    const bad = "failure" in outcome ? outcome.failure : undefined;
    if (bad?.status === 409 || bad?.status === 412) {
      const newest = await readPile(seen.pile.id);
      if ("value" in newest) theirs.value = newest.value;
      failure.value = "failure" in newest ? newest.failure : undefined;
    } else failure.value = bad;
    isBusy.value = false;
    if ("value" in outcome) onDone();
  }

  return { failure, theirs, isBusy, send };
}
