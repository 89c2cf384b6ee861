import { useSignal } from "@preact/signals";
import { may } from "../../../api/session-state.ts";
import { show } from "../../../format/show.ts";
import { readAdministrationTexts, t } from "../../../i18n/t.ts";
import { lazily } from "../../../parts/lazily.tsx";
import { SureDialog } from "../../../parts/sure-dialog.tsx";
import type { AssetDetail } from "../tab.ts";
import { deleteMachinePlan, type HeldPlan } from "./plan-requests.ts";

interface OwnPlanProps extends HeldPlan {
  readonly asset: AssetDetail;
  /** The plan was changed. */
  readonly onChanged: () => void;
}

/** The editor of plans and its words are those of the administration: they are loaded by who needs them. */
const OwnPlanEditor = lazily(
  async () => (await import("./own-plan-editor.tsx")).OwnPlanEditor,
  readAdministrationTexts,
);

/** By which plan a machine is maintained, and a plan of its own in place of that of its type. */
export function OwnPlan({ asset, plan, onChanged }: OwnPlanProps) {
  const isEditing = useSignal(false);
  const isRemoving = useSignal(false);
  const own = plan?.value.source === "asset" ? plan : undefined;

  function done() {
    isEditing.value = false;
    isRemoving.value = false;
    onChanged();
  }

  if (isEditing.value) {
    const close = () => {
      isEditing.value = false;
    };
    return <OwnPlanEditor assetId={asset.id} plan={plan} onDone={done} onClose={close} />;
  }
  return (
    <section class="card" aria-labelledby="own-plan">
      <h2 id="own-plan">{t("plan.title")}</h2>
      <p>
        {plan === undefined ? t("plan.none") : t(`plan.of_${plan.value.source}`)}
        {plan === undefined ? null : (
          <span class="muted small block">
            {t("plan.valid_from", { time: show.dateTime(Date.parse(plan.value.valid_from)) })}
          </span>
        )}
      </p>
      {may("equipment:write") ? (
        <div class="tool-row">
          <button
            type="button"
            onClick={() => {
              isEditing.value = true;
            }}
          >
            {t(own === undefined ? "plan.make" : "plan.change")}
          </button>
          {own === undefined ? null : (
            <button
              type="button"
              onClick={() => {
                isRemoving.value = true;
              }}
            >
              {t("plan.remove")}
            </button>
          )}
        </div>
      ) : null}
      {isRemoving.value && own !== undefined ? (
        <SureDialog
          title={t("plan.remove_title", { name: asset.name })}
          ways={[[t("plan.remove"), () => deleteMachinePlan(asset.id, own.etag)]]}
          onDone={done}
          onClose={() => {
            isRemoving.value = false;
          }}
        >
          <p>{t("plan.remove_hint")}</p>
        </SureDialog>
      ) : null}
    </section>
  );
}
