import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { TelemetryPoint } from "../../ports/telemetry-store.ts";
import type { Points } from "../points/points.ts";

/** Settled rows of one asset as points; `projects` are the catalog's, by number. */
export function exportPoints(
  assetId: AssetId,
  parts: readonly Points[],
  projects: readonly string[],
): readonly TelemetryPoint[] {
  const points: TelemetryPoint[] = [];
  for (const { count, keys, seqs, hashes, projects: numbers, names, columns } of parts) {
    for (let row = 0; row < count; row++) {
      // Devices choose the names: one may be that of a property of every object.
      const fields: Record<string, number> = Object.create(null);
      for (const [i, name] of names.entries()) {
        const value = columns[i]?.[row] ?? Number.NaN;
        if (!Number.isNaN(value)) fields[name] = value;
      }
      points.push({
        assetId,
        projectId: projects[numbers[row] ?? 0] as ProjectId,
        fixTimeMs: keys[row] as number,
        seq: seqs[row] as number,
        payloadHash: hashes[row] as number,
        fields,
      });
    }
  }
  return points;
}
