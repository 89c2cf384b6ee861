import type { components } from "../../../../client/index.ts";
import { fieldName } from "../../../format/field-name.ts";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { Severity } from "../../../parts/alert-line.tsx";

type Rule = Omit<components["schemas"]["LimitRule"], "for_s"> & { readonly for_s?: number };
type Exceeded = components["schemas"]["ExceededLimit"];

interface LimitsProps {
  readonly rules: readonly Rule[];
  readonly exceeded: readonly Exceeded[];
}

/** Limits of the plan, and which of them are exceeded. */
export function Limits({ rules, exceeded }: LimitsProps) {
  const exceededById = new Map(exceeded.map((one) => [one.id, one]));
  const ruleIds = new Set(rules.map(({ id }) => id));
  // A plan that changed a moment ago no longer has what the machine still exceeds.
  const all: readonly Rule[] = [...rules, ...exceeded.filter(({ id }) => !ruleIds.has(id))];
  if (all.length === 0) return <p class="muted">{t("limits.none")}</p>;
  return (
    <ul class="rows">
      {all.map((rule) => {
        const now = exceededById.get(rule.id);
        return (
          <li key={rule.id}>
            <p>
              {now === undefined ? null : (
                <>
                  <Severity severity={now.severity} />{" "}
                </>
              )}
              <strong>{rule.name ?? fieldName(rule.field)}</strong>
            </p>
            <p class="small">
              {fieldName(rule.field)} {boundsText(rule)}
            </p>
            <p class="muted small">{now === undefined ? t("limits.kept") : exceededText(now)}</p>
          </li>
        );
      })}
    </ul>
  );
}

/** Bounds of a limit in words, and how long a value must stay beyond them. */
export function boundsText({ field, above, below, for_s }: Rule): string {
  return [
    above === undefined ? undefined : t("limits.above", { value: show.field(field, above) }),
    below === undefined ? undefined : t("limits.below", { value: show.field(field, below) }),
    for_s === undefined || for_s === 0
      ? undefined
      : t("limits.for", { time: show.duration(for_s * 1_000) }),
  ]
    .filter((text) => text !== undefined)
    .join(", ");
}

function exceededText({ field, since, value }: Exceeded): string {
  const time = show.dateTime(Date.parse(since));
  return value === undefined
    ? t("limits.exceeded_since", { time })
    : t("limits.exceeded", { time, value: show.field(field, value) });
}
