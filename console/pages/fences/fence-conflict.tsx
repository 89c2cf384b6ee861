import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { type Draft, draftOf, isSameGround } from "../../map/drawing/draft.ts";
import { figuresOf } from "../../map/drawing/figures.ts";
import { Conflict } from "../../parts/conflict.tsx";
import type { Geofence } from "../../state/fences.ts";
import { type FenceForm, formOf, RULE_NAMES, triggersOf } from "./form.ts";
import { alertText, groundText } from "./words.ts";

interface FenceConflictProps {
  readonly theirs: Geofence;
  readonly form: FenceForm;
  readonly draft: Draft;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

/** Somebody changed the fence while it was edited here: both versions, and which one holds. */
export function FenceConflict({ theirs, form, draft, onMine, onTheirs }: FenceConflictProps) {
  const stored = formOf(theirs, theirs.project_id);
  return (
    <Conflict
      title={t("fences.conflict")}
      storedAt={theirs.updated_at}
      rows={[
        [t("fences.name"), form.name, stored.name],
        [t("fences.kind"), t(`fences.kind.${form.kind}`), t(`fences.kind.${stored.kind}`)],
        [t("fences.alert_on"), alertText(triggersOf(form)), alertText(theirs.alert_on)],
        ...RULE_NAMES.map((rule) => [t(`fences.rule.${rule}`), form[rule], stored[rule]] as const),
        [t("fences.ground"), describe(draft), describe(draftOf(theirs))],
      ]}
      onMine={onMine}
      onTheirs={onTheirs}
    >
      {isSameGround(draft, draftOf(theirs)) ? null : (
        <p class="small">{t("fences.edges_differ")}</p>
      )}
    </Conflict>
  );
}

function describe(draft: Draft): string {
  const figures = figuresOf(draft);
  const ground = groundText(draft);
  return figures === undefined ? ground : `${ground}, ≈ ${show.area(figures.areaM2)}`;
}
