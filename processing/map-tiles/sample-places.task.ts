import { settle, type TaskResult } from "../pool/task-result.ts";
import { type PlacesInput, samplePlaces } from "./sample-places.ts";

/** Worker entry: heights of a survey at places. */
export function run(input: PlacesInput): Promise<TaskResult<Float64Array>> {
  return settle(() => samplePlaces(input));
}
