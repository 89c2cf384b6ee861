import { t } from "../../../i18n/t.ts";
import { EMPTY, formOf } from "../../settings/plans/form.ts";
import { PlanEditor } from "../../settings/plans/plan-editor.tsx";
import "../../settings/settings.css";
import { type HeldPlan, putMachinePlan, readMachinePlan } from "./plan-requests.ts";

interface OwnPlanEditorProps extends HeldPlan {
  readonly assetId: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The plan of one machine; where it has none yet, it begins as that of its type. */
export function OwnPlanEditor({ assetId, plan, onDone, onClose }: OwnPlanEditorProps) {
  return (
    <PlanEditor
      title={t("plan.own")}
      stored={plan?.value.source === "asset" ? plan : undefined}
      empty={plan === undefined ? EMPTY : formOf(plan.value)}
      readAgain={() => readMachinePlan(assetId)}
      send={(body, etag) => putMachinePlan(assetId, body, etag)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
