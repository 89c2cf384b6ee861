import { neededNumber, numberText, typedNumber } from "../form/typed-number.ts";
import type { NewPlan, Plan } from "./requests.ts";

type Service = NonNullable<NewPlan["services"]>[number];
type Limit = NonNullable<NewPlan["limits"]>[number];
type StoredLimit = NonNullable<Plan["limits"]>[number];
export type Severity = NonNullable<Limit["severity"]>;

/** A service as it is typed. */
export interface ServiceForm {
  readonly item: string;
  readonly name: string;
  readonly hours: string;
  readonly days: string;
  /** km; NaN: what was typed is no number. */
  readonly km: number | undefined;
  /** Percent of an interval; empty: that of the service. */
  readonly warnAt: string;
}

/** A limit as it is typed, in the unit of its field. */
export interface LimitForm {
  readonly id: string;
  readonly name: string;
  readonly field: string;
  readonly above: string;
  readonly below: string;
  readonly forS: string;
  readonly clearAt: string;
  readonly severity: Severity;
}

export interface PlanForm {
  readonly services: readonly ServiceForm[];
  readonly limits: readonly LimitForm[];
  /** As they are stored: severities of single fault codes are not edited here. */
  readonly faults: NewPlan["faults"];
}

export const NEW_SERVICE: ServiceForm = {
  ...{ item: "", name: "", hours: "", days: "", km: undefined, warnAt: "" },
};

export const NEW_LIMIT: LimitForm = {
  ...{ id: "", name: "", field: "", above: "", below: "", forS: "", clearAt: "" },
  severity: "warning",
};

export const EMPTY: PlanForm = { services: [], limits: [], faults: undefined };

export const formOf = ({ services, limits, faults }: Plan): PlanForm => ({
  services: (services ?? []).map((one) => ({
    item: one.item,
    name: one.name,
    hours: numberText(one.every_hours),
    days: numberText(one.every_days),
    km: one.every_km,
    warnAt: numberText(one.warn_at_percent),
  })),
  limits: (limits ?? []).map((one: StoredLimit) => ({
    id: one.id,
    name: one.name ?? "",
    field: one.field,
    above: numberText(one.above),
    below: numberText(one.below),
    forS: numberText(one.for_s),
    clearAt: numberText(one.clear_at),
    severity: one.severity ?? "warning",
  })),
  faults,
});

/** A field of a body, where something was typed. */
function given<K extends string>(key: K, value: number | undefined): Partial<Record<K, number>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, number>);
}

export const planOf = ({ services, limits, faults }: PlanForm): NewPlan => ({
  services: services.map(
    ({ item, name, hours, days, km, warnAt }): Service => ({
      item: item.trim(),
      name: name.trim(),
      ...given("every_hours", typedNumber(hours)),
      ...given("every_days", typedNumber(days)),
      ...given("every_km", km),
      warn_at_percent: warnAt.trim() === "" ? USUAL_WARNING : neededNumber(warnAt),
    }),
  ),
  limits: limits.map(
    ({ id, name, field, above, below, forS, clearAt, severity }): Limit => ({
      id: id.trim(),
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      field: field.trim(),
      ...given("above", typedNumber(above)),
      ...given("below", typedNumber(below)),
      for_s: typedNumber(forS) ?? 0,
      ...given("clear_at", typedNumber(clearAt)),
      severity,
    }),
  ),
  ...(faults === undefined ? {} : { faults }),
});

/** Percent of an interval at which the service warns where nobody says otherwise (openapi.json). */
const USUAL_WARNING = 90;
