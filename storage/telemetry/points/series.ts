import type { Series } from "../../ports/telemetry-store.ts";
import type { Points } from "./points.ts";

/**
 * Joins settled rows of rising times to a series. A field that no row carries gets no column.
 * Calls `pause` between parts; what it returns is awaited.
 */
export async function createSeries(
  parts: readonly Points[],
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<Series> {
  const length = parts.reduce((sum, part) => sum + part.count, 0);
  const timesMs = new Float64Array(length);
  const columns = new Map<string, Float64Array>();
  let row = 0;
  for (const part of parts) {
    timesMs.set(part.keys, row);
    for (const [i, name] of part.names.entries()) {
      const values = part.columns[i];
      if (values === undefined || values.every(Number.isNaN)) continue;
      const column = columns.get(name) ?? new Float64Array(length).fill(Number.NaN);
      columns.set(name, column);
      column.set(values, row);
    }
    row += part.count;
    await pause();
  }
  return { timesMs, columns };
}
