import { useSignal } from "@preact/signals";
import type { operations } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import type { Failure } from "../../../api/failure.ts";
import { outcomeOf } from "../../../api/outcome.ts";
import { useRepeatKey } from "../../../api/repeat-key.ts";
import { t } from "../../../i18n/t.ts";
import { Field, TextField } from "../../../parts/field.tsx";
import { FailureNotice } from "../../../parts/notices.tsx";
import { problemOf } from "../../../parts/problem.ts";

type NewCommand = operations["createCommand"]["requestBody"]["content"]["application/json"];

interface CommandFormProps {
  readonly assetId: string;
  readonly onSent: () => void;
}

/** A new command, in the words of the device. */
export function CommandForm({ assetId, onSent }: CommandFormProps) {
  const name = useSignal("");
  const parameters = useSignal("");
  const isOnce = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const isSending = useSignal(false);
  const keyOf = useRepeatKey();

  async function send() {
    if (isSending.peek()) return;
    const text = parameters.peek().trim();
    const body: NewCommand = {
      name: name.peek().trim(),
      ...(text === "" ? {} : { parameters: jsonOrText(text) }),
      ...(isOnce.peek() ? { max_attempts: 1 } : {}),
    };
    isSending.value = true;
    const outcome = await outcomeOf(
      api.POST("/api/v1/equipment/assets/{asset_id}/commands", {
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
    name.value = "";
    parameters.value = "";
    onSent();
  }

  const bad = failure.value;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextField
        name={t("command.name")}
        error={problemOf(bad, "name")}
        required
        maxLength={200}
        spellcheck={false}
        value={name.value}
        onText={(text) => {
          name.value = text;
        }}
      />
      <Field name={t("command.parameters")} error={problemOf(bad, "parameters")}>
        {(names) => (
          <textarea
            {...names}
            class="code"
            rows={2}
            spellcheck={false}
            placeholder='{"seconds":10}'
            value={parameters.value}
            onInput={(event) => {
              parameters.value = event.currentTarget.value;
            }}
          />
        )}
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={isOnce.value}
          onChange={(event) => {
            isOnce.value = event.currentTarget.checked;
          }}
        />
        {t("command.once")}
      </label>
      <p class="muted small">{t("command.once_hint")}</p>
      {bad === undefined ? null : <FailureNotice failure={bad} />}
      <button type="submit" class="main" disabled={isSending.value}>
        {t("command.submit")}
      </button>
    </form>
  );
}

/** What a person typed, as JSON where it is; a Teltonika tracker takes a text. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
