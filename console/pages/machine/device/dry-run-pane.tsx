import { type Signal, useSignal } from "@preact/signals";
import type { components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import type { Failure } from "../../../api/failure.ts";
import { outcomeOf } from "../../../api/outcome.ts";
import { t } from "../../../i18n/t.ts";
import { Field } from "../../../parts/field.tsx";
import { FailureNotice } from "../../../parts/notices.tsx";
import { Select } from "../../../parts/select.tsx";
import { DECODERS, type Decoder } from "../../register/decoders.ts";
import type { AssetDetail } from "../tab.ts";
import { DryRunAnswer } from "./dry-run-answer.tsx";
import type { Payload } from "./payload.ts";

type DryRun = components["schemas"]["DryRun"];

interface DryRunPaneProps {
  readonly asset: AssetDetail;
  readonly payload: Signal<Payload>;
}

/** Shows what a pasted message would become, in the format of the device or another one. */
export function DryRunPane({ asset, payload }: DryRunPaneProps) {
  const decoder = useSignal<Decoder>(asset.decoder);
  const answer = useSignal<DryRun | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const isAsking = useSignal(false);

  async function run() {
    if (isAsking.peek()) return;
    isAsking.value = true;
    const outcome = await outcomeOf(api.POST("/api/v1/equipment/dry-run", { body: requestOf() }));
    isAsking.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    answer.value = "value" in outcome ? outcome.value : undefined;
  }

  function requestOf(): components["schemas"]["DryRunRequest"] {
    const { encoding, text } = payload.peek();
    const format = decoder.peek();
    const { decoder_options: options } = asset;
    return {
      decoder: format,
      // Options are of the format that they were registered with.
      ...(options === undefined || format !== asset.decoder ? {} : { decoder_options: options }),
      ...(format === "mapping" ? { asset_type: asset.type } : {}),
      ...(encoding === "text"
        ? { payload_text: text }
        : { payload_base64: text.replaceAll(/\s/g, "") }),
    };
  }

  // A message that is nothing of this format is a wrong request, and as a message of a device it is refused.
  const unreadable =
    failure.value?.status === 400 && failure.value.details === undefined
      ? failure.value.message
      : undefined;

  return (
    <section class="card" aria-labelledby="dry-run">
      <h2 id="dry-run">{t("dry.title")}</h2>
      <p class="muted small">{t("dry.hint")}</p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Field name={t("dry.payload")}>
          {(names) => (
            <textarea
              {...names}
              class="code"
              rows={6}
              required
              spellcheck={false}
              value={payload.value.text}
              onInput={(event) => {
                payload.value = { ...payload.peek(), text: event.currentTarget.value };
              }}
            />
          )}
        </Field>
        <div class="field-row">
          <Field name={t("device.decoder")}>
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
          <Field name={t("dry.encoding")}>
            {(names) => (
              <Select
                {...names}
                value={payload.value.encoding}
                choices={[
                  ["text", t("dry.text")],
                  ["base64", t("dry.base64")],
                ]}
                onChoose={(encoding) => {
                  payload.value = { ...payload.peek(), encoding };
                }}
              />
            )}
          </Field>
        </div>
        <button type="submit" class="main" disabled={isAsking.value}>
          {t("dry.submit")}
        </button>
      </form>
      {failure.value === undefined || unreadable !== undefined ? null : (
        <FailureNotice failure={failure.value} />
      )}
      <div role="status">
        {unreadable === undefined ? null : (
          <p class="notice notice-bad">{t("dry.refused", { reason: unreadable })}</p>
        )}
        {answer.value === undefined ? null : <DryRunAnswer answer={answer.value} />}
      </div>
    </section>
  );
}
