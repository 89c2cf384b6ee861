import { isDeepStrictEqual } from "node:util";
import { DomainError } from "../../../domain/errors.ts";
import type { JournalPosition } from "../../../storage/ports/journal.ts";
import type { NodeCommit, PipelineRecords } from "../../../storage/ports/pipeline.ts";
import type { Lease, Leases } from "../../../storage/ports/platform/leases.ts";
import { mutedAlert } from "./alert-mutes.ts";
import { putAlert, upsertedAlert } from "./alerts.ts";
import { appendEvents } from "./events.ts";
import { compareText, type MemoryRows, passes, removeWhere } from "./rows.ts";

/** What the pipeline keeps, in memory. */
export function createMemoryPipeline(
  rows: MemoryRows,
  leases: Leases,
  now: () => number,
): PipelineRecords {
  async function commitNode(node: NodeCommit, checkpoint: JournalPosition): Promise<void> {
    const held = await leases.held("");
    const isHeld = (lease: Lease): boolean => held.some((one) => isDeepStrictEqual(one, lease));
    if (!node.leases.every(isHeld)) throw new DomainError("LEASE_LOST", "not held any more");
    rows.nodeCheckpoints.set(node.id, checkpoint);
  }

  return {
    checkpoint: async (nodeId) =>
      nodeId === undefined ? rows.checkpoint : rows.nodeCheckpoints.get(nodeId),
    states: async (projectIds) =>
      Array.from(rows.states, ([assetId, state]) => ({ assetId, state })).filter(({ assetId }) =>
        passes(projectIds, rows.assets.get(assetId)?.asset.project_id),
      ),
    shared: async () => new Map(rows.shared),
    async share(states) {
      for (const [name, state] of states) rows.shared.set(name, state);
    },
    days: async (assetId, fromDay, toDay) =>
      rows.days
        .filter((day) => day.assetId === assetId && day.day >= fromDay && day.day <= toDay)
        .sort((a, b) => (a.day < b.day ? -1 : 1)),
    daysOf: async (assetIds, fromDay, toDay) =>
      rows.days
        .filter(({ assetId, day }) => assetIds.includes(assetId) && day >= fromDay && day <= toDay)
        .sort((a, b) => compareText(a.assetId, b.assetId) || compareText(a.day, b.day)),
    engineOnS: async (assetId) =>
      rows.days
        .filter((day) => day.assetId === assetId)
        .reduce((sum, day) => sum + day.engineOnS, 0),
    async commit(change) {
      if (change.node === undefined) rows.checkpoint = change.checkpoint;
      else await commitNode(change.node, change.checkpoint);
      for (const { assetId, state } of change.states) rows.states.set(assetId, state);
      const nodeId = change.node?.id ?? "main";
      const earlier = rows.commits.get(nodeId) ?? [];
      rows.commits.set(nodeId, [...earlier, change.states.map(({ assetId }) => assetId)]);
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
        const upserted = upsertedAlert(rows.alerts.get(alert.id), alert);
        putAlert(rows, mutedAlert(rows, upserted));
      }
      for (const [name, state] of change.shared) rows.shared.set(name, state);
    },
  };
}
