import type { Signal } from "@preact/signals";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { Field } from "../../../parts/field.tsx";
import { FailureNotice } from "../../../parts/notices.tsx";
import { QuantityField } from "../../../parts/quantity-field.tsx";
import { Select } from "../../../parts/select.tsx";
import { useAnswer } from "../../../state/use-answer.ts";
import { readOthers, type Survey } from "../requests.ts";
import { sourceText } from "../words.ts";
import type { VolumeBase } from "./requests.ts";

/** What a volume is above, as far as it is chosen. */
export interface BaseForm {
  readonly method: VolumeBase["method"];
  /** Of a level, metres in the heights of the survey; NaN: what was typed is no number. */
  readonly heightM: number | undefined;
  /** Of an earlier survey; empty: none is chosen. */
  readonly surveyId: string;
}

const METHODS = ["plane", "tin", "level", "survey"] as const;

/** The base as a request has it; `undefined`: something is missing. */
export function baseOf({ method, heightM, surveyId }: BaseForm): VolumeBase | undefined {
  if (method === "level") {
    return heightM === undefined || Number.isNaN(heightM)
      ? undefined
      : { method, height_m: Math.round(heightM * 1_000) / 1_000 };
  }
  if (method !== "survey") return { method };
  return surveyId === "" ? undefined : { method, survey_id: surveyId };
}

interface BaseChoiceProps {
  readonly survey: Survey;
  readonly form: Signal<BaseForm>;
}

/** Chooses what the volume is above. */
export function BaseChoice({ survey, form }: BaseChoiceProps) {
  const { method, heightM } = form.value;
  const set = (change: Partial<BaseForm>) => {
    form.value = { ...form.peek(), ...change };
  };
  return (
    <div class="stack">
      <Field name={t("measure.base")} hint={t(`measure.base_hint.${method}`)}>
        {(control) => (
          <Select
            {...control}
            value={method}
            choices={METHODS.map((one) => [one, t(`measure.base.${one}`)] as const)}
            onChoose={(chosen) => set({ method: chosen })}
          />
        )}
      </Field>
      {method === "level" ? (
        <QuantityField
          quantity="length"
          isSigned
          name={t("measure.level")}
          {...(Number.isNaN(heightM) ? { error: t("measure.level_wrong") } : {})}
          value={heightM}
          onValue={(value) => set({ heightM: value })}
        />
      ) : null}
      {method === "survey" ? <EarlierChoice survey={survey} form={form} /> : null}
    </div>
  );
}

/** Chooses another survey of the same ground. */
function EarlierChoice({ survey, form }: BaseChoiceProps) {
  const { data, failure, read } = useAnswer(() => readOthers(survey), survey.id);
  const others = data.value;
  if (failure.value !== undefined) {
    return <FailureNotice failure={failure.value} onRetry={() => void read()} />;
  }
  if (others === undefined) return <p class="muted small">{t("app.loading")}…</p>;
  if (others.length === 0) return <p class="notice">{t("survey.no_others")}</p>;
  return (
    <Field name={t("measure.other")}>
      {(control) => (
        <Select
          {...control}
          value={form.value.surveyId}
          choices={[
            ["", t("fences.choose")],
            ...others.map(
              (one) =>
                [
                  one.id,
                  `${show.dateTime(Date.parse(one.captured_at))}, ${sourceText(one)}`,
                ] as const,
            ),
          ]}
          onChoose={(surveyId) => {
            form.value = { ...form.peek(), surveyId };
          }}
        />
      )}
    </Field>
  );
}
