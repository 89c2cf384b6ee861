import type { PointRun, TelemetryPoint } from "../../storage/ports/telemetry-store.ts";

/** Takes all points of a run, each as an object of its own. */
export function pointsOfRun(run: PointRun): readonly TelemetryPoint[] {
  const points: TelemetryPoint[] = [];
  for (let { point } = run; point !== undefined; { point } = run) {
    const { assetId, projectId, fixTimeMs, seq, payloadHash, names, values, start, end } = point;
    const fields = names.slice(start, end).map((name, i) => [name, values[start + i]]);
    points.push({
      ...{ assetId, projectId, fixTimeMs, seq, payloadHash },
      fields: Object.fromEntries(fields) as TelemetryPoint["fields"],
    });
    run.next();
  }
  return points;
}
