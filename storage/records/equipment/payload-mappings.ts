import { DomainError } from "../../../domain/errors.ts";
import { requireRoom } from "../../../domain/platform/record-limits.ts";
import type { Changes } from "../../ports/equipment/changes.ts";
import type {
  MappingRow,
  PayloadMappingRecords,
  StoredMapping,
} from "../../ports/equipment/payload-mappings.ts";
import type { Database, Queryable } from "../sql/database.ts";
import { changeWithRevisions } from "../sql/revisions.ts";

type StoredRow = {
  readonly asset_type: string;
  readonly mapping: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly revision: number;
};

const COLUMNS = "asset_type, mapping::text AS mapping, created_at_ms, updated_at_ms, revision";

/** Mappings of payloads in SQL; every change is kept apart from every change of an asset. */
export class SqlPayloadMappingRecords implements PayloadMappingRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  put(
    assetType: string,
    mapping: string,
    atMs: number,
    check?: (before: StoredMapping | undefined) => void,
  ): Promise<StoredMapping> {
    return changeWithRevisions(
      this.#database,
      "asset_revision",
      async (transaction, nextRevision) => {
        const before = await findMapping(transaction, assetType);
        check?.(before);
        if (before?.mapping === mapping) return before;
        // Only one transaction changes revisions at a time.
        if (before === undefined) requireRoom("mappings", await countMappings(transaction));
        const createdAtMs = before?.createdAtMs ?? atMs;
        await transaction.query(
          `INSERT INTO payload_mappings (asset_type, mapping, created_at_ms, updated_at_ms, revision)
           VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (asset_type) DO UPDATE SET mapping = excluded.mapping,
             created_at_ms = excluded.created_at_ms, updated_at_ms = excluded.updated_at_ms,
             revision = excluded.revision`,
          [assetType, mapping, createdAtMs, atMs, nextRevision()],
        );
        return { assetType, mapping, createdAtMs, updatedAtMs: atMs };
      },
    );
  }

  find(assetType: string): Promise<StoredMapping | undefined> {
    return findMapping(this.#database, assetType);
  }

  async list(): Promise<readonly StoredMapping[]> {
    const rows = await this.#database.query<StoredRow>(
      `SELECT ${COLUMNS} FROM payload_mappings WHERE mapping IS NOT NULL
       ORDER BY asset_type COLLATE "C"`,
    );
    return rows.flatMap((row) => toStored(row) ?? []);
  }

  remove(assetType: string, atMs: number, check?: (before: StoredMapping) => void): Promise<void> {
    return changeWithRevisions(
      this.#database,
      "asset_revision",
      async (transaction, nextRevision) => {
        const found = await requireMapping(transaction, assetType);
        check?.(found);
        const [used] = await transaction.query<{ assets: number }>(
          `SELECT count(*) AS assets FROM assets
           WHERE decoder = 'mapping' AND type = $1 AND deleted_at_ms IS NULL`,
          [assetType],
        );
        if (used !== undefined && used.assets > 0) throw mappingInUse(assetType, used.assets);
        await transaction.query(
          `UPDATE payload_mappings SET mapping = NULL, updated_at_ms = $2, revision = $3
           WHERE asset_type = $1`,
          [assetType, atMs, nextRevision()],
        );
      },
    );
  }

  async changesSince(revision: number): Promise<Changes<MappingRow>> {
    const rows = await this.#database.query<StoredRow>(
      `SELECT ${COLUMNS} FROM payload_mappings WHERE revision > $1 ORDER BY revision`,
      [revision],
    );
    return { revision: rows.at(-1)?.revision ?? revision, rows: rows.map(toRow) };
  }
}

/**
 * Within a change of an asset that needs the mapping.
 * @throws DomainError `MAPPING_NOT_FOUND` when the type has none.
 */
export async function requireMapping(
  transaction: Queryable,
  assetType: string,
): Promise<StoredMapping> {
  const found = await findMapping(transaction, assetType);
  if (found !== undefined) return found;
  throw new DomainError("MAPPING_NOT_FOUND", `no mapping for the type "${assetType}"`);
}

async function findMapping(
  queryable: Queryable,
  assetType: string,
): Promise<StoredMapping | undefined> {
  const [row] = await queryable.query<StoredRow>(
    `SELECT ${COLUMNS} FROM payload_mappings WHERE asset_type = $1`,
    [assetType],
  );
  return row && toStored(row);
}

function mappingInUse(assetType: string, assets: number): DomainError {
  const who = assets === 1 ? "1 asset needs" : `${assets} assets need`;
  return new DomainError("MAPPING_IN_USE", `${who} the mapping of the type "${assetType}"`);
}

const toRow = (row: StoredRow): MappingRow => ({
  assetType: row.asset_type,
  mapping: row.mapping ?? undefined,
  createdAtMs: row.created_at_ms,
  updatedAtMs: row.updated_at_ms,
  revision: row.revision,
});

/** `undefined` for one that was removed. */
function toStored(row: StoredRow): StoredMapping | undefined {
  const { mapping, revision, ...rest } = toRow(row);
  return mapping === undefined ? undefined : { ...rest, mapping };
}

async function countMappings(queryable: Queryable): Promise<number> {
  const [row] = await queryable.query<{ mappings: number }>(
    "SELECT count(*) AS mappings FROM payload_mappings WHERE mapping IS NOT NULL",
  );
  return row?.mappings ?? 0;
}
