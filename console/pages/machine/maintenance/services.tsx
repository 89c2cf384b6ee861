import type { components } from "../../../../client/index.ts";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";

type MaintenanceStatus = components["schemas"]["MaintenanceStatus"];
type ServiceStatus = components["schemas"]["ServiceStatus"];
type Interval = components["schemas"]["ServiceInterval"];

/** Percent of an interval from which its bar has another colour; the status in words is the service's own. */
const FULL = 100;
const PAST = 99.9;
const SOON = 89.9;
/** Severity that the status of a service is shown as. */
const LOOKS = { ok: "info", warning: "warning", due: "critical" } as const;
const FIELDS = { hours: "engine_hours", km: "odometer_km" } as const;

/** Services of the plan, each with how much of its interval is used. */
export function Services({ status }: { readonly status: MaintenanceStatus }) {
  const { plan_source, services } = status;
  if (plan_source === undefined) {
    return <p class="muted">{t("service.no_plan")}</p>;
  }
  return (
    <>
      <p class="muted small">{t(`service.plan_${plan_source}`)}</p>
      {services.length === 0 ? <p class="muted">{t("service.none")}</p> : null}
      <ul class="rows">
        {services.map((service) => (
          <li key={service.item}>
            <ServiceRow service={service} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ServiceRow({ service }: { readonly service: ServiceStatus }) {
  const { name, status, intervals, used_percent, counted_from, last_service_id } = service;
  return (
    <>
      <p>
        <span class={`severity severity-${LOOKS[status]}`}>{t(`service.status.${status}`)}</span>{" "}
        <strong>{name}</strong>
      </p>
      {used_percent === null ? null : (
        <meter
          min={0}
          max={FULL}
          low={SOON}
          high={PAST}
          optimum={0}
          value={Math.min(FULL, used_percent)}
          aria-label={name}
        />
      )}
      {intervals.map((interval) => (
        <p key={interval.unit} class="small">
          {usedText(interval)} <span class="muted">{t(`service.source.${interval.source}`)}</span>
        </p>
      ))}
      <p class="muted small">
        {t("service.counted", { time: show.dateTime(Date.parse(counted_from)) })}
        {last_service_id === undefined ? `; ${t("service.never")}` : null}
      </p>
    </>
  );
}

function usedText({ unit, every, used, remaining, reason }: Interval): string {
  const text = (value: number) =>
    unit === "days" ? tn("service.unit_days", Math.round(value)) : show.field(FIELDS[unit], value);
  if (used === null || remaining === null) {
    return reason === undefined
      ? t("service.used_unknown", { every: text(every) })
      : t("service.used_unknown_because", { every: text(every), reason });
  }
  return remaining < 0
    ? t("service.past", { used: text(used), every: text(every), over: text(-remaining) })
    : t("service.used", { used: text(used), every: text(every), left: text(remaining) });
}
