import { DomainError } from "../../../domain/errors.ts";
import type { SessionRecords, SessionRow } from "../../../storage/ports/platform/sessions.ts";
import type { MemoryRows } from "./rows.ts";

/** Log-ins of browsers in memory; `onLookup` is called at every look-up by hash. */
export function createMemorySessions(
  { sessions }: MemoryRows,
  onLookup: () => void,
): SessionRecords {
  const newestFirst = ({ session: a }: SessionRow, { session: b }: SessionRow) =>
    b.lastSeenAtMs - a.lastSeenAtMs || b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1);
  return {
    async insert(row, mostOfKey) {
      const { id, keyId } = row.session;
      const isTaken = [...sessions.values()].some(
        (other) => other.session.id === id || Buffer.compare(other.hash, row.hash) === 0,
      );
      if (isTaken) throw new DomainError("ID_CONFLICT", id);
      const others = [...sessions.values()].filter((other) => other.session.keyId === keyId);
      for (const { session } of others.toSorted(newestFirst).slice(Math.max(0, mostOfKey - 1))) {
        sessions.delete(session.id);
      }
      sessions.set(id, row);
    },
    async findByHash(hash) {
      onLookup();
      return [...sessions.values()].find((row) => Buffer.compare(row.hash, hash) === 0);
    },
    list: async () =>
      [...sessions.values()]
        .map(({ session }) => session)
        .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1)),
    async touch(id, atMs) {
      const row = sessions.get(id);
      if (row === undefined) return;
      const lastSeenAtMs = Math.max(row.session.lastSeenAtMs, atMs);
      sessions.set(id, { ...row, session: { ...row.session, lastSeenAtMs } });
    },
    async remove(id) {
      if (!sessions.delete(id)) throw new DomainError("SESSION_NOT_FOUND", id);
    },
    async removeOfKey(keyId) {
      for (const { session } of sessions.values()) {
        if (session.keyId === keyId) sessions.delete(session.id);
      }
    },
    async expire(seenBeforeMs, createdBeforeMs) {
      for (const { session } of sessions.values()) {
        if (session.lastSeenAtMs < seenBeforeMs || session.createdAtMs < createdBeforeMs) {
          sessions.delete(session.id);
        }
      }
      return false;
    },
  };
}
