import type { Failure } from "../../api/failure.ts";
import { cornerOf } from "../../map/drawing/draft.ts";

interface Flaws {
  /** What is wrong with a corner, by its place, and with radius or width. */
  readonly corners: ReadonlyMap<number | "size", string>;
  /** What is said of nothing that has a place on this page. */
  readonly rest: string;
}

const FIELDS = ["name", "project_id", "min_dwell_s", "exit_buffer_m", "confirm_fixes"];

/** Sorts what the service refused by where it is shown. */
export function flawsOf(failure: Failure | undefined): Flaws {
  const corners = new Map<number | "size", string>();
  const rest: string[] = [];
  for (const { parameter, message } of failure?.details ?? []) {
    const corner = /\.(radius|width)_m$/.test(parameter) ? "size" : cornerOf(parameter);
    if (corner !== undefined) corners.set(corner, message);
    else rest.push(FIELDS.includes(parameter) ? message : `${parameter} ${message}`);
  }
  const isPlaced = corners.size > 0 && rest.length === 0;
  const message = isPlaced ? [...corners.values()][0] : rest.join("; ");
  return { corners, rest: message || (failure?.message ?? "") };
}

/** Places of the corners that the service refused, to be marked on the map. */
export const wrongCorners = (failure: Failure): readonly number[] =>
  (failure.details ?? []).flatMap(({ parameter }) => cornerOf(parameter) ?? []);
