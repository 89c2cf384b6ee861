import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Field } from "../../parts/field.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { Select } from "../../parts/select.tsx";
import { keepInAddress } from "../../state/address.ts";
import type { Answer } from "../../state/use-answer.ts";
import type { ListedSurvey } from "./requests.ts";
import { sourceText } from "./words.ts";

interface OtherChoiceProps {
  /** Of the same ground. */
  readonly answer: Answer<readonly ListedSurvey[]>;
  /** Id of the one that is compared with; empty: none. */
  readonly chosen: string;
}

/** Chooses another survey of the same ground to compare with; the address keeps it. */
export function OtherChoice({ answer, chosen }: OtherChoiceProps) {
  const { data, failure, read } = answer;
  const others = data.value;
  if (failure.value !== undefined) {
    return <FailureNotice failure={failure.value} onRetry={() => void read()} />;
  }
  if (others === undefined) return <p class="muted small">{t("app.loading")}…</p>;
  const isListed = chosen === "" || others.some(({ id }) => id === chosen);
  if (others.length === 0 && isListed) return <p class="muted small">{t("survey.no_others")}</p>;
  return (
    <Field name={t("survey.compare")} hint={t("survey.compare_hint")}>
      {(control) => (
        <Select
          {...control}
          value={chosen}
          choices={[
            ["", t("survey.compare_none")],
            ...(isListed ? [] : [[chosen, chosen] as const]),
            ...others.map((one) => [one.id, nameOf(one)] as const),
          ]}
          onChoose={(id) => keepInAddress("with", id || undefined)}
        />
      )}
    </Field>
  );
}

const nameOf = (survey: ListedSurvey): string =>
  `${show.dateTime(Date.parse(survey.captured_at))}, ${sourceText(survey)}`;
