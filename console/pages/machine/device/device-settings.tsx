import { useSignal } from "@preact/signals";
import { api } from "../../../api/client.ts";
import type { Failure } from "../../../api/failure.ts";
import { outcomeOf } from "../../../api/outcome.ts";
import { may } from "../../../api/session-state.ts";
import { t } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";
import { Field, TextField } from "../../../parts/field.tsx";
import { FailureNotice } from "../../../parts/notices.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { Select } from "../../../parts/select.tsx";
import { DECODERS, type Decoder } from "../../register/decoders.ts";
import type { TabProps } from "../tab.ts";

/** Format and hardware id of the device; a change holds for the next message. */
export function DeviceSettings({ asset, onChange }: Pick<TabProps, "asset" | "onChange">) {
  return (
    <section class="card" aria-labelledby="device-settings">
      <h2 id="device-settings">{t("device.settings")}</h2>
      {may("equipment:write") ? (
        <SettingsForm key={asset.updated_at} asset={asset} onChange={onChange} />
      ) : (
        <dl class="facts">
          <Fact name={t("device.decoder")}>{asset.decoder}</Fact>
          <Fact name={t("device.hardware")}>{asset.hardware_id ?? t("device.none")}</Fact>
        </dl>
      )}
    </section>
  );
}

function SettingsForm({ asset, onChange }: Pick<TabProps, "asset" | "onChange">) {
  const decoder = useSignal<Decoder>(asset.decoder);
  const hardwareId = useSignal(asset.hardware_id ?? "");
  const failure = useSignal<Failure | undefined>(undefined);
  const isSaved = useSignal(false);

  async function save() {
    const hardware = hardwareId.peek().trim();
    const outcome = await outcomeOf(
      api.PATCH("/api/v1/equipment/assets/{asset_id}", {
        params: { path: { asset_id: asset.id } },
        body: {
          ...(decoder.peek() === asset.decoder ? {} : { decoder: decoder.peek() }),
          ...(hardware === (asset.hardware_id ?? "")
            ? {}
            : { hardware_id: hardware === "" ? null : hardware }),
        },
      }),
    );
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    isSaved.value = "value" in outcome;
    if (isSaved.peek()) onChange();
  }

  const bad = failure.value;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field name={t("device.decoder")} error={problemOf(bad, "decoder")}>
        {(names) => (
          <Select
            {...names}
            value={decoder.value}
            choices={DECODERS.map((one) => [one, one])}
            onChoose={(chosen) => {
              decoder.value = chosen;
            }}
          />
        )}
      </Field>
      <TextField
        name={t("device.hardware")}
        hint={t("register.hardware_hint")}
        error={problemOf(bad, "hardware_id")}
        maxLength={128}
        spellcheck={false}
        autocapitalize="off"
        value={hardwareId.value}
        onText={(text) => {
          hardwareId.value = text;
        }}
      />
      {bad === undefined ? null : <FailureNotice failure={bad} />}
      <button
        type="submit"
        disabled={
          decoder.value === asset.decoder && hardwareId.value.trim() === (asset.hardware_id ?? "")
        }
      >
        {t("device.save")}
      </button>
      <p role="status">{isSaved.value ? t("device.saved") : null}</p>
    </form>
  );
}
