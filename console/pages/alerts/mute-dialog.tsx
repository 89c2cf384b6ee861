import { useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import type { Alert } from "../../api/live-messages.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { serviceNow } from "../../api/service-clock.ts";
import { t } from "../../i18n/t.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { ALERT_TYPES, eventWords } from "../../parts/event-words.ts";
import { Field, TextField } from "../../parts/field.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { Select } from "../../parts/select.tsx";
import { TimeField } from "../../parts/time-field.tsx";
import { machineName } from "../../state/machines.ts";
import { zone } from "../../state/zone.ts";
import { wallText } from "../../time/zone.ts";
import { NOTE_LENGTH } from "./acknowledge-all.tsx";
import { createMute, type NewAlertMute } from "./requests.ts";
import { MUTE_HOURS, untilOf } from "./until.ts";

interface MuteDialogProps {
  /** The alert whose rule and machine are to be muted. */
  readonly alert: Alert;
  readonly onMuted: () => void;
  readonly onClose: () => void;
}

/** Mutes a rule for a machine until a time. */
export function MuteDialog({ alert, onMuted, onClose }: MuteDialogProps) {
  const hours = useSignal<string>(String(MUTE_HOURS[0]));
  const time = useSignal(wallText(serviceNow() + 3_600_000, zone.peek()));
  const isFence = useSignal(alert.geofence_id !== undefined);
  const isCritical = useSignal(alert.severity === "critical");
  const note = useSignal("");
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);
  const keyOf = useRepeatKey();

  async function mute() {
    const { asset_id, geofence_id } = alert;
    const type = ALERT_TYPES.find((one) => one === alert.type);
    const untilMs = untilOf(hours.peek(), time.peek(), serviceNow(), zone.peek());
    if (asset_id === undefined || type === undefined || isBusy.peek()) return;
    if (untilMs === undefined) {
      failure.value = { status: 400, message: t("mutes.until_wrong") };
      return;
    }
    const body: NewAlertMute = {
      asset_id,
      type,
      ...(isFence.peek() && geofence_id !== undefined ? { geofence_id } : {}),
      max_severity: isCritical.peek() ? "critical" : "warning",
      until: new Date(untilMs).toISOString(),
      ...(note.peek().trim() === "" ? {} : { note: note.peek().trim() }),
    };
    isBusy.value = true;
    const outcome = await createMute(body, keyOf({ ...body, until: [hours.peek(), time.peek()] }));
    isBusy.value = false;
    if ("value" in outcome) onMuted();
    else failure.value = outcome.failure;
  }

  return (
    <Dialog
      title={t("mutes.title", {
        rule: eventWords(alert.type),
        machine: machineName(alert.asset_id ?? ""),
      })}
      onClose={onClose}
    >
      <p class="muted small">{t("mutes.hint")}</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void mute();
        }}
      >
        <Field name={t("mutes.until")}>
          {(control) => (
            <Select
              {...control}
              value={hours.value}
              choices={[
                ...MUTE_HOURS.map((one) => [String(one), t(`mutes.hours.${one}`)] as const),
                ["", t("mutes.at")],
              ]}
              onChoose={(chosen) => {
                hours.value = chosen;
              }}
            />
          )}
        </Field>
        {hours.value === "" ? (
          <TimeField
            name={t("mutes.time")}
            hint={t("mutes.time_hint")}
            required
            value={time.value}
            onText={(text) => {
              time.value = text;
            }}
          />
        ) : null}
        {alert.geofence_id === undefined ? null : (
          <label class="check">
            <input
              type="checkbox"
              checked={isFence.value}
              onChange={(event) => {
                isFence.value = event.currentTarget.checked;
              }}
            />
            {t("mutes.this_fence")}
          </label>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={isCritical.value}
            onChange={(event) => {
              isCritical.value = event.currentTarget.checked;
            }}
          />
          {t("mutes.critical")}
        </label>
        <TextField
          name={t("alerts.note")}
          maxLength={NOTE_LENGTH}
          value={note.value}
          onText={(text) => {
            note.value = text;
          }}
        />
        {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
        <div class="tool-row">
          <button type="button" onClick={onClose}>
            {t("fences.cancel")}
          </button>
          <button type="submit" class="main" disabled={isBusy.value}>
            {t("mutes.mute")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
