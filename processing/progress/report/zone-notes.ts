import { DAY_MS } from "../../../domain/time.ts";
import type { SmoothedEstimate } from "./smooth-estimates.ts";
import { isByImages } from "./smooth-estimates.ts";
import type { ReportMoment, ZonePoint, ZoneWord } from "./zone-history.ts";

/** What a reader must know of a figure that no capture of this time made. */
export function wordNotes(start: ZoneWord, { captureDateMs }: ReportMoment): readonly string[] {
  const { observation, atMs, progress } = start;
  if (observation !== undefined) {
    const note = observation.note === "" ? "" : `: ${observation.note}`;
    return [
      `${observation.observed_by} said ${percent(progress)} on ${day(atMs)}${ageText(atMs, captureDateMs)}${note}`,
    ];
  }
  if (progress === 0) return ["no evidence yet: the figure is what was declared with the zone"];
  return atMs > captureDateMs
    ? [`no evidence at this time: the figure is what was declared for ${day(atMs)}`]
    : [`declared with the zone for ${day(atMs)}${ageText(atMs, captureDateMs)}; no evidence since`];
}

/** What was done to an estimate before it was published. */
export function estimateNotes(options: {
  readonly newest: ZonePoint;
  readonly smoothed: SmoothedEstimate;
  readonly progress: number;
  readonly isComplete: boolean;
  /** Most that the estimate may say of a zone that is not complete. */
  readonly most: number;
  readonly isConfirmed: boolean;
  readonly moment: ReportMoment;
}): readonly string[] {
  const { newest, smoothed, progress, isComplete, isConfirmed, moment, most } = options;
  const { atMs, raw, estimate } = newest;
  const { before, pooled, hasFallen } = smoothed;
  const notes: string[] = [];
  if (newest.captureId !== moment.captureId) {
    notes.push(
      `not seen by this capture: carried forward from ${day(atMs)}${ageText(atMs, moment.captureDateMs)}, work since then is not in the figure`,
    );
  }
  if (newest.isOfOtherTask) {
    notes.push(
      "the zone's outline, metric or surfaces were changed since: the figure is of what it was to become then",
    );
  }
  if (hasFallen) {
    notes.push(
      `regression suspected: ${percent(raw)} after ${percent(before)}; demolition, rework or a mistake${
        isByImages(newest) ? "" : ", the measured figure is published"
      }`,
    );
  }
  if (isComplete && isConfirmed) notes.push("a person confirmed that it is complete");
  else if (isComplete && estimate.is_at_design && raw < 99.95) {
    notes.push(`at its design within the tolerance; ${percent(raw)} was measured`);
  }
  if (isByImages(newest) && !isComplete) {
    if (pooled.length > 1) {
      notes.push(`smoothed over ${pooled.length} captures; this one alone says ${percent(raw)}`);
    } else if (Math.abs(progress - raw) >= 0.1 && raw < progress) {
      notes.push(`not below what was known before; this capture alone says ${percent(raw)}`);
    }
  }
  if (!isComplete && raw > progress && progress === most) {
    notes.push(`held at ${progress} %: completion is for a person, or a surer measurement, to say`);
  }
  return notes;
}

/** "12.3 %", "100 %". */
const percent = (value: number): string => `${Number(value.toFixed(1))} %`;

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** ", 14 days before this capture"; nothing within a day. */
function ageText(ms: number, untilMs: number): string {
  const days = Math.floor((untilMs - ms) / DAY_MS);
  if (days < 1) return "";
  return `, ${days} ${days === 1 ? "day" : "days"} before this capture`;
}
