import type { Signal } from "@preact/signals";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import { CHANGE_NOISE_M, CHANGE_TOPS_M, type ChangeLook, USUAL_CHANGE } from "./layers.ts";
import type { Survey } from "./requests.ts";
import { placedText } from "./words.ts";

interface ChangeChoiceProps {
  readonly change: Signal<ChangeLook | undefined>;
  /** The earlier one and the later one. */
  readonly surveys: readonly [Survey, Survey];
}

/** Chooses whether the map shows what changed between two surveys, and says what its colours mean. */
export function ChangeChoice({ change, surveys }: ChangeChoiceProps) {
  const look = change.value;
  return (
    <section class="stack no-print" aria-labelledby="survey-change">
      <h2 id="survey-change">{t("survey.change")}</h2>
      <label class="check">
        <input
          type="checkbox"
          checked={look !== undefined}
          onChange={() => {
            change.value = look === undefined ? USUAL_CHANGE : undefined;
          }}
        />
        {t("survey.change_show")}
      </label>
      {look === undefined ? null : (
        <>
          <Field name={t("survey.change_top")}>
            {(control) => (
              <Select
                {...control}
                value={String(look.topM)}
                choices={CHANGE_TOPS_M.map(
                  (topM) => [String(topM), show.fineLength(topM)] as const,
                )}
                onChoose={(topM) => {
                  change.value = { topM: Number(topM) };
                }}
              />
            )}
          </Field>
          <p class="small">
            <span class="heights-ends">
              <span>{t("survey.change_removed", { size: show.fineLength(look.topM) })}</span>
              <span class="change-ramp" aria-hidden="true" />
              <span>{t("survey.change_added", { size: show.fineLength(look.topM) })}</span>
            </span>
          </p>
          <p class="muted small">
            {t("survey.change_hint", { noise: show.fineLength(CHANGE_NOISE_M) })}
          </p>
          <p class="muted small">
            {t("survey.change_placed", {
              earlier: placedText(surveys[0].accuracy),
              later: placedText(surveys[1].accuracy),
            })}
          </p>
        </>
      )}
    </section>
  );
}
