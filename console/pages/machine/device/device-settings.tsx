import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Failure } from "../../../api/failure.ts";
import { may } from "../../../api/session-state.ts";
import { t } from "../../../i18n/t.ts";
import { Conflict } from "../../../parts/conflict.tsx";
import { Fact } from "../../../parts/facts.tsx";
import { Field, TextField } from "../../../parts/field.tsx";
import { FailureNotice } from "../../../parts/notices.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { Select } from "../../../parts/select.tsx";
import { DECODERS } from "../../register/decoders.ts";
import { changeAsset, readAsset, type TaggedAsset } from "../tagged-asset.ts";
import {
  afterRead,
  changeOf,
  filledFrom,
  formOf,
  isSameForm,
  type SettingsForm,
} from "./settings-form.ts";

interface DeviceSettingsProps {
  /** As it was read last. */
  readonly tagged: TaggedAsset;
  readonly onChange: () => void;
}

/** Format and hardware id of the device; a change holds for the next message. */
export function DeviceSettings({ tagged, onChange }: DeviceSettingsProps) {
  const { asset } = tagged;
  return (
    <section class="card" aria-labelledby="device-settings">
      <h2 id="device-settings">{t("device.settings")}</h2>
      {may("equipment:write") ? (
        <SettingsEditor tagged={tagged} onChange={onChange} />
      ) : (
        <dl class="facts">
          <Fact name={t("device.decoder")}>{asset.decoder}</Fact>
          <Fact name={t("device.hardware")}>{asset.hardware_id ?? t("device.none")}</Fact>
        </dl>
      )}
    </section>
  );
}

function SettingsEditor({ tagged, onChange }: DeviceSettingsProps) {
  const editing = useSignal(filledFrom(tagged));
  const theirs = useSignal<TaggedAsset | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const isSaved = useSignal(false);
  const isSending = useSignal(false);

  useEffect(() => {
    editing.value = afterRead(editing.peek(), tagged);
  }, [tagged]);

  function change(part: Partial<SettingsForm>) {
    const { base, form } = editing.peek();
    editing.value = { base, form: { ...form, ...part } };
    isSaved.value = false;
  }

  async function save() {
    const { base, form } = editing.peek();
    if (isSending.peek()) return;
    isSending.value = true;
    const outcome = await changeAsset(base, changeOf(base.asset, form));
    isSending.value = false;
    failure.value = undefined;
    if ("value" in outcome) saved(outcome.value, form);
    else if (outcome.failure.status === 412) await meet(base);
    else failure.value = outcome.failure;
  }

  function saved(stored: TaggedAsset, sent: SettingsForm) {
    const { form } = editing.peek();
    // What was typed while it was on its way stays.
    editing.value = { base: stored, form: form === sent ? formOf(stored.asset) : form };
    isSaved.value = true;
    onChange();
  }

  /** Somebody else changed the machine. If it is nothing of this form, the change is made of the new state. */
  async function meet({ asset }: TaggedAsset) {
    const outcome = await readAsset(asset.id);
    if ("failure" in outcome) {
      failure.value = outcome.failure;
    } else if (isSameForm(formOf(outcome.value.asset), formOf(asset))) {
      goOnFrom(outcome.value);
      await save();
    } else {
      theirs.value = outcome.value;
    }
  }

  function goOnFrom(base: TaggedAsset) {
    editing.value = { base, form: editing.peek().form };
    theirs.value = undefined;
  }

  const bad = failure.value;
  const { base, form } = editing.value;
  const stored = theirs.value;
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
            value={form.decoder}
            choices={DECODERS.map((one) => [one, one])}
            onChoose={(decoder) => change({ decoder })}
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
        value={form.hardwareId}
        onText={(hardwareId) => change({ hardwareId })}
      />
      {bad === undefined ? null : <FailureNotice failure={bad} />}
      {stored === undefined ? null : (
        <Conflict
          title={t("device.conflict")}
          storedAt={stored.asset.updated_at}
          rows={[
            [t("device.decoder"), form.decoder, stored.asset.decoder],
            [
              t("device.hardware"),
              form.hardwareId.trim() || t("device.none"),
              stored.asset.hardware_id ?? t("device.none"),
            ],
          ]}
          onMine={() => {
            goOnFrom(stored);
            void save();
          }}
          onTheirs={() => {
            editing.value = filledFrom(stored);
            theirs.value = undefined;
          }}
        />
      )}
      <button
        type="submit"
        disabled={isSameForm(form, formOf(base.asset)) || isSending.value || stored !== undefined}
      >
        {t("device.save")}
      </button>
      <p role="status">{isSaved.value ? t("device.saved") : null}</p>
    </form>
  );
}
