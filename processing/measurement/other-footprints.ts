import type { Ring } from "../../domain/geometry/geofence.ts";
import type { Stockpile } from "../../domain/sites/stockpile.ts";
import type { StockpileRecords } from "../../storage/ports/sites/stockpiles.ts";

/** Footprints of the project's other stockpiles: ground that may have changed as well. */
export async function otherFootprints(
  records: Pick<StockpileRecords, "list">,
  { id, project_id }: Pick<Stockpile, "id" | "project_id">,
): Promise<readonly Ring[]> {
  const { stockpiles } = await records.list({ projectIds: [project_id], offset: 0 });
  return stockpiles.flatMap((other) =>
    other.id === id || other.footprint === undefined ? [] : [other.footprint],
  );
}
