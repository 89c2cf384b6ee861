import {
  type Command,
  isOpen,
  KEPT_COMMANDS_PER_ASSET,
} from "../../../domain/equipment/command.ts";
import { commandEvent } from "../../../domain/equipment/command-event.ts";
import { asQueued } from "../../../domain/equipment/command-steps.ts";
import { DomainError } from "../../../domain/errors.ts";
import { requireRoomForCommand } from "../../../domain/platform/record-limits.ts";
import type { CommandRecords } from "../../../storage/ports/equipment/commands.ts";
import { appendEvents } from "./events.ts";
import { type MemoryRows, pageOfRows, passes } from "./rows.ts";

/** Commands to devices in memory. */
export function createMemoryCommands(rows: MemoryRows, now: () => number): CommandRecords {
  const { commands } = rows;
  const all = (): readonly Command[] => [...commands.values()];
  const opened = (): readonly Command[] => all().filter(isOpen);

  return {
    async insert(command) {
      const open = opened();
      requireRoomForCommand({
        ofAsset: open.filter(({ assetId }) => assetId === command.assetId).length,
        ofProject: open.filter(({ projectId }) => projectId === command.projectId).length,
      });
      if (commands.has(command.id)) throw new DomainError("ID_CONFLICT", command.id);
      rows.lastCommand += 1;
      const queued = asQueued(command, rows.lastCommand);
      commands.set(queued.id, queued);
      appendEvents(rows, [commandEvent(queued)], now());
      const ofAsset = all().filter(({ assetId }) => assetId === command.assetId);
      for (const old of ofAsset.slice(0, -KEPT_COMMANDS_PER_ASSET)) {
        if (!isOpen(old)) commands.delete(old.id);
      }
      return queued;
    },
    find: async (id) => commands.get(id),
    findBySequence: async (assetId, sequence) =>
      all().find((one) => one.assetId === assetId && one.sequence === sequence),
    async list({ assetId, projectIds, states, ...page }) {
      const found = all()
        .filter((one) => one.assetId === assetId)
        .filter((one) => passes(projectIds, one.projectId) && passes(states, one.state))
        .reverse();
      return { commands: pageOfRows(found, page), total: found.length };
    },
    async update(id, change) {
      const before = commands.get(id);
      const after = before && change(before);
      if (after === undefined) return undefined;
      commands.set(id, after);
      appendEvents(rows, [commandEvent(after)], now());
      return after;
    },
    head: async (assetId) => opened().find((one) => one.assetId === assetId),
    openAssets: async () => [...new Set(opened().map(({ assetId }) => assetId))],
    lastSequence: async () => rows.lastCommand,
    since: async (sequence, limit) =>
      all()
        .filter((one) => one.sequence > sequence)
        .slice(0, limit)
        .map((one) => ({ sequence: one.sequence, assetId: one.assetId })),
    overdue: async (atMs, limit) =>
      opened()
        .filter(({ expiresAtMs }) => expiresAtMs <= atMs)
        .sort((a, b) => a.expiresAtMs - b.expiresAtMs)
        .slice(0, limit)
        .map(({ id }) => id),
    async expire(beforeMs) {
      for (const one of all()) {
        if (!isOpen(one) && one.changedAtMs < beforeMs) commands.delete(one.id);
      }
      return false;
    },
  };
}
