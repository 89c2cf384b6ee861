import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Field } from "../../parts/field.tsx";
import { toPage } from "../../state/to-page.ts";
import { datesOf } from "./dates.ts";
import type { SurveyLayer } from "./layers.ts";
import type { ListedSurvey, Survey } from "./requests.ts";
import { beginStep } from "./stepping.ts";
import { sourceText } from "./words.ts";

interface DatesChoiceProps {
  readonly survey: Survey;
  /** Of the same ground. */
  readonly others: readonly ListedSurvey[];
  readonly layer: SurveyLayer;
  /** The page came by a step: whoever pressed keys goes on here. */
  readonly isNext: boolean;
}

/** Goes through the surveys of the same ground in the order of their dates. */
export function DatesChoice({ survey, others, layer, isNext }: DatesChoiceProps) {
  const slider = useRef<HTMLInputElement>(null);
  const [, go] = useLocation();
  const { dates, index } = datesOf(survey, others);
  const isShown = dates.length > 1;

  useEffect(() => {
    if (isNext && isShown) slider.current?.focus();
  }, [isNext, isShown]);

  if (!isShown) return null;
  function goTo(at: number) {
    const date = dates[at];
    if (date === undefined || at === index) return;
    beginStep();
    go(toPage(`/surveys/${date.id}`, { layer }), { replace: true });
  }
  return (
    <section class="stack no-print" aria-labelledby="survey-dates">
      <h2 id="survey-dates">{t("survey.dates")}</h2>
      <Field
        name={t("survey.date_of", { n: show.number(index + 1), all: show.number(dates.length) })}
        hint={t("survey.dates_hint")}
      >
        {(control) => (
          <input
            {...control}
            ref={slider}
            type="range"
            min="0"
            max={dates.length - 1}
            step="1"
            value={index}
            aria-valuetext={`${show.dateTime(Date.parse(survey.captured_at))}, ${sourceText(survey)}`}
            onChange={(event) => goTo(event.currentTarget.valueAsNumber)}
          />
        )}
      </Field>
      <div class="tool-row">
        <button type="button" disabled={index === 0} onClick={() => goTo(index - 1)}>
          {t("survey.earlier")}
        </button>
        <button type="button" disabled={index === dates.length - 1} onClick={() => goTo(index + 1)}>
          {t("survey.later")}
        </button>
      </div>
    </section>
  );
}
