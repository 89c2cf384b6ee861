import { useSignal } from "@preact/signals";
import type { components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import type { Failure } from "../../../api/failure.ts";
import { outcomeOf } from "../../../api/outcome.ts";
import { useRepeatKey } from "../../../api/repeat-key.ts";
import { t } from "../../../i18n/t.ts";
import { FailureNotice } from "../../../parts/notices.tsx";
import { Credentials } from "../../register/credentials.tsx";
import type { AssetDetail } from "../tab.ts";

/** New credentials for a device: asked twice, because the old ones end. */
export function RotatePane({ asset }: { readonly asset: AssetDetail }) {
  const isSure = useSignal(false);
  const isSending = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const access = useSignal<components["schemas"]["MqttCredentials"] | undefined>(undefined);

  const keyOf = useRepeatKey();

  async function rotate() {
    if (isSending.peek()) return;
    isSending.value = true;
    const outcome = await outcomeOf(
      api.POST("/api/v1/equipment/assets/{asset_id}/credentials", {
        params: {
          path: { asset_id: asset.id },
          header: { "Idempotency-Key": keyOf(asset.id) },
        },
      }),
    );
    isSending.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    access.value = "value" in outcome ? outcome.value.mqtt : undefined;
    // After an answer that was lost the same press is there again, and makes no second password.
    if (!("value" in outcome)) return;
    keyOf.done();
    isSure.value = false;
  }

  return (
    <>
      <section class="card" aria-labelledby="rotate">
        <h2 id="rotate">{t("creds.rotate")}</h2>
        <p class="muted small">{t("creds.rotate_hint")}</p>
        {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
        <div class="buttons">
          {isSure.value ? (
            <>
              <button
                type="button"
                class="main"
                disabled={isSending.value}
                onClick={() => void rotate()}
              >
                {t("creds.rotate_sure")}
              </button>
              <button
                type="button"
                onClick={() => {
                  isSure.value = false;
                }}
              >
                {t("creds.cancel")}
              </button>
            </>
          ) : (
            <button
              type="button"
              onClick={() => {
                isSure.value = true;
              }}
            >
              {t("creds.rotate")}
            </button>
          )}
        </div>
      </section>
      {access.value === undefined ? null : (
        <Credentials access={access.value} decoder={asset.decoder} place={asset.location} />
      )}
    </>
  );
}
