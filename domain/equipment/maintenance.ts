import { type Static, Type } from "typebox";
import { SECOND_MS } from "../time.ts";
import { ALERT_SEVERITIES, type AlertSeverity } from "./alert.ts";
import { FaultCode, FIELD_NAME } from "./reading.ts";

/**
 * Most services, and most limits, of one plan: more make every reading slower, fewer do not hold the plan of
 * a large machine.
 */
const MAX_ENTRIES = 50;
/**
 * Most fault codes per severity that a plan rates itself. More make plans, which every process holds,
 * larger.
 */
const MAX_FAULTS = 100;
/** Percent of an interval from which a service is announced, when a plan does not say (docs/rules.md#maintenance). */
const DEFAULT_WARN_PERCENT = 90;

const EntryId = Type.String({
  pattern: "^[A-Za-z0-9_-]{1,64}$",
  description: "Unique in the plan",
});
const Name = Type.String({ minLength: 1, maxLength: 200 });
/**
 * Any level a machine may report; JSON's 1e999 is not one. Narrower bounds would refuse a counter of bytes
 * or metres.
 */
const Level = { minimum: -1e12, maximum: 1e12 } as const;

/** Work that comes round: after so many engine hours, days or kilometres, whichever is first. */
export const ServiceItem = Type.Object(
  {
    item: EntryId,
    name: Name,
    every_hours: Type.Optional(
      Type.Number({ minimum: 1, maximum: 100_000, description: "Engine hours" }),
    ),
    every_days: Type.Optional(Type.Number({ minimum: 1, maximum: 3_660 })),
    every_km: Type.Optional(Type.Number({ minimum: 1, maximum: 1_000_000 })),
    warn_at_percent: Type.Optional(
      Type.Number({ minimum: 1, maximum: 100, default: DEFAULT_WARN_PERCENT }),
    ),
  },
  { title: "ServiceItem" },
);
export type ServiceItem = Static<typeof ServiceItem>;

const LimitRule = Type.Object(
  {
    id: EntryId,
    name: Type.Optional(Name),
    field: Type.String({ pattern: FIELD_NAME.source, description: "A numeric telemetry field" }),
    above: Type.Optional(Type.Number({ ...Level, description: "Exceeded above this value" })),
    below: Type.Optional(Type.Number({ ...Level, description: "Exceeded below this value" })),
    for_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        default: 0,
        description:
          "Seconds that the value must stay beyond the limit; gaps over 5 min start anew",
      }),
    ),
    clear_at: Type.Optional(
      Type.Number({
        ...Level,
        description: "Value at which it is over; default: the limit itself",
      }),
    ),
    severity: Type.Optional(Type.Enum([...ALERT_SEVERITIES], { default: "warning" })),
  },
  { title: "LimitRule" },
);
type LimitRule = Static<typeof LimitRule>;

const FaultMatch = Type.Object(
  { spn: FaultCode.properties.spn, fmi: Type.Optional(FaultCode.properties.fmi) },
  { title: "FaultMatch", description: "Without fmi: every failure mode of the parameter" },
);
type FaultMatch = Static<typeof FaultMatch>;
const FaultMatches = Type.Optional(Type.Array(FaultMatch, { maxItems: MAX_FAULTS }));

/** What is watched on a machine; an empty plan watches nothing. */
export const MaintenancePlan = Type.Object(
  {
    services: Type.Optional(Type.Array(ServiceItem, { maxItems: MAX_ENTRIES })),
    limits: Type.Optional(Type.Array(LimitRule, { maxItems: MAX_ENTRIES })),
    faults: Type.Optional(
      Type.Object(
        { critical: FaultMatches, warning: FaultMatches, info: FaultMatches },
        {
          title: "FaultSeverities",
          description: "Severities of fault codes that differ from the usual ones",
        },
      ),
    ),
  },
  { title: "MaintenancePlan" },
);
export type MaintenancePlan = Static<typeof MaintenancePlan>;

