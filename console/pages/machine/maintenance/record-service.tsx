import { useSignal } from "@preact/signals";
import type { components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import type { Failure } from "../../../api/failure.ts";
import { outcomeOf } from "../../../api/outcome.ts";
import { useRepeatKey } from "../../../api/repeat-key.ts";
import { t } from "../../../i18n/t.ts";
import { Field, TextField } from "../../../parts/field.tsx";
import { FailureNotice } from "../../../parts/notices.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { QuantityField } from "../../../parts/quantity-field.tsx";
import { Select } from "../../../parts/select.tsx";
import { TimeField } from "../../../parts/time-field.tsx";
import { zone } from "../../../state/zone.ts";
import { readTime } from "../../../time/zone.ts";

type NewService = components["schemas"]["NewService"];

/** Longest note that the API takes, characters. */
const NOTE_LENGTH = 2_000;

interface RecordServiceProps {
  readonly assetId: string;
  readonly services: readonly components["schemas"]["ServiceStatus"][];
  readonly onRecorded: () => void;
}

/** A service that was done. Its interval begins anew. */
export function RecordService({ assetId, services, onRecorded }: RecordServiceProps) {
  const item = useSignal(services[0]?.item ?? "");
  const at = useSignal("");
  const hours = useSignal("");
  const km = useSignal<number | undefined>(undefined);
  const note = useSignal("");
  const failure = useSignal<Failure | undefined>(undefined);
  const isSending = useSignal(false);
  const recorded = useSignal<string | undefined>(undefined);
  const keyOf = useRepeatKey();

  async function send() {
    const servicedMs = readTime(at.peek(), zone.peek()).ms;
    // The field says what is wrong with the time.
    if (isSending.peek() || (at.peek() !== "" && Number.isNaN(servicedMs))) return;
    const odometerKm = km.peek();
    if (Number.isNaN(odometerKm)) return;
    const body: NewService = {
      item: item.peek(),
      ...(at.peek() === "" ? {} : { serviced_at: new Date(servicedMs).toISOString() }),
      ...(hours.peek() === "" ? {} : { engine_hours: Number(hours.peek()) }),
      ...(odometerKm === undefined ? {} : { odometer_km: odometerKm }),
      ...(note.peek().trim() === "" ? {} : { note: note.peek().trim() }),
    };
    isSending.value = true;
    recorded.value = undefined;
    const outcome = await outcomeOf(
      api.POST("/api/v1/equipment/assets/{asset_id}/services", {
        params: {
          path: { asset_id: assetId },
          header: { "Idempotency-Key": keyOf(body) },
        },
        body,
      }),
    );
    isSending.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if (!("value" in outcome)) return;
    keyOf.done();
    recorded.value = services.find((one) => one.item === body.item)?.name ?? body.item;
    for (const field of [at, hours, note]) field.value = "";
    km.value = undefined;
    onRecorded();
  }

  const bad = failure.value;
  return (
    <section class="card" aria-labelledby="record-service">
      <h2 id="record-service">{t("service.record")}</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Field name={t("service.item")} error={problemOf(bad, "item")}>
          {(names) => (
            <Select
              {...names}
              value={item.value}
              choices={services.map((one) => [one.item, one.name])}
              onChoose={(chosen) => {
                item.value = chosen;
              }}
            />
          )}
        </Field>
        <TimeField
          name={t("service.at")}
          hint={t("service.at_hint")}
          error={problemOf(bad, "serviced_at")}
          value={at.value}
          onText={(text) => {
            at.value = text;
          }}
        />
        <div class="field-row">
          <TextField
            name={t("service.hours")}
            hint={t("service.hours_hint")}
            error={problemOf(bad, "engine_hours")}
            type="number"
            min={0}
            step="any"
            value={hours.value}
            onText={(text) => {
              hours.value = text;
            }}
          />
          <QuantityField
            quantity="distance"
            name={t("service.km")}
            error={Number.isNaN(km.value) ? t("quantity.wrong") : problemOf(bad, "odometer_km")}
            value={km.value}
            onValue={(value) => {
              km.value = value;
            }}
          />
        </div>
        <Field name={t("service.note")} error={problemOf(bad, "note")}>
          {(names) => (
            <textarea
              {...names}
              rows={2}
              maxLength={NOTE_LENGTH}
              value={note.value}
              onInput={(event) => {
                note.value = event.currentTarget.value;
              }}
            />
          )}
        </Field>
        {bad === undefined ? null : <FailureNotice failure={bad} />}
        <button type="submit" class="main" disabled={isSending.value}>
          {t("service.submit")}
        </button>
        <p role="status">
          {recorded.value === undefined ? null : t("service.recorded", { name: recorded.value })}
        </p>
      </form>
    </section>
  );
}
