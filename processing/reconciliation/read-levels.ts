import type { AssetId } from "../../domain/ids.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import type { TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import { type PayloadLevel, type PayloadWindow, payloadLevel } from "./payload-level.ts";
import type { WeighingErrors } from "./weighing-errors.ts";

/**
 * Windows this near to each other, ms, are read at once: a truck goes round in a quarter of an hour, and a day's
 * haul then is a few reads rather than a hundred.
 */
const JOIN_MS = 30 * MINUTE_MS;
/**
 * Longest range that is read at once, ms, which bounds what is in memory: 43,200 rows at 1 Hz. Less only reads
 * more often.
 */
const SLICE_MS = 12 * HOUR_MS;

const FIELD = "payload_kg";

/** The payload of one machine at each window, in their order; `undefined`: no reading there. */
export async function readLevels(
  telemetry: Pick<TelemetryStore, "read">,
  assetId: AssetId,
  windows: readonly PayloadWindow[],
  errors: WeighingErrors,
): Promise<readonly (PayloadLevel | undefined)[]> {
  const levels = new Map<PayloadWindow, PayloadLevel | undefined>();
  for (const group of readTogether(windows)) {
    const fromMs = Math.min(...group.map((window) => window.fromMs));
    const toMs = Math.max(...group.map((window) => window.toMs));
    const { timesMs, columns } = await telemetry.read({ assetId, fromMs, toMs, fields: [FIELD] });
    const payloadKg = columns.get(FIELD);
    if (payloadKg === undefined) continue;
    for (const window of group) {
      levels.set(window, payloadLevel({ timesMs, payloadKg }, window, errors));
    }
  }
  return windows.map((window) => levels.get(window));
}

/** Windows that are not empty, by time, in groups that are read at once. */
function readTogether(windows: readonly PayloadWindow[]): readonly PayloadWindow[][] {
  const groups: PayloadWindow[][] = [];
  let [startMs, endMs] = [0, Number.NEGATIVE_INFINITY];
  for (const window of windows.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const { fromMs, toMs } = window;
    if (fromMs >= toMs) continue;
    const isNear = fromMs - endMs <= JOIN_MS && toMs - startMs <= SLICE_MS;
    const last = groups.at(-1);
    if (isNear && last !== undefined) last.push(window);
    else {
      groups.push([window]);
      startMs = fromMs;
      endMs = toMs;
    }
    endMs = Math.max(endMs, toMs);
  }
  return groups;
}
