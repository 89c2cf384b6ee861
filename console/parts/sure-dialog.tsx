import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Failure } from "../api/failure.ts";
import type { Outcome } from "../api/outcome.ts";
import { t } from "../i18n/t.ts";
import { Dialog } from "./dialog.tsx";
import { FailureNotice } from "./notices.tsx";

interface SureDialogProps<A> {
  readonly title: string;
  /** What follows from it. */
  readonly children: ComponentChildren;
  /** What may be done, each by a button of its own; the last one is the usual one. */
  readonly ways: readonly (readonly [name: string, act: () => Promise<Outcome<A>>])[];
  readonly onDone: (answer: A) => void;
  readonly onClose: () => void;
}

/** Asks before something is done that is not easily undone. */
export function SureDialog<A>({ title, children, ways, onDone, onClose }: SureDialogProps<A>) {
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);

  async function go(act: () => Promise<Outcome<A>>) {
    if (isBusy.peek()) return;
    isBusy.value = true;
    const outcome = await act();
    isBusy.value = false;
    if ("value" in outcome) onDone(outcome.value);
    else failure.value = outcome.failure;
  }

  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      <div class="tool-row">
        <button type="button" onClick={onClose}>
          {t("fences.cancel")}
        </button>
        {ways.map(([name, act], i) => (
          <button
            key={name}
            type="button"
            class={i === ways.length - 1 ? "main" : undefined}
            disabled={isBusy.value}
            onClick={() => void go(act)}
          >
            {name}
          </button>
        ))}
      </div>
    </Dialog>
  );
}
