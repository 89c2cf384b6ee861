import { useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Field, TextField } from "../../parts/field.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { problemOf } from "../../parts/problem.ts";
import { Select } from "../../parts/select.tsx";
import { readPercent } from "./read-percent.ts";
import { type Report, sendCorrection } from "./requests.ts";

interface CorrectFormProps {
  readonly report: Report;
  readonly onCorrected: () => void;
}

/** What a person knows better than a report; it makes the report's next revision, and the old one stays. */
export function CorrectForm({ report, onCorrected }: CorrectFormProps) {
  const zoneId = useSignal(report.zones[0]?.zone_id ?? "");
  const typed = useSignal("");
  const note = useSignal("");
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);
  const isDone = useSignal(false);
  const keyOf = useRepeatKey();
  const progress = readPercent(typed.value);
  const isWrong = typed.value !== "" && progress === undefined;

  async function send() {
    if (progress === undefined || isBusy.peek()) return;
    const text = note.peek().trim();
    const body = {
      zones: [{ zone_id: zoneId.peek(), progress }],
      ...(text === "" ? {} : { note: text }),
    };
    isBusy.value = true;
    const outcome = await sendCorrection(report.id, body, keyOf({ report: report.id, ...body }));
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    isDone.value = "value" in outcome;
    if ("failure" in outcome) return;
    typed.value = "";
    note.value = "";
    onCorrected();
  }

  return (
    <details class="no-print">
      <summary>{t("progress.correct")}</summary>
      <form
        class="stack narrow"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p class="muted small">{t("progress.correct_hint")}</p>
        <Field name={t("progress.zone")}>
          {(control) => (
            <Select
              {...control}
              value={zoneId.value}
              choices={report.zones.map((zone) => [
                zone.zone_id,
                t("progress.zone_at", { zone: zone.name, percent: show.tenth(zone.progress) }),
              ])}
              onChoose={(chosen) => {
                zoneId.value = chosen;
              }}
            />
          )}
        </Field>
        <TextField
          name={t("progress.correct_percent")}
          error={
            isWrong ? t("progress.percent_range") : problemOf(failure.value, "zones[0].progress")
          }
          inputMode="decimal"
          autocomplete="off"
          value={typed.value}
          onText={(text) => {
            typed.value = text;
          }}
        />
        <TextField
          name={t("progress.correct_note")}
          maxLength={2_000}
          value={note.value}
          onText={(text) => {
            note.value = text;
          }}
        />
        {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
        {isDone.value ? <p role="status">{t("progress.correct_done")}</p> : null}
        <button type="submit" class="main start" disabled={progress === undefined || isBusy.value}>
          {t("progress.correct_send")}
        </button>
      </form>
    </details>
  );
}
