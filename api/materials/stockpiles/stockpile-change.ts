import { isDeepStrictEqual } from "node:util";
import type { Ring } from "../../../domain/geometry/geofence.ts";
import type { BaseChoice, Stockpile } from "../../../domain/sites/stockpile.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { changedThresholds, readMeasuredAt, toLitres } from "./stockpile-fields.ts";
import type { StockpileChange } from "./stockpile-schemas.ts";

/** A body of PATCH whose outline and base have been read; `undefined`: stays, `null`: goes. */
export interface ReadChange extends Omit<StockpileChange, "footprint" | "base"> {
  readonly footprint: Ring | null | undefined;
  readonly base: BaseChoice | undefined;
}

/**
 * What a change makes of a stockpile. Another footprint or base ends the datum: from the next
 * measurement on, epochs are compared anew.
 * @throws ParameterError for what contradicts the stockpile as it is.
 */
export function changedStockpile(before: Stockpile, change: ReadChange, nowMs: number): Stockpile {
  const outline = changedOutline(before, change);
  const base = change.base ?? before.base;
  const isComparable =
    isDeepStrictEqual(outline.footprint, before.footprint) && isDeepStrictEqual(base, before.base);
  return {
    ...before,
    material: change.material ?? before.material,
    location: change.location ?? before.location,
    max_capacity_m3:
      change.max_capacity_m3 === undefined
        ? before.max_capacity_m3
        : toLitres(change.max_capacity_m3),
    density_t_per_m3: replaced(before.density_t_per_m3, change.density_t_per_m3),
    thresholds: changedThresholds(before.thresholds, change.thresholds),
    ...outline,
    base,
    geofence_id: replaced(before.geofence_id, change.geofence_id),
    ...declaredVolume(before, change, nowMs),
    datum: isComparable ? before.datum : undefined,
    updated_at: new Date(nowMs).toISOString(),
  };
}

/** The field after a change in which absent keeps and null removes. */
const replaced = <T>(before: T | undefined, change: T | null | undefined): T | undefined =>
  change === undefined ? before : (change ?? undefined);

function changedOutline(
  before: Stockpile,
  { footprint: drawn, footprint_status: wanted }: ReadChange,
): Pick<Stockpile, "footprint" | "footprint_state"> {
  const footprint = replaced(before.footprint, drawn);
  if (footprint === undefined) {
    if (wanted !== undefined) {
      throw invalidParameter("footprint_status", "cannot be confirmed: there is no footprint");
    }
    return { footprint, footprint_state: "none" };
  }
  const isByPerson = drawn !== undefined || wanted === "confirmed";
  return { footprint, footprint_state: isByPerson ? "confirmed" : before.footprint_state };
}

/** The volume that a person declares, in the place of what was declared or measured. */
function declaredVolume(before: Stockpile, change: ReadChange, nowMs: number): Partial<Stockpile> {
  if (change.current_volume_m3 === undefined) {
    if (change.measured_at === undefined) return {};
    throw invalidParameter("measured_at", "goes with current_volume_m3, which is absent");
  }
  const last_measured = readMeasuredAt(change.measured_at, nowMs);
  if (before.volume_basis === "measured" && last_measured < before.last_measured) {
    throw invalidParameter(
      "measured_at",
      `must not lie before the last measurement, ${before.last_measured}`,
    );
  }
  return {
    current_volume_m3: toLitres(change.current_volume_m3),
    current_sigma_m3: undefined,
    volume_basis: "declared",
    measurement_id: undefined,
    last_measured,
  };
}
