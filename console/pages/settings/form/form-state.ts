import { type Signal, useSignal } from "@preact/signals";
import type { Failure } from "../../../api/failure.ts";
import type { Outcome } from "../../../api/outcome.ts";
import { useRepeatKey } from "../../../api/repeat-key.ts";
import type { Tagged } from "./tagged.ts";

/** How a form of a thing is filled, sent and read again; `T` is the stored thing, `F` the form, `A` the answer. */
export interface FormSteps<T, F, A> {
  /** As it is stored; absent: a new one is made. */
  readonly stored?: Tagged<T> | undefined;
  readonly empty: F;
  readonly formOf: (value: T) => F;
  readonly readAgain?: (() => Promise<Outcome<Tagged<T>>>) | undefined;
  /** @param key For `Idempotency-Key`, where the request is a POST. */
  readonly send: (form: F, seen: Tagged<T> | undefined, key: string) => Promise<Outcome<A>>;
  readonly onDone: (answer: A) => void;
}

export interface FormState<T, F> {
  readonly form: F;
  readonly failure: Failure | undefined;
  /** As it is stored now, where somebody else changed what the form has. */
  readonly theirs: Tagged<T> | undefined;
  readonly isBusy: boolean;
  readonly change: (part: Partial<F>) => void;
  readonly submit: () => void;
  readonly saveMine: () => void;
  readonly takeTheirs: () => void;
}

/**
 * A form that is sent on the state it was filled from. If somebody else changed that meanwhile (412), the newest state
 * is read: where it differs in nothing that the form has, the change is sent on it, else the person decides.
 */
export function useForm<T, F extends object, A>(steps: FormSteps<T, F, A>): FormState<T, F> {
  const { formOf, readAgain, onDone } = steps;
  const base = useSignal(steps.stored);
  const form = useSignal(steps.stored === undefined ? steps.empty : formOf(steps.stored.value));
  const failure = useSignal<Failure | undefined>(undefined);
  const theirs: Signal<Tagged<T> | undefined> = useSignal(undefined);
  const isBusy = useSignal(false);
  const keyOf = useRepeatKey();

  async function submit() {
    if (isBusy.peek()) return;
    isBusy.value = true;
    failure.value = undefined;
    const body = form.peek();
    const outcome = await steps.send(body, base.peek(), keyOf(body));
    if ("value" in outcome) {
      isBusy.value = false;
      onDone(outcome.value);
    } else if (outcome.failure.status === 412 && readAgain !== undefined) await meet(readAgain);
    else {
      isBusy.value = false;
      failure.value = outcome.failure;
    }
  }

  async function meet(read: NonNullable<typeof readAgain>) {
    const outcome = await read();
    isBusy.value = false;
    if ("failure" in outcome) {
      failure.value = outcome.failure;
      return;
    }
    const before = base.peek();
    const isSame =
      before !== undefined &&
      JSON.stringify(formOf(before.value)) === JSON.stringify(formOf(outcome.value.value));
    if (isSame) {
      base.value = outcome.value;
      await submit();
    } else theirs.value = outcome.value;
  }

  return {
    form: form.value,
    failure: failure.value,
    theirs: theirs.value,
    isBusy: isBusy.value,
    change(part) {
      form.value = { ...form.peek(), ...part };
    },
    submit: () => void submit(),
    saveMine() {
      base.value = theirs.peek();
      theirs.value = undefined;
      void submit();
    },
    takeTheirs() {
      const newest = theirs.peek();
      if (newest === undefined) return;
      base.value = newest;
      form.value = formOf(newest.value);
      theirs.value = undefined;
    },
  };
}
