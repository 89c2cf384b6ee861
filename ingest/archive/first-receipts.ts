import { LATE_FIELD } from "../../domain/equipment/lateness.ts";
import type { TelemetryArchive } from "../../storage/ports/telemetry-archive.ts";
import type { TelemetryPoint } from "../../storage/ports/telemetry-store.ts";
import { byAssetAndTime, timeRanges } from "./asset-times.ts";

/**
 * The same late positions, each as late as the first receipt of a position of its time. A server keeps of each field
 * what comes last, so without a local store it is asked what it has: a position that came in time, and now comes again,
 * must not become late. The server must have everything before them.
 * @throws DomainError as `TelemetryArchive.read`.
 */
export async function asFirstReceived(
  archive: Pick<TelemetryArchive, "read">,
  points: readonly TelemetryPoint[],
): Promise<readonly TelemetryPoint[]> {
  const found: TelemetryPoint[] = [];
  for (const [assetId, byTime] of byAssetAndTime(points)) {
    for (const times of timeRanges(byTime.keys())) {
      const fromMs = times[0] ?? 0;
      const toMs = (times.at(-1) ?? fromMs) + 1;
      const fields = ["latitude", LATE_FIELD];
      const { timesMs, columns } = await archive.read({ assetId, fromMs, toMs, fields });
      const firsts = new Map<number, number>();
      for (const [row, time] of timesMs.entries()) {
        if (Number.isNaN(columns.get("latitude")?.[row] ?? Number.NaN)) continue;
        const late = columns.get(LATE_FIELD)?.[row] ?? Number.NaN;
        firsts.set(time, Number.isNaN(late) ? 0 : late);
      }
      for (const time of times) {
        for (const point of byTime.get(time) ?? []) {
          const { [LATE_FIELD]: late = 0, ...own } = point.fields;
          const first = Math.min(late, firsts.get(time) ?? late);
          firsts.set(time, first);
          found.push({ ...point, fields: first > 0 ? { ...own, [LATE_FIELD]: first } : own });
        }
      }
    }
  }
  return found;
}
