import { BASE_BYTES, declareTask, LONG_MS } from "../../../pool/task.ts";
import { flightBytes } from "../input/flight-bytes.ts";
import type { FlightInput } from "../input/flight-input.ts";
import type { AnalysedFlight } from "./analyse-flight.ts";

export const ANALYSE_FLIGHT = declareTask<FlightInput, AnalysedFlight>(
  import.meta.url,
  "analyse-flight",
  { timeMs: LONG_MS, memoryBytes: (input) => 2 * BASE_BYTES + flightBytes(input) },
);
