import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Failure } from "../../api/failure.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { FailureNotice, Loading } from "../../parts/notices.tsx";
import { projectId } from "../../state/project.ts";
import { type AlertChoice, isAll } from "./choice.ts";
import { acknowledgeMatching, countMatching, type MatchCount } from "./requests.ts";

/** Longest note that the API takes, characters. */
export const NOTE_LENGTH = 1_000;

interface AcknowledgeAllProps {
  readonly choice: AlertChoice;
  readonly onDone: (count: number) => void;
  readonly onClose: () => void;
}

/** Acknowledges all open alerts that match, also those that the list has no room for. */
export function AcknowledgeAll({ choice, onDone, onClose }: AcknowledgeAllProps) {
  const count = useSignal<MatchCount | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const note = useSignal("");
  const isBusy = useSignal(false);
  const keyOf = useRepeatKey();

  useEffect(() => {
    void countMatching(choice, projectId.peek()).then((outcome) => {
      if ("value" in outcome) count.value = outcome.value;
      else failure.value = outcome.failure;
    });
  }, []);

  async function send() {
    const { readAt } = count.peek() ?? {};
    if (readAt === undefined || isBusy.peek()) return;
    isBusy.value = true;
    const text = note.peek().trim();
    const key = keyOf([choice, projectId.peek(), readAt, text]);
    const outcome = await acknowledgeMatching(choice, projectId.peek(), readAt, text, key);
    isBusy.value = false;
    if ("value" in outcome) onDone(outcome.value);
    else failure.value = outcome.failure;
  }

  const total = count.value?.total;
  return (
    <Dialog title={t("alerts.all_title")} onClose={onClose}>
      {total === undefined && failure.value === undefined ? <Loading /> : null}
      {total === undefined ? null : (
        <p>
          {tn("alerts.matching", total)} {t(isAll(choice) ? "alerts.no_filter" : "alerts.filtered")}{" "}
          {t("alerts.all_until", { time: show.clock(Date.parse(count.value?.readAt ?? "")) })}
        </p>
      )}
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <TextField
          name={t("alerts.note")}
          maxLength={NOTE_LENGTH}
          value={note.value}
          onText={(text) => {
            note.value = text;
          }}
        />
        <div class="tool-row">
          <button type="button" onClick={onClose}>
            {t("fences.cancel")}
          </button>
          <button type="submit" class="main" disabled={(total ?? 0) === 0 || isBusy.value}>
            {tn("alerts.acknowledge", total ?? 0)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
