import { DomainError } from "../../domain/errors.ts";
import type { AssetId, GeofenceId, ProjectId } from "../../domain/ids.ts";
import type { VisitRecords } from "../../storage/ports/equipment/visits.ts";
import type { TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import { byAsset } from "./by-asset.ts";
import { readLevels } from "./read-levels.ts";
import { FLICKER_MS, type Stay, staysOf } from "./stays.ts";
import { type Load, payloadWindows, REACH_MS, weighStay } from "./weigh-stay.ts";
import type { WeighingErrors } from "./weighing-errors.ts";

/**
 * Most visits that are read at once: 50 days of 200 loads. More takes more memory at once, fewer refuses long
 * periods.
 */
const MOST_VISITS = 10_000;

export interface CountingTools {
  readonly visits: Pick<VisitRecords, "list">;
  readonly telemetry: Pick<TelemetryStore, "read">;
}

/** Whose loads are counted, and when: stays that ended within `(fromMs, toMs]`, ms since the Unix epoch. */
export interface CountedPeriod {
  readonly projectId: ProjectId;
  readonly geofenceId: GeofenceId;
  readonly fromMs: number;
  readonly toMs: number;
  /** Machines that carry nothing of the pile's. */
  readonly ignored: ReadonlySet<AssetId>;
}

export interface CountedLoads {
  /** By the time of exit. */
  readonly loads: readonly Load[];
  /** Stays that began by then and were not over at the end of the period: loads of the next one. */
  readonly inside: readonly Stay[];
}

/**
 * Weighs every stay in a fence that ended in the period.
 * @throws DomainError `PARAMETER_INVALID` for more visits than are read at once; `STORE_UNAVAILABLE`
 */
export async function countLoads(
  { visits, telemetry }: CountingTools,
  { projectId, geofenceId, fromMs, toMs, ignored }: CountedPeriod,
  errors: WeighingErrors,
): Promise<CountedLoads> {
  // The stays beside the first and the last one bound the search for what those carried.
  const marginMs = REACH_MS + FLICKER_MS;
  const found = await visits.list({
    projectIds: [projectId],
    geofenceId,
    fromMs: fromMs - marginMs,
    toMs: toMs + marginMs,
    limit: MOST_VISITS,
    offset: 0,
  });
  if (found.total > MOST_VISITS) {
    throw new DomainError(
      "PARAMETER_INVALID",
      `${found.total} visits lie between the measurements, more than ${MOST_VISITS}: choose two nearer to each other`,
    );
  }
  const stays = staysOf(found.visits.filter(({ assetId }) => !ignored.has(assetId)));
  const over = stays.filter(isOver).filter(({ exitedMs: t }) => t > fromMs && t <= toMs);
  const loads: Load[] = [];
  for (const [assetId, own] of byAsset(over, (stay) => stay.assetId)) {
    const windows = own.map(payloadWindows).flatMap(({ before, after }) => [before, after]);
    const levels = await readLevels(telemetry, assetId, windows, errors);
    for (const [i, stay] of own.entries()) {
      loads.push(weighStay(stay, levels[2 * i], levels[2 * i + 1], errors));
    }
  }
  return {
    loads: loads.toSorted((a, b) => a.stay.exitedMs - b.stay.exitedMs),
    inside: stays.filter(
      ({ enteredMs, exitedMs = Number.POSITIVE_INFINITY }) => enteredMs <= toMs && exitedMs > toMs,
    ),
  };
}

function isOver(stay: Stay): stay is Load["stay"] {
  return stay.exitedMs !== undefined;
}
