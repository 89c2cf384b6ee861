import type { AssetRegistration } from "../../../domain/equipment/asset.ts";
import { DomainError, type ErrorCode } from "../../../domain/errors.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { AssetRecords, AssetRow } from "../../ports/equipment/assets.ts";
import type { Changes } from "../../ports/equipment/changes.ts";
import type { AssetAssignment } from "../../ports/equipment/geofences.ts";
import type { Database, Queryable, SqlValue } from "../sql/database.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { changeWithRevisions } from "../sql/revisions.ts";
import { msOf } from "../sql/times.ts";
import { requireMapping } from "./payload-mappings.ts";

type StoredAsset = {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly type: string;
  readonly decoder: AssetRegistration["decoder"];
  readonly hardware_id: string | null;
  readonly make: string | null;
  readonly model: string | null;
  readonly serial_number: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly maintenance: boolean;
  readonly liveness_timeout_s: number | null;
  readonly decoder_options: NonNullable<AssetRegistration["decoder_options"]> | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
};

type ChangedAsset = StoredAsset & {
  readonly secret_hash: Uint8Array;
  readonly revision: number;
  readonly deleted: boolean;
};

type StoredAssignment = {
  readonly asset_id: string;
  readonly project_id: string;
  readonly valid_from_ms: number;
  readonly valid_to_ms: number | null;
};

const COLUMNS = `id, project_id, name, type, decoder, hardware_id, latitude, longitude, maintenance,
  liveness_timeout_s, make, model, serial_number, created_at_ms, updated_at_ms, decoder_options`;

const HARDWARE_INDEX = "assets_hardware_id";

/** Assets, their tombstones and their assignments to projects, in SQL. */
export class SqlAssetRecords implements AssetRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(asset: AssetRegistration, secretHash: Uint8Array, mosquittoHash?: string): Promise<void> {
    return explainViolations(
      changeAssets(this.#database, (transaction, revision) =>
        insertAsset(transaction, asset, { secretHash, mosquittoHash, revision }),
      ),
      {
        unique: (index) => taken(index, asset.id),
        foreignKey: ["PROJECT_NOT_FOUND", `no project "${asset.project_id}"`],
      },
    );
  }

  async find(id: AssetId): Promise<AssetRegistration | undefined> {
    const [row] = await this.#database.query<StoredAsset>(
      `SELECT ${COLUMNS} FROM assets WHERE id = $1 AND deleted_at_ms IS NULL`,
      [id],
    );
    return row && toAsset(row);
  }

  update(
    id: AssetId,
    change: (before: AssetRegistration) => AssetRegistration,
    atMs: number,
  ): Promise<void> {
    return explainViolations(
      changeAssets(this.#database, (transaction, revision) =>
        updateAsset(transaction, id, change, { atMs, revision }),
      ),
      {
        unique: (index) => taken(index, id),
        foreignKey: ["PROJECT_NOT_FOUND", `no such project for asset "${id}"`],
      },
    );
  }

  setSecret(id: AssetId, secretHash: Uint8Array, mosquittoHash?: string): Promise<void> {
    return changeAssets(this.#database, async (transaction, revision) => {
      const changed = await transaction.query(
        `UPDATE assets SET secret_hash = $2, mosquitto_hash = $3, revision = $4
         WHERE id = $1 AND deleted_at_ms IS NULL RETURNING id`,
        [id, secretHash, mosquittoHash ?? null, revision],
      );
      if (changed.length === 0) throw assetNotFound(id);
    });
  }

  delete(id: AssetId, atMs: number): Promise<void> {
    return changeAssets(this.#database, async (transaction, revision) => {
      const changed = await transaction.query(
        `UPDATE assets SET deleted_at_ms = $2, revision = $3
         WHERE id = $1 AND deleted_at_ms IS NULL RETURNING id`,
        [id, atMs, revision],
      );
      if (changed.length === 0) throw assetNotFound(id);
      await closeAssignment(transaction, id, atMs);
    });
  }

  async changesSince(revision: number): Promise<Changes<AssetRow>> {
    const stored = await this.#database.query<ChangedAsset>(
      `SELECT ${COLUMNS}, secret_hash, revision, deleted_at_ms IS NOT NULL AS deleted
       FROM assets WHERE revision > $1 ORDER BY revision`,
      [revision],
    );
    const rows = stored.map(toAssetRow);
    return { revision: rows.at(-1)?.revision ?? revision, rows };
  }

  async mosquittoHashes(): Promise<ReadonlyMap<AssetId, string | undefined>> {
    const rows = await this.#database.query<{ id: string; mosquitto_hash: string | null }>(
      "SELECT id, mosquitto_hash FROM assets WHERE deleted_at_ms IS NULL ORDER BY id",
    );
    return new Map(rows.map((row) => [row.id as AssetId, row.mosquitto_hash ?? undefined]));
  }

  async assignments(assetIds: readonly AssetId[] | undefined): Promise<readonly AssetAssignment[]> {
    const rows = await this.#database.query<StoredAssignment>(
      `SELECT asset_id, project_id, valid_from_ms, valid_to_ms FROM asset_assignments
       WHERE $1::text[] IS NULL OR asset_id = ANY ($1) ORDER BY valid_from_ms, asset_id`,
      [assetIds ?? null],
    );
    return rows.map(toAssignment);
  }
}

/** Runs one change of an asset with the next revision. */
const changeAssets = (
  database: Database,
  change: (transaction: Queryable, revision: number) => Promise<void>,
): Promise<void> =>
  changeWithRevisions(database, "asset_revision", (transaction, nextRevision) =>
    change(transaction, nextRevision()),
  );

