import { settle, type TaskResult } from "../../../pool/task-result.ts";
import type { FlightInput } from "../input/flight-input.ts";
import { type AnalysedFlight, analyseFlight } from "./analyse-flight.ts";

/** Worker entry: the zones of a project by one flight. */
export function run(input: FlightInput): Promise<TaskResult<AnalysedFlight>> {
  return settle(() => analyseFlight(input));
}
