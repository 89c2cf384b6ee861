import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../support/until.ts";
import { BACKLOG, metric, type Observations, observe, WRITTEN } from "./probe.ts";
import { ADMIN_KEY, type Scene } from "./scene.ts";

/** How InfluxDB is gone. */
export type Outage = "stopped" | "refused" | "errors" | "slow";

/** What one outage did. */
export interface OutageFindings {
  readonly outage: Outage;
  readonly during: Observations;
  /** Resident memory at its most over what it was before, bytes. */
  readonly growthBytes: number;
  /** Acknowledged messages while it lasted, and messages that had no acknowledgement at its end. */
  readonly acknowledged: number;
  readonly unacknowledged: number;
  readonly backlogRecords: number;
  /** Points written per second from the first one until the backlog was gone, load going on. */
  readonly drainedPerS: number;
  readonly drainMs: number;
}

/** How long a drain may take before the run is given up, ms. */
const PATIENT_MS = 600_000;
/** The memory before is the median of what is seen in so long, ms; half of the outage where that is less. */
const CALM_MS = 5_000;

export async function runOutage(
  scene: Scene,
  outage: Outage,
  options: { readonly forMs: number; readonly ratePerS: number },
): Promise<OutageFindings> {
  const { devices, influx, proxy } = scene;
  const { http } = scene.service();
  const target = { http, key: ADMIN_KEY, assetId: devices[0]?.id ?? "" };
  const calm = await observe(target, Math.min(CALM_MS, options.forMs / 2));
  const ackedBefore = sum(devices.map((device) => device.acked.size));
  if (outage === "stopped") influx.freeze();
  else await proxy.break(outage);
  const during = await observe(target, options.forMs);
  const acknowledged = sum(devices.map((device) => device.acked.size)) - ackedBefore;
  const unacknowledged = sum(devices.map((device) => device.inFlight));
  const backlogRecords = await metric(http, BACKLOG);
  const writtenBefore = await metric(http, WRITTEN);
  if (outage === "stopped") influx.thaw();
  else await proxy.break("none");

  // From the last poll that saw no point: how long the writer waits before it tries again is not the drain.
  let beganMs = performance.now();
  await until(
    "the first points come through",
    async () => {
      const lookMs = performance.now();
      if ((await metric(http, WRITTEN)) > writtenBefore) return true;
      beganMs = lookMs;
      return false;
    },
    PATIENT_MS,
  );
  const isDrained = async () => (await metric(http, BACKLOG)) < options.ratePerS;
  while (!(await isDrained())) {
    if (performance.now() - beganMs > PATIENT_MS) throw new Error("the backlog does not drain");
    await delay(100);
  }
  const drainMs = performance.now() - beganMs;
  const written = (await metric(http, WRITTEN)) - writtenBefore;
  return {
    outage,
    during,
    growthBytes: Math.max(...during.residentBytes) - median(calm.residentBytes),
    acknowledged,
    unacknowledged,
    backlogRecords,
    drainedPerS: (written * 1_000) / drainMs,
    drainMs,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
