import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import type { Changes, ZoneChange } from "./requests.ts";
import { changeInterval, dateOf } from "./words.ts";

type Figures = ZoneChange["change"];

/** What a report says differently from the one before, and what of that is more than the error of both. */
export function ChangesTable({ changes }: { readonly changes: Changes }) {
  const { since, project, zones } = changes;
  if (since === null) return <p class="muted">{t("progress.first_report")}</p>;
  const heads = {
    before: t("progress.before"),
    after: t("progress.after"),
    difference: t("progress.difference"),
    meaning: t("progress.meaning"),
  };
  const rows: readonly (readonly [key: string, name: string, figures: Figures, meaning: string])[] =
    [
      ...(project === null
        ? []
        : [
            [
              "",
              t("progress.whole_project"),
              project,
              project.difference === null ? t("progress.other_zones") : verdict(project),
            ] as const,
          ]),
      ...zones.map((zone) => [zone.zone_id, zone.name, zone.change, meaningOf(zone)] as const),
    ];
  const sinceWords = t("progress.since", { date: show.dateTime(Date.parse(since.capture_date)) });
  return (
    <>
      <p class="muted">{sinceWords}</p>
      <table class="table">
        <caption class="hidden">{sinceWords}</caption>
        <thead>
          <tr>
            <th scope="col">{t("progress.zone")}</th>
            {Object.entries(heads).map(([key, head]) => (
              <th key={key} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, name, figures, meaning]) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td data-label={heads.before}>{percentText(figures.before)}</td>
              <td data-label={heads.after}>{percentText(figures.after)}</td>
              <td data-label={heads.difference}>
                {figures.difference === null ? (
                  t("value.unknown")
                ) : (
                  <>
                    <strong>{show.change(figures.difference)}</strong>{" "}
                    <span class="muted">({changeInterval(figures.interval_95)})</span>
                  </>
                )}
              </td>
              <td data-label={heads.meaning}>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const percentText = (percent: number | null): string =>
  percent === null ? t("value.unknown") : show.tenth(percent);

function verdict({ difference, is_significant }: Figures): string {
  if (is_significant === null) return t("progress.verdict.unbounded");
  if (!is_significant) return t("progress.verdict.within");
  return t((difference ?? 0) < 0 ? "progress.verdict.fell" : "progress.verdict.rose");
}

function meaningOf(zone: ZoneChange): string {
  if (zone.basis === "compared") return verdict(zone.change);
  return t(`progress.change.${zone.basis}`, {
    date: zone.after_as_of === null ? "" : dateOf(zone.after_as_of),
  });
}
