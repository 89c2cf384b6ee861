import { serviceText } from "../../format/service-text.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { When } from "../../parts/time.tsx";
import type { Report, ReportZone } from "./requests.ts";
import { isUnseen } from "./unseen.ts";
import { intervalText } from "./words.ts";

/** Width of a bar in its own units; it is stretched to its place. */
const BAR = 200;

/** Every zone of a report: figure, bounds, plan, and what the figure rests on. */
export function ZoneTable({ report }: { readonly report: Report }) {
  const weights = report.zones.reduce((sum, { weight }) => sum + weight, 0);
  const heads = {
    bar: t("progress.bar"),
    interval: t("progress.interval"),
    planned: t("progress.planned"),
    method: t("progress.method"),
    seen: t("progress.seen_by_capture"),
    as_of: t("progress.as_of"),
    weight: t("progress.weight"),
  };
  return (
    <table class="table zones-table">
      <caption class="hidden">{t("progress.zones")}</caption>
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
        {report.zones.map((zone) => (
          <tr key={zone.zone_id}>
            <th scope="row">
              {zone.name}
              <span class="block muted small">{t(`progress.zone_status.${zone.status}`)}</span>
            </th>
            <td data-label={heads.bar}>
              {isUnseen(zone) ? (
                t("progress.never_seen")
              ) : (
                <>
                  <strong>{show.tenth(zone.progress)}</strong>
                  <ZoneBar zone={zone} />
                </>
              )}
            </td>
            <td data-label={heads.interval}>
              {isUnseen(zone)
                ? t("value.unknown")
                : zone.interval_95 === null && zone.method === "manual"
                  ? t("progress.said_exact")
                  : intervalText(zone.interval_95)}
            </td>
            <td data-label={heads.planned}>
              {zone.planned === null ? t("progress.not_planned") : show.tenth(zone.planned)}
            </td>
            <td data-label={heads.method}>
              {t(`progress.method.${zone.method}`)}
              <Notes zone={zone} />
            </td>
            <td data-label={heads.seen}>
              {zone.observed_percent === 0
                ? t("progress.not_seen")
                : show.percent(zone.observed_percent)}
            </td>
            <td data-label={heads.as_of}>
              <When ms={Date.parse(zone.as_of)} />
            </td>
            <td data-label={heads.weight}>{show.tenth((100 * zone.weight) / weights)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Notes({ zone }: { readonly zone: ReportZone }) {
  const { no_estimate, notes, regression_suspected } = zone;
  if (no_estimate === null && notes.length === 0) return null;
  return (
    <ul class={regression_suspected ? "zone-notes zone-alarm small" : "zone-notes muted small"}>
      {no_estimate === null ? null : (
        <li>{t("progress.no_estimate", { why: t(`progress.no_estimate.${no_estimate}`) })}</li>
      )}
      {/* In the words of the service. */}
      {notes.map((note) => (
        <li key={note} lang="en">
          {serviceText(note)}
        </li>
      ))}
    </ul>
  );
}

/** Progress as a bar, its interval as a line in it, the plan as a tick across. */
function ZoneBar({ zone }: { readonly zone: ReportZone }) {
  const at = (percent: number) => (percent / 100) * BAR;
  const [low, high] = zone.interval_95 ?? [];
  return (
    <svg class="zone-bar" viewBox={`0 0 ${BAR} 16`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="zone-bar-ground" x="0" y="3" width={BAR} height="10" />
      <rect class="zone-bar-done" x="0" y="3" width={at(zone.progress)} height="10" />
      {low === undefined || high === undefined ? null : (
        <rect class="zone-bar-interval" x={at(low)} y="7" width={at(high - low)} height="2" />
      )}
      {zone.planned === null ? null : (
        <rect
          class="zone-bar-plan"
          x={Math.min(BAR - 2, at(zone.planned))}
          y="0"
          width="2"
          height="16"
        />
      )}
    </svg>
  );
}
