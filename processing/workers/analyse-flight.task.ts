import { settle, type TaskResult } from "../pool/task-result.ts";
import { type AnalysedFlight, analyseFlight } from "../progress/flight/analysis/analyse-flight.ts";
import type { FlightInput } from "../progress/flight/input/flight-input.ts";

/** Worker entry: the zones of a project by one flight. */
export function run(input: FlightInput): Promise<TaskResult<AnalysedFlight>> {
  return settle(() => analyseFlight(input));
}
