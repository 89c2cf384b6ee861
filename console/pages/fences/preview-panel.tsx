import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { When } from "../../parts/time.tsx";
import { machineName } from "../../state/machines.ts";
import type { Preview } from "./requests.ts";

/** Crossings that are listed; the rest are counted. */
const ROWS = 20;

/** What the fence would mean: who is inside, and what it would have seen. */
export function PreviewPanel({ preview }: { readonly preview: Preview }) {
  const { inside, range } = preview;
  return (
    <section class="stack preview" aria-label={t("fences.preview_title")} role="status">
      <h3>{t("fences.inside_now")}</h3>
      {inside.length === 0 ? <p class="muted">{t("fences.inside_none")}</p> : null}
      <ul>
        {inside.map(({ asset_id, name, timestamp, accuracy_meters }) => (
          <li key={asset_id}>
            {name}{" "}
            <span class="muted small">
              {t("fences.inside_basis", {
                age: show.age(Date.parse(timestamp)),
                accuracy: show.length(accuracy_meters),
              })}
            </span>
          </li>
        ))}
      </ul>
      {range === undefined ? null : (
        <>
          <h3>{t("fences.last_day")}</h3>
          <p>
            {tn("fences.crossings", range.crossings.length)}{" "}
            <span class="muted small">
              {t("fences.checked", {
                machines: show.number(range.assets),
                fixes: show.number(range.fixes),
              })}
            </span>
          </p>
          {range.is_complete ? null : <p class="notice">{t("fences.incomplete")}</p>}
          <ul>
            {newest(range.crossings).map((crossing) => (
              <li key={`${crossing.asset_id} ${crossing.timestamp} ${crossing.type}`}>
                {machineName(crossing.asset_id)}{" "}
                {t(crossing.type === "entered" ? "fences.entered" : "fences.exited")}{" "}
                <span class="muted small">
                  <When ms={Date.parse(crossing.timestamp)} />
                  {crossing.inferred ? `, ${t("fences.inferred")}` : ""}
                  {crossing.cause === "first_fix" ? `, ${t("visits.cause.first_fix")}` : ""}
                </span>
              </li>
            ))}
          </ul>
          {range.crossings.length > ROWS ? (
            <p class="muted small">
              {t("fences.more_crossings", { n: show.number(range.crossings.length - ROWS) })}
            </p>
          ) : null}
        </>
      )}
    </section>
  );
}

const newest = (crossings: NonNullable<Preview["range"]>["crossings"]) =>
  crossings.toSorted((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp)).slice(0, ROWS);
