import { DomainError } from "../../../domain/errors.ts";
import { requireRoom } from "../../../domain/platform/record-limits.ts";
import type {
  MappingRow,
  PayloadMappingRecords,
  StoredMapping,
} from "../../../storage/ports/equipment/payload-mappings.ts";
import { changesAfter, compareText, type MemoryRows, newestRevision } from "./rows.ts";

/** Mappings of payloads in memory. */
export function createMemoryPayloadMappings({
  assets,
  payloadMappings: rows,
}: MemoryRows): PayloadMappingRecords {
  const change = (row: Omit<MappingRow, "revision">): void => {
    rows.set(row.assetType, { ...row, revision: newestRevision(rows.values()) + 1 });
  };
  const count = () => [...rows.values()].filter(({ mapping }) => mapping !== undefined).length;
  const find = (assetType: string) => stored(rows.get(assetType));

  return {
    async put(assetType, mapping, atMs, check) {
      const before = find(assetType);
      check?.(before);
      if (before?.mapping === mapping) return before;
      if (before === undefined) requireRoom("mappings", count());
      const row = {
        assetType,
        mapping,
        createdAtMs: before?.createdAtMs ?? atMs,
        updatedAtMs: atMs,
      };
      change(row);
      return row;
    },
    find: async (assetType) => find(assetType),
    list: async () =>
      [...rows.values()]
        .flatMap((row) => stored(row) ?? [])
        .sort((a, b) => compareText(a.assetType, b.assetType)),
    async remove(assetType, atMs, check) {
      const before = find(assetType);
      if (before === undefined) throw new DomainError("MAPPING_NOT_FOUND", assetType);
      check?.(before);
      const count = [...assets.values()].filter(
        ({ asset, deleted }) => !deleted && asset.decoder === "mapping" && asset.type === assetType,
      ).length;
      if (count > 0) throw new DomainError("MAPPING_IN_USE", `${count} need "${assetType}"`);
      change({ ...before, mapping: undefined, updatedAtMs: atMs });
    },
    changesSince: async (revision) => changesAfter(rows.values(), revision),
  };
}

function stored(row: MappingRow | undefined): StoredMapping | undefined {
  if (row?.mapping === undefined) return undefined;
  const { assetType, mapping, createdAtMs, updatedAtMs } = row;
  return { assetType, mapping, createdAtMs, updatedAtMs };
}
