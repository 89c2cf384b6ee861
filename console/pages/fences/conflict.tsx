import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { type Draft, draftOf, isSameGround } from "../../map/drawing/draft.ts";
import { figuresOf } from "../../map/drawing/figures.ts";
import type { Geofence } from "../../state/fences.ts";
import { type FenceForm, formOf, RULE_NAMES, triggersOf } from "./form.ts";
import { alertText, groundText } from "./words.ts";

interface ConflictProps {
  readonly theirs: Geofence;
  readonly form: FenceForm;
  readonly draft: Draft;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}

/** Somebody changed the fence while it was edited here: both versions, and which one holds. */
export function Conflict({ theirs, form, draft, onMine, onTheirs }: ConflictProps) {
  const stored = formOf(theirs, theirs.project_id);
  const rows = [
    [t("fences.name"), form.name, stored.name],
    [t("fences.kind"), t(`fences.kind.${form.kind}`), t(`fences.kind.${stored.kind}`)],
    [t("fences.alert_on"), alertText(triggersOf(form)), alertText(theirs.alert_on)],
    ...RULE_NAMES.map((rule) => [t(`fences.rule.${rule}`), form[rule], stored[rule]] as const),
    [t("fences.ground"), describe(draft), describe(draftOf(theirs))],
  ] as const;
  const isEdgeChanged = !isSameGround(draft, draftOf(theirs));
  return (
    <section class="notice notice-bad stack" role="alert" aria-label={t("fences.conflict")}>
      <h3>{t("fences.conflict")}</h3>
      <p>{t("fences.conflict_hint", { time: show.dateTime(Date.parse(theirs.updated_at)) })}</p>
      <table class="versions">
        <thead>
          <tr>
            <th scope="col">{t("fences.field")}</th>
            <th scope="col">{t("fences.mine")}</th>
            <th scope="col">{t("fences.theirs")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, mine, other]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{mine}</td>
              <td>{mine === other ? other : <strong>{other}</strong>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isEdgeChanged ? <p class="small">{t("fences.edges_differ")}</p> : null}
      <div class="tool-row">
        <button type="button" onClick={onMine}>
          {t("fences.save_mine")}
        </button>
        <button type="button" onClick={onTheirs}>
          {t("fences.take_theirs")}
        </button>
      </div>
    </section>
  );
}

function describe(draft: Draft): string {
  const figures = figuresOf(draft);
  const ground = groundText(draft);
  return figures === undefined ? ground : `${ground}, ≈ ${show.area(figures.areaM2)}`;
}