async function insertAsset(
  transaction: Queryable,
  asset: AssetRegistration,
  {
    secretHash,
    mosquittoHash,
    revision,
  }: {
    readonly secretHash: Uint8Array;
    readonly mosquittoHash: string | undefined;
    readonly revision: number;
  },
): Promise<void> {
  if (asset.decoder === "mapping") await requireMapping(transaction, asset.type);
  await transaction.query(
    `INSERT INTO assets (${COLUMNS}, secret_hash, mosquitto_hash, revision)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
       $17, $18, $19)`,
    [...toValues(asset), secretHash, mosquittoHash ?? null, revision],
  );
  await openAssignment(transaction, asset.id, asset.project_id, msOf(asset.created_at));
}

async function updateAsset(
  transaction: Queryable,
  id: AssetId,
  change: (before: AssetRegistration) => AssetRegistration,
  { atMs, revision }: { readonly atMs: number; readonly revision: number },
): Promise<void> {
  // The lock of the revision counter keeps every other change out until this one is stored.
  const [before] = await transaction.query<StoredAsset>(
    `SELECT ${COLUMNS} FROM assets WHERE id = $1 AND deleted_at_ms IS NULL`,
    [id],
  );
  if (before === undefined) throw assetNotFound(id);
  const asset = change(toAsset(before));
  if (asset.decoder === "mapping") await requireMapping(transaction, asset.type);
  await transaction.query(
    `UPDATE assets SET project_id = $2, name = $3, type = $4, decoder = $5,
       hardware_id = $6, latitude = $7, longitude = $8, maintenance = $9, liveness_timeout_s = $10,
       make = $11, model = $12, serial_number = $13, created_at_ms = $14, updated_at_ms = $15,
       decoder_options = $16, revision = $17
     WHERE id = $1`,
    [...toValues(asset), revision],
  );
  if (before.project_id === asset.project_id) return;
  const closedAtMs = await closeAssignment(transaction, asset.id, atMs);
  await openAssignment(transaction, asset.id, asset.project_id, closedAtMs ?? atMs);
}

/** Ends the assignment in force, at its start when the clock went back since, and yields the end. */
async function closeAssignment(
  transaction: Queryable,
  id: AssetId,
  atMs: number,
): Promise<number | undefined> {
  const [closed] = await transaction.query<{ valid_to_ms: number }>(
    `UPDATE asset_assignments SET valid_to_ms = greatest(valid_from_ms, $2)
     WHERE asset_id = $1 AND valid_to_ms IS NULL RETURNING valid_to_ms`,
    [id, atMs],
  );
  return closed?.valid_to_ms;
}

/** Starts an assignment; an empty one with the same start (two moves in one ms) is replaced. */
async function openAssignment(
  transaction: Queryable,
  id: AssetId,
  projectId: ProjectId,
  fromMs: number,
): Promise<void> {
  await transaction.query(
    `INSERT INTO asset_assignments (asset_id, project_id, valid_from_ms) VALUES ($1, $2, $3)
     ON CONFLICT (asset_id, valid_from_ms)
     DO UPDATE SET project_id = excluded.project_id, valid_to_ms = NULL`,
    [id, projectId, fromMs],
  );
}

/** What a broken unique index means; two of them can break. */
function taken(index: string, id: AssetId): readonly [ErrorCode, string] {
  return index === HARDWARE_INDEX
    ? ["ID_CONFLICT", "hardware_id is taken by another asset"]
    : ["ID_CONFLICT", `asset id "${id}" is taken`];
}

function assetNotFound(id: AssetId): DomainError {
  return new DomainError("ASSET_NOT_FOUND", `no asset "${id}"`);
}

function toValues(asset: AssetRegistration): readonly SqlValue[] {
  return [
    asset.id,
    asset.project_id,
    asset.name,
    asset.type,
    asset.decoder,
    asset.hardware_id ?? null,
    asset.location?.latitude ?? null,
    asset.location?.longitude ?? null,
    asset.maintenance,
    asset.liveness_timeout_s ?? null,
    asset.make ?? null,
    asset.model ?? null,
    asset.serial_number ?? null,
    msOf(asset.created_at),
    msOf(asset.updated_at),
    asset.decoder_options === undefined ? null : JSON.stringify(asset.decoder_options),
  ];
}

function toAsset(row: StoredAsset): AssetRegistration {
  const { hardware_id, latitude, longitude, liveness_timeout_s } = row;
  const { make, model, serial_number, decoder_options } = row;
  return {
    id: row.id as AssetId,
    project_id: row.project_id as ProjectId,
    name: row.name,
    type: row.type,
    decoder: row.decoder,
    ...(decoder_options === null ? {} : { decoder_options }),
    ...(hardware_id === null ? {} : { hardware_id }),
    ...(make === null ? {} : { make }),
    ...(model === null ? {} : { model }),
    ...(serial_number === null ? {} : { serial_number }),
    ...(latitude === null || longitude === null ? {} : { location: { latitude, longitude } }),
    maintenance: row.maintenance,
    ...(liveness_timeout_s === null ? {} : { liveness_timeout_s }),
    created_at: isoTime(row.created_at_ms),
    updated_at: isoTime(row.updated_at_ms),
  };
}

function toAssetRow(row: ChangedAsset): AssetRow {
  return {
    asset: toAsset(row),
    secretHash: new Uint8Array(row.secret_hash),
    revision: row.revision,
    deleted: row.deleted,
  };
}

function toAssignment(row: StoredAssignment): AssetAssignment {
  return {
    assetId: row.asset_id as AssetId,
    projectId: row.project_id as ProjectId,
    validFromMs: row.valid_from_ms,
    validToMs: row.valid_to_ms ?? undefined,
  };
}
