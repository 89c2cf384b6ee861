import type { Camera } from "../../map/survey-map.ts";

/** A step to another date of the same ground. */
interface Step {
  /** Where the map looked before it; `undefined`: it was never moved. */
  readonly camera: Camera | undefined;
}

let seen: Camera | undefined;
let step: Step | undefined;

/** The map of a survey looks there now. */
export function seeFrom(camera: Camera): void {
  seen = camera;
}

/** Before the page of another date: its map looks where the one before did, and its slider has the focus. */
export function beginStep(): void {
  step = { camera: seen };
}

/** What the page that follows a step begins with; of any other page there is none. */
export function takeStep(): Step | undefined {
  const taken = step;
  step = undefined;
  seen = taken?.camera;
  return taken;
}
