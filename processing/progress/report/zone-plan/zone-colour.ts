import type { Colour } from "../../../pictures/picture.ts";
import type { PlannedZone } from "./zone-plan.ts";

const NOT_STARTED: Colour = [158, 164, 172];
/** Paler than grey and no blue, so that it is told apart from both in grey print as well. */
const NOT_KNOWN: Colour = [245, 232, 196];
const COMPLETE: Colour = [46, 133, 74];
/** Of work that has begun: light to dark, which stays distinct in grey print and for colour-blind eyes. */
const FIRST: Colour = [186, 214, 235];
const LAST: Colour = [8, 81, 156];

/** Grey before the start, light to dark blue while work goes on, green when complete, sand where nobody knows. */
export function zoneColour({ status, progress }: Pick<PlannedZone, "status" | "progress">): Colour {
  if (progress === undefined) return NOT_KNOWN;
  if (status === "not_started") return NOT_STARTED;
  return status === "complete" ? COMPLETE : progressColour(progress);
}

/** Blue of work that goes on, 0 to 100 %. */
export function progressColour(progress: number): Colour {
  const share = Math.min(1, Math.max(0, progress / 100));
  const mix = (k: 0 | 1 | 2) => Math.round(FIRST[k] + (LAST[k] - FIRST[k]) * share);
  return [mix(0), mix(1), mix(2)];
}
