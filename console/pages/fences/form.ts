import { type Draft, draftOf, groundOf, isSameGround } from "../../map/drawing/draft.ts";
import type { Geofence } from "../../state/fences.ts";
import type { FenceChange, NewFence, PreviewRequest } from "./requests.ts";

/** What a person says of a fence beside its ground; numbers as they are typed. */
export interface FenceForm {
  readonly projectId: string;
  readonly name: string;
  readonly kind: Geofence["kind"];
  readonly isOnEnter: boolean;
  readonly isOnExit: boolean;
  readonly minDwellS: string;
  readonly exitBufferM: string;
  readonly confirmFixes: string;
}

/** Ranges and defaults of the service (docs/geofences.md); what is out of them it refuses as well. */
export const RULES = {
  minDwellS: { parameter: "min_dwell_s", least: 0, most: 86_400, usual: 0 },
  exitBufferM: { parameter: "exit_buffer_m", least: 0, most: 10_000, usual: 30 },
  confirmFixes: { parameter: "confirm_fixes", least: 1, most: 100, usual: 2 },
} as const;
export type Rule = keyof typeof RULES;
export const RULE_NAMES = Object.keys(RULES) as readonly Rule[];

export function formOf(fence: Geofence | undefined, projectId: string): FenceForm {
  const triggers = fence?.alert_on ?? ["both"];
  return {
    projectId: fence?.project_id ?? projectId,
    name: fence?.name ?? "",
    kind: fence?.kind ?? "zone",
    isOnEnter: triggers.includes("both") || triggers.includes("enter"),
    isOnExit: triggers.includes("both") || triggers.includes("exit"),
    minDwellS: String(fence?.min_dwell_s ?? RULES.minDwellS.usual),
    exitBufferM: String(fence?.exit_buffer_m ?? RULES.exitBufferM.usual),
    confirmFixes: String(fence?.confirm_fixes ?? RULES.confirmFixes.usual),
  };
}

/** A rule as a number; `undefined`: it is not one within its range. */
export function ruleOf(form: FenceForm, rule: Rule): number | undefined {
  const { least, most } = RULES[rule];
  const text = form[rule].trim().replace(",", ".");
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const isWhole = rule === "exitBufferM" || Number.isInteger(value);
  return value >= least && value <= most && isWhole ? value : undefined;
}

/** The crossings that open an alert, as the API writes them. */
export function triggersOf({ isOnEnter, isOnExit }: FenceForm): Geofence["alert_on"] {
  if (isOnEnter && isOnExit) return ["both"];
  if (isOnEnter) return ["enter"];
  return isOnExit ? ["exit"] : [];
}

const rulesOf = (form: FenceForm) => ({
  min_dwell_s: ruleOf(form, "minDwellS") ?? RULES.minDwellS.usual,
  exit_buffer_m: ruleOf(form, "exitBufferM") ?? RULES.exitBufferM.usual,
  confirm_fixes: ruleOf(form, "confirmFixes") ?? RULES.confirmFixes.usual,
});

export const newFence = (form: FenceForm, draft: Draft): NewFence =>
  ({
    name: form.name.trim(),
    project_id: form.projectId,
    kind: form.kind,
    alert_on: triggersOf(form),
    ...rulesOf(form),
    ...groundOf(draft),
  }) as NewFence;

/** Only what differs: a fence whose edges are sent again ends the visits in it. */
export function changeOf(fence: Geofence, form: FenceForm, draft: Draft): FenceChange {
  const before = formOf(fence, fence.project_id);
  const rules = rulesOf(form);
  return {
    ...(form.name.trim() === fence.name ? {} : { name: form.name.trim() }),
    ...(form.kind === fence.kind ? {} : { kind: form.kind }),
    ...(String(triggersOf(form)) === String(triggersOf(before))
      ? {}
      : { alert_on: triggersOf(form) }),
    ...(rules.min_dwell_s === fence.min_dwell_s ? {} : { min_dwell_s: rules.min_dwell_s }),
    ...(rules.exit_buffer_m === fence.exit_buffer_m ? {} : { exit_buffer_m: rules.exit_buffer_m }),
    ...(rules.confirm_fixes === fence.confirm_fixes ? {} : { confirm_fixes: rules.confirm_fixes }),
    ...(isSameGround(draftOf(fence), draft) ? {} : groundOf(draft)),
  };
}

/** Past range of a preview: a day shows a shift and the night before it. */
const PREVIEW_MS = 86_400_000;

export const previewOf = (form: FenceForm, draft: Draft, nowMs: number): PreviewRequest =>
  ({
    project_id: form.projectId,
    ...rulesOf(form),
    ...groundOf(draft),
    from: new Date(nowMs - PREVIEW_MS).toISOString(),
    to: new Date(nowMs).toISOString(),
  }) as PreviewRequest;