/** A limit with everything that the plan left open filled in. */
export interface Limit {
  readonly id: string;
  readonly name: string;
  readonly field: string;
  readonly bound: "above" | "below";
  /** Exceeded strictly beyond this value. */
  readonly level: number;
  /** Over as soon as the value is here or farther back. */
  readonly clearAt: number;
  readonly forMs: number;
  readonly severity: AlertSeverity;
}

/** The limits of a plan that {@link planProblems} found nothing wrong with. */
export function limitsOf(plan: MaintenancePlan): readonly Limit[] {
  return (plan.limits ?? []).map((rule) => {
    const level = rule.above ?? rule.below ?? Number.NaN;
    return {
      id: rule.id,
      name: rule.name ?? rule.id,
      field: rule.field,
      bound: rule.above === undefined ? "below" : "above",
      level,
      clearAt: rule.clear_at ?? level,
      forMs: (rule.for_s ?? 0) * SECOND_MS,
      severity: rule.severity ?? "warning",
    };
  });
}

/** Percent of its interval from which a service is announced. */
export const warnPercentOf = (item: ServiceItem): number =>
  item.warn_at_percent ?? DEFAULT_WARN_PERCENT;

/** What the plan says of a fault; the entry that names the failure mode goes first. */
export function plannedSeverity(
  plan: MaintenancePlan | undefined,
  fault: Pick<FaultCode, "spn" | "fmi">,
): AlertSeverity | undefined {
  const faults = plan?.faults;
  if (faults === undefined) return undefined;
  const findBy = (matches: (match: FaultMatch) => boolean) =>
    ALERT_SEVERITIES.find((severity) => faults[severity]?.some(matches));
  return (
    findBy(({ spn, fmi }) => spn === fault.spn && fmi === fault.fmi) ??
    findBy(({ spn, fmi }) => spn === fault.spn && fmi === undefined)
  );
}

/** What is wrong with a plan; `parameter` is the path inside it. */
export interface PlanProblem {
  readonly parameter: string;
  readonly message: string;
}

/** The rules of a plan that its schema cannot say; empty for a sound plan. */
export function planProblems(plan: MaintenancePlan): readonly PlanProblem[] {
  const { services = [], limits = [], faults = {} } = plan;
  const matches = ALERT_SEVERITIES.flatMap((severity) =>
    (faults[severity] ?? []).map(({ spn, fmi }, i) => ({
      parameter: `faults.${severity}.${i}`,
      id: fmi === undefined ? `SPN ${spn}` : `SPN ${spn} FMI ${fmi}`,
    })),
  );
  return [
    ...services.flatMap(serviceProblems),
    ...limits.flatMap(limitProblems),
    ...repeated(services.map(({ item }, i) => ({ parameter: `services.${i}.item`, id: item }))),
    ...repeated(limits.map(({ id }, i) => ({ parameter: `limits.${i}.id`, id }))),
    ...repeated(matches),
  ];
}

function serviceProblems(
  { item, every_hours, every_days, every_km }: ServiceItem,
  i: number,
): readonly PlanProblem[] {
  if ((every_hours ?? every_days ?? every_km) !== undefined) return [];
  const message = `"${item}" needs every_hours, every_days or every_km`;
  return [{ parameter: `services.${i}`, message }];
}

function limitProblems(rule: LimitRule, i: number): readonly PlanProblem[] {
  const { id, above, below, clear_at } = rule;
  if ((above === undefined) === (below === undefined)) {
    return [{ parameter: `limits.${i}`, message: `"${id}" needs either above or below` }];
  }
  const parameter = `limits.${i}.clear_at`;
  if (clear_at !== undefined && above !== undefined && clear_at > above) {
    return [{ parameter, message: `of "${id}" must not be greater than above, ${above}` }];
  }
  if (clear_at !== undefined && below !== undefined && clear_at < below) {
    return [{ parameter, message: `of "${id}" must not be less than below, ${below}` }];
  }
  return [];
}

function repeated(
  entries: readonly { readonly parameter: string; readonly id: string }[],
): readonly PlanProblem[] {
  const seen = new Set<string>();
  return entries.flatMap(({ parameter, id }) => {
    if (seen.has(id)) return [{ parameter, message: `"${id}" is there twice` }];
    seen.add(id);
    return [];
  });
}
