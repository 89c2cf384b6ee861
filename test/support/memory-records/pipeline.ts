import type { PipelineRecords } from "../../../storage/ports.ts";
import { upsertedAlert } from "./alerts.ts";
import { appendEvents } from "./events.ts";
import { type MemoryRows, removeWhere } from "./rows.ts";

/** What the pipeline keeps, in memory. */
export function createMemoryPipeline(rows: MemoryRows, now: () => number): PipelineRecords {
  return {
    checkpoint: async () => rows.checkpoint,
    states: async () => Array.from(rows.states, ([assetId, state]) => ({ assetId, state })),
    shared: async () => new Map(rows.shared),
    days: async (assetId, fromDay, toDay) =>
      rows.days
        .filter((day) => day.assetId === assetId && day.day >= fromDay && day.day <= toDay)
        .sort((a, b) => (a.day < b.day ? -1 : 1)),
    engineOnS: async (assetId) =>
      rows.days
        .filter((day) => day.assetId === assetId)
        .reduce((sum, day) => sum + day.engineOnS, 0),
    async commit(change) {
      rows.checkpoint = change.checkpoint;
      for (const { assetId, state } of change.states) rows.states.set(assetId, state);
      for (const day of change.days) {
        removeWhere(rows.days, (old) => old.assetId === day.assetId && old.day === day.day);
        rows.days.push(day);
      }
      for (const entry of change.quarantined) {
        if (!rows.quarantine.some(({ id }) => id === entry.id)) rows.quarantine.push(entry);
      }
      appendEvents(rows, change.events, now());
      for (const visit of change.visits) rows.visits.set(visit.id, visit);
      for (const alert of change.alerts) {
        rows.alerts.set(alert.id, upsertedAlert(rows.alerts.get(alert.id), alert));
      }
      for (const [name, state] of change.shared) rows.shared.set(name, state);
    },
  };
}
