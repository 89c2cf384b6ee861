import { DomainError } from "../../../domain/errors.ts";
import type { WorkZoneId } from "../../../domain/ids.ts";
import type { ZoneObservation } from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { WorkZoneRecords } from "../../../storage/ports/sites/work-zones.ts";
import {
  compareText,
  type MemoryRows,
  pageOfRows,
  passes,
  removeWhere,
  throughJson,
} from "./rows.ts";

/** Work zones and what people said of them in memory. */
export function createMemoryWorkZones(rows: MemoryRows): WorkZoneRecords {
  const { workZones } = rows;
  return {
    async insert(zone) {
      if (!rows.projects.has(zone.project_id)) {
        throw new DomainError("PROJECT_NOT_FOUND", zone.project_id);
      }
      if (workZones.has(zone.id)) {
        throw new DomainError("ID_CONFLICT", `zone id "${zone.id}" is taken`);
      }
      workZones.set(zone.id, throughJson(zone));
    },
    find: async (id) => workZones.get(id),
    async list({ projectIds, ...page }) {
      const all = [...workZones.values()]
        .filter((zone) => zone !== undefined)
        .filter((zone) => passes(projectIds, zone.project_id))
        .sort((a, b) => compareText(a.created_at, b.created_at) || compareText(a.id, b.id));
      return { zones: pageOfRows(all, page), total: all.length };
    },
    async update(id, change) {
      const zone = change(requireZone(rows, id));
      workZones.set(id, throughJson(zone));
      return zone;
    },
    async delete(id) {
      requireZone(rows, id);
      workZones.set(id, undefined);
      for (const list of [rows.observations, rows.labels, rows.views]) {
        removeWhere<{ readonly zone_id: WorkZoneId }>(list, ({ zone_id }) => zone_id === id);
      }
    },
    async addObservation(observation) {
      requireZone(rows, observation.zone_id);
      keepObservation(rows, observation);
    },
    async observations(ids, untilMs) {
      return rows.observations
        .filter(({ zone_id }) => ids.includes(zone_id))
        .filter(({ observed_at }) => Date.parse(observed_at) <= untilMs)
        .sort(
          (a, b) =>
            compareText(a.observed_at, b.observed_at) ||
            compareText(a.recorded_at, b.recorded_at) ||
            compareText(a.id, b.id),
        );
    },
  };
}

/** @throws DomainError `ZONE_NOT_FOUND`. */
export function requireZone({ workZones }: MemoryRows, id: WorkZoneId): WorkZone {
  const zone = workZones.get(id);
  if (zone === undefined) throw new DomainError("ZONE_NOT_FOUND", `no work zone "${id}"`);
  return zone;
}

/** One that is there is left alone. */
export function keepObservation({ observations }: MemoryRows, observation: ZoneObservation): void {
  if (observations.some(({ id }) => id === observation.id)) return;
  observations.push(throughJson(observation));
}
