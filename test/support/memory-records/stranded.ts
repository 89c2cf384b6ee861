import type { StrandedRecords } from "../../../storage/ports/equipment/stranded.ts";
import type { MemoryRows } from "./rows.ts";

/** Records that wait for the owner of their shard, in memory. */
export function createMemoryStranded(rows: MemoryRows): StrandedRecords {
  return {
    async add(records) {
      for (const record of records) {
        const key = `${record.journalId} ${record.sequence}`;
        if (!rows.stranded.has(key)) rows.stranded.set(key, record);
      }
    },
    ofShards: async (shards, limit) =>
      [...rows.stranded.values()]
        .filter(({ shard }) => shards.includes(shard))
        .sort((a, b) => compare(a.journalId, b.journalId) || a.sequence - b.sequence)
        .slice(0, limit),
    async delete(records) {
      for (const { journalId, sequence } of records)
        rows.stranded.delete(`${journalId} ${sequence}`);
    },
  };
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);
