import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { FailureNotice } from "../../parts/notices.tsx";
import { When } from "../../parts/time.tsx";
import type { Answer } from "../../state/use-answer.ts";
import { dateOf } from "../progress/words.ts";
import type { Revision } from "./requests.ts";

/** Every import of a project, newest first; none ever changes. */
export function RevisionList(props: {
  readonly answer: Answer<{ readonly data: readonly Revision[] }>;
}) {
  const { data, failure, read } = props.answer;
  if (failure.value !== undefined) {
    return <FailureNotice failure={failure.value} onRetry={() => void read()} />;
  }
  const revisions = data.value?.data ?? [];
  if (revisions.length === 0) return null;
  const heads = {
    file: t("setup.file"),
    span: t("setup.span"),
    activities: t("setup.activities_head"),
    imported: t("setup.imported_at"),
  };
  return (
    <>
      <h3>{t("setup.revisions")}</h3>
      <table class="table">
        <caption class="hidden">{t("setup.revisions")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("progress.revision")}</th>
            {Object.entries(heads).map(([key, head]) => (
              <th key={key} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {revisions.map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.revision}</th>
              <td data-label={heads.file}>
                {one.name} ({t(`setup.format.${one.format}`)})
              </td>
              <td data-label={heads.span}>
                {t("progress.range", { low: dateOf(one.start), high: dateOf(one.finish) })}
              </td>
              <td data-label={heads.activities}>{show.number(one.activities)}</td>
              <td data-label={heads.imported}>
                <When ms={Date.parse(one.imported_at)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
