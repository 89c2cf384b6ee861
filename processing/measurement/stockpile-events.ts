import type { EventType, NewEvent } from "../../domain/events/events.ts";
import type { StockpileMeasurement } from "../../domain/sites/measurement.ts";
import {
  STOCKPILE_STATUSES,
  type Stockpile,
  stockpileStatus,
} from "../../domain/sites/stockpile.ts";

/**
 * The events of a measurement: always that there is one; when it became the stockpile's volume, also that the
 * stockpile fell to `low` or `empty` from above, or became `full`. Ids follow from the measurement's.
 */
export function stockpileEvents(
  before: Stockpile,
  measurement: StockpileMeasurement,
): readonly NewEvent[] {
  const { id, project_id, stockpile_id, measured_at, is_current } = measurement;
  const was = stockpileStatus(before, before.current_volume_m3);
  const is = stockpileStatus(before, measurement.current_volume_m3);
  const event = (kind: string, type: EventType): NewEvent => ({
    id: `evt_${id}_${kind}`,
    revision: 1,
    type,
    projectId: project_id,
    assetId: undefined,
    occurredAtMs: Date.parse(measured_at),
    data: {
      stockpile_id,
      measurement_id: id,
      material: before.material,
      storage_area: before.location,
      status: is,
      max_capacity_m3: before.max_capacity_m3,
      previous_volume_m3: measurement.previous_volume_m3,
      current_volume_m3: measurement.current_volume_m3,
      change_m3: measurement.change_m3,
      uncertainty_95_m3: measurement.uncertainty_95_m3,
      is_current,
    },
  });
  const events = [event("measured", "materials.stockpile.measured")];
  if (!is_current) return events;
  const isLow = (status: typeof is) =>
    STOCKPILE_STATUSES.indexOf(status) <= STOCKPILE_STATUSES.indexOf("low");
  if (isLow(is) && !isLow(was)) events.push(event("low", "materials.stockpile.low"));
  if (is === "full" && was !== "full") events.push(event("full", "materials.stockpile.full"));
  return events;
}
