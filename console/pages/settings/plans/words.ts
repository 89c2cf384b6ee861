import { fieldName } from "../../../format/field-name.ts";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { boundsText } from "../../machine/maintenance/limits.tsx";
import type { NewPlan } from "./requests.ts";

type Service = NonNullable<NewPlan["services"]>[number];
type Limit = NonNullable<NewPlan["limits"]>[number];

/** A service in words: its intervals, and when it warns. */
export function serviceText(service: Service): string {
  const { name, every_hours, every_days, every_km, warn_at_percent } = service;
  const every = [
    every_hours === undefined ? undefined : show.field("engine_hours", every_hours),
    every_days === undefined ? undefined : tn("plans.days", every_days),
    every_km === undefined ? undefined : show.field("odometer_km", every_km),
  ].filter((text) => text !== undefined);
  return t("plans.service", {
    name,
    every: every.length === 0 ? t("plans.no_interval") : every.join(", "),
    percent: show.percent(warn_at_percent),
  });
}

/** A limit in words. */
export const limitText = (limit: Limit): string =>
  t("plans.limit", {
    name: limit.name ?? fieldName(limit.field),
    field: fieldName(limit.field),
    bounds: boundsText(limit),
    severity: t(`severity.${limit.severity}`),
  });
