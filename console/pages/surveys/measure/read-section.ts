import type { Outcome } from "../../../api/outcome.ts";
import type { LatLng } from "../../../map/drawing/draft.ts";
import { type HeightProfile, readProfile } from "./requests.ts";
import { type Section, sectionOf } from "./section.ts";

/** Heights along a whole line: two for each pixel of the chart on a phone. */
const POINTS = 201;

/** Reads the heights along a line, leg by leg; of several failures the first is the answer. */
export async function readSection(
  surveyId: string,
  corners: readonly LatLng[],
  compareWith: string | undefined,
  signal: AbortSignal,
): Promise<Outcome<Section>> {
  const legs = corners.slice(1).map((to, i) => ({ from: corners[i] ?? to, to }));
  const points = Math.max(2, Math.round((POINTS - 1) / legs.length) + 1);
  const outcomes = await Promise.all(
    legs.map((leg) => readProfile(surveyId, { ...leg, points, compareWith }, signal)),
  );
  const profiles: HeightProfile[] = [];
  for (const outcome of outcomes) {
    if ("failure" in outcome) return outcome;
    profiles.push(outcome.value);
  }
  return { value: sectionOf(profiles) };
}
