import { type Draft, draftOf, isDrawn, isSameGround } from "../../map/drawing/draft.ts";
import type { WorkZone } from "../../state/site-places.ts";
import { readPercent } from "../progress/read-percent.ts";
import type { NewZone, ZoneChange } from "./requests.ts";

type Metric = WorkZone["metric"];
export type MetricKind = Metric["kind"];

/** A level as it is typed; its top in metres above the baseline. */
export interface LevelForm {
  readonly name: string;
  readonly topM: number | undefined;
  readonly weight: string;
}

/** A stage as it is typed. */
export interface StageForm {
  readonly name: string;
  readonly credit: string;
}

/** What a person says of a zone beside its outline; numbers as they are typed. */
export interface ZoneForm {
  readonly name: string;
  readonly kind: MetricKind;
  /** Metres; `undefined`: by the level of detection of each flight. */
  readonly toleranceM: number | undefined;
  readonly levels: readonly LevelForm[];
  readonly stages: readonly StageForm[];
  readonly weight: string;
  readonly declared: string;
  /** One a line. */
  readonly codes: string;
  readonly wbs: string;
  readonly names: string;
}

/** Metrics that compare surfaces, and so need an outline. */
export const SURFACE_KINDS: readonly MetricKind[] = ["fill", "cut", "height", "area"];
export const KINDS: readonly MetricKind[] = [...SURFACE_KINDS, "image", "stages", "manual"];

const EMPTY_LEVEL: LevelForm = { name: "", topM: undefined, weight: "1" };
const EMPTY_STAGE: StageForm = { name: "", credit: "" };

export function formOf(zone: WorkZone | undefined): ZoneForm {
  const { metric, activities } = zone ?? {};
  return {
    name: zone?.name ?? "",
    kind: metric?.kind ?? "manual",
    toleranceM: metric?.tolerance_m,
    levels: metric?.levels?.map(({ name, top_m, weight }) => ({
      ...{ name, topM: top_m, weight: String(weight ?? 1) },
    })) ?? [EMPTY_LEVEL],
    stages: metric?.stages?.map(({ name, credit }) => ({ name, credit: String(credit) })) ?? [
      EMPTY_STAGE,
      EMPTY_STAGE,
    ],
    weight: zone?.weight === undefined ? "" : String(zone.weight),
    declared: String(zone?.declared_progress ?? 0),
    codes: activities?.codes.join("\n") ?? "",
    wbs: activities?.wbs.join("\n") ?? "",
    names: activities?.names.join("\n") ?? "",
  };
}

/** The outline of a stored zone, to be drawn on. */
export const outlineOf = ({ polygon }: Pick<WorkZone, "polygon">): Draft =>
  draftOf({ shape: "polygon", polygon: polygon ?? [] });

/** With one more row at the end, or without one of them. */
export const withRow = {
  level: (form: ZoneForm): ZoneForm => ({ ...form, levels: [...form.levels, EMPTY_LEVEL] }),
  stage: (form: ZoneForm): ZoneForm => ({ ...form, stages: [...form.stages, EMPTY_STAGE] }),
};

/** A number above 0 that somebody typed; `undefined`: it is none. */
function readPositive(text: string): number | undefined {
  const written = text.trim().replace(",", ".");
  const value = /^\d+(\.\d+)?$/.test(written) ? Number(written) : 0;
  return value > 0 ? value : undefined;
}

/** The metric as the API takes it; `undefined`: something of it is missing. */
function metricOf(form: ZoneForm): Metric | undefined {
  const { kind, toleranceM } = form;
  if (Number.isNaN(toleranceM)) return undefined;
  const tolerance =
    toleranceM === undefined || !SURFACE_KINDS.includes(kind) ? {} : { tolerance_m: toleranceM };
  if (kind === "height") {
    const levels = form.levels.map(({ name, topM, weight }) => ({
      ...{
        name: name.trim(),
        top_m: topM ?? Number.NaN,
        weight: readPositive(weight) ?? Number.NaN,
      },
    }));
    const isWhole = levels.every(
      ({ name, top_m, weight }) => name !== "" && top_m > 0 && weight > 0,
    );
    return isWhole ? { kind, levels, ...tolerance } : undefined;
  }
  if (kind === "stages") {
    const stages = form.stages.map(({ name, credit }) => ({
      ...{ name: name.trim(), credit: readPercent(credit) ?? Number.NaN },
    }));
    const isWhole = stages.every(({ name, credit }) => name !== "" && credit >= 0);
    return isWhole ? { kind, stages } : undefined;
  }
  return { kind, ...tolerance };
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const activitiesOf = ({ codes, wbs, names }: ZoneForm) => ({
  codes: linesOf(codes),
  wbs: linesOf(wbs),
  names: linesOf(names),
});

const polygonOf = ({ points }: Draft) => points.map(([lat, lng]): [number, number] => [lat, lng]);

/** Whether the service has a chance to take it. */
export function isComplete(form: ZoneForm, draft: Draft): boolean {
  const needsOutline = SURFACE_KINDS.includes(form.kind);
  const isOutlined = isDrawn(draft) || (!needsOutline && draft.points.length === 0);
  const isWeighed = form.weight.trim() === "" || readPositive(form.weight) !== undefined;
  return (
    form.name.trim() !== "" &&
    metricOf(form) !== undefined &&
    isOutlined &&
    isWeighed &&
    readPercent(form.declared) !== undefined
  );
}

export function newZone(projectId: string, form: ZoneForm, draft: Draft): NewZone {
  const weight = readPositive(form.weight);
  return {
    project_id: projectId,
    name: form.name.trim(),
    metric: metricOf(form),
    activities: activitiesOf(form),
    declared_progress: readPercent(form.declared) ?? 0,
    ...(weight === undefined ? {} : { weight }),
    ...(isDrawn(draft) ? { polygon: polygonOf(draft) } : {}),
  } as NewZone;
}

/** Only what differs: an outline or a metric that is sent again would say that the task is another one. */
export function changeOf(zone: WorkZone, form: ZoneForm, draft: Draft): ZoneChange {
  const before = formOf(zone);
  const weight = readPositive(form.weight);
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  return {
    ...(form.name.trim() === zone.name ? {} : { name: form.name.trim() }),
    ...(isSame(metricOf(form), metricOf(before)) ? {} : { metric: metricOf(form) }),
    ...(isSame(activitiesOf(form), activitiesOf(before)) ? {} : { activities: activitiesOf(form) }),
    ...(weight === zone.weight ? {} : { weight: weight ?? null }),
    ...(readPercent(form.declared) === zone.declared_progress
      ? {}
      : { declared_progress: readPercent(form.declared) }),
    ...(isSameGround(outlineOf(zone), draft)
      ? {}
      : { polygon: isDrawn(draft) ? polygonOf(draft) : null }),
  } as ZoneChange;
}
