import { type AnalysedFlight, analyseFlight } from "../progress/flight/analyse-flight.ts";
import type { FlightInput } from "../progress/flight/flight-input.ts";
import { settle, type TaskResult } from "./contract.ts";

/** Worker entry: the zones of a project by one flight. */
export function run(input: FlightInput): Promise<TaskResult<AnalysedFlight>> {
  return settle(() => analyseFlight(input));
}
