import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { PointColumns, PointRun, TelemetryPoint } from "../../ports/telemetry-store.ts";

/** Points of a list, each as columns that are used again for the next. */
export class PointList implements PointRun {
  point: PointColumns | undefined;
  readonly #points: readonly TelemetryPoint[];
  readonly #columns = {
    ...{ assetId: "" as AssetId, projectId: "" as ProjectId, fixTimeMs: 0, seq: -1 },
    ...{ payloadHash: 0, names: [] as string[], values: [] as number[], start: 0, end: 0 },
  };
  #next = 0;

  constructor(points: readonly TelemetryPoint[]) {
    this.#points = points;
    this.next();
  }

  next(): void {
    const point = this.#points[this.#next];
    this.#next += 1;
    this.point = point === undefined ? undefined : this.#columnsOf(point);
  }

  #columnsOf({ assetId, projectId, fixTimeMs, seq, payloadHash, fields }: TelemetryPoint) {
    const columns = this.#columns;
    columns.assetId = assetId;
    columns.projectId = projectId;
    columns.fixTimeMs = fixTimeMs;
    columns.seq = seq;
    columns.payloadHash = payloadHash;
    let end = 0;
    for (const name in fields) {
      columns.names[end] = name;
      columns.values[end] = fields[name] as number;
      end += 1;
    }
    columns.end = end;
    return columns;
  }
}
