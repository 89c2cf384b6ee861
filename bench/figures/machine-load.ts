import { availableParallelism, loadavg } from "node:os";

/** How busy the machine is beside a measurement, by the load average of the last minute. */
export function machineLoad(): string {
  return `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`;
}
