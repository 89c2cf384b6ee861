import { DomainError } from "../../../domain/errors.ts";
import type { Geofence, GeofenceKind } from "../../../domain/geometry/geofence.ts";
import type { GeofenceId, ProjectId } from "../../../domain/ids.ts";
import type { Changes } from "../../ports/equipment/changes.ts";
import type { GeofenceRecords, GeofenceVersion } from "../../ports/equipment/geofences.ts";
import type { Database, Queryable } from "../sql/database.ts";
import { orderBy } from "../sql/list-order.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { changeWithRevisions } from "../sql/revisions.ts";
import { msOf } from "../sql/times.ts";
import {
  FENCE_COLUMNS,
  fenceRows,
  INSERT_FENCES,
  INSERT_VERSIONS,
  LIVE_FENCES,
  type StoredFence,
  type StoredVersion,
  toFence,
  toVersion,
  VERSION_COLUMNS,
  versionValues,
} from "./geofence-rows.ts";

/**
 * Fences in one statement: an outline has up to 40 kB, so a statement up to 10 MB. One at a time, 5,000 fences
 * take 10,000 statements.
 */
const INSERTED_AT_ONCE = 250;

/** A filter that is not given is null, and then lets everything pass. */
const MATCHES = `($1::text[] IS NULL OR fence.project_id = ANY ($1))
  AND ($2::text[] IS NULL OR version.kind = ANY ($2))`;

/** Geofences and all their versions in SQL. */
export class SqlGeofenceRecords implements GeofenceRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(fence: Geofence, atMs: number): Promise<void> {
    return this.insertAll([fence], atMs);
  }

  insertAll(fences: readonly Geofence[], atMs: number): Promise<void> {
    return explainViolations(
      changeWithRevisions(
        this.#database,
        "geofence_revision",
        async (transaction, nextRevision) => {
          for (let from = 0; from < fences.length; from += INSERTED_AT_ONCE) {
            const some = fences.slice(from, from + INSERTED_AT_ONCE);
            await transaction.query(INSERT_FENCES, [fenceRows(some)]);
            await transaction.query(INSERT_VERSIONS, versionValues(some, atMs, nextRevision));
          }
        },
      ),
      {
        unique: ["ID_CONFLICT", `${idsText(fences)} is taken`],
        foreignKey: ["PROJECT_NOT_FOUND", `no project for ${idsText(fences)}`],
      },
    );
  }

  find(id: GeofenceId): Promise<Geofence | undefined> {
    return findFence(this.#database, id);
  }

  async list({
    projectIds,
    kinds,
    isReversed,
    limit,
    offset,
  }: {
    readonly projectIds?: readonly ProjectId[];
    readonly kinds?: readonly GeofenceKind[];
    readonly isReversed?: boolean;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly fences: readonly Geofence[]; readonly total: number }> {
    const filter = [projectIds ?? null, kinds ?? null];
    const [counted] = await this.#database.query<{ total: number }>(
      `SELECT count(*) AS total FROM ${LIVE_FENCES} WHERE ${MATCHES}`,
      filter,
    );
    const rows = await this.#database.query<StoredFence>(
      `SELECT ${FENCE_COLUMNS} FROM ${LIVE_FENCES} WHERE ${MATCHES}
       ${orderBy("fence.created_at_ms, fence.id", isReversed)} LIMIT $3 OFFSET $4`,
      [...filter, limit, offset],
    );
    return { fences: rows.map(toFence), total: counted?.total ?? 0 };
  }

  update(id: GeofenceId, change: (before: Geofence) => Geofence, atMs: number): Promise<Geofence> {
    return explainViolations(
      changeWithRevisions(
        this.#database,
        "geofence_revision",
        async (transaction, nextRevision) => {
          const before = await findFence(transaction, id);
          if (before === undefined) throw fenceNotFound(id);
          const fence = change(before);
          await transaction.query(
            `UPDATE geofences SET project_id = $2, created_at_ms = $3, updated_at_ms = $4
             WHERE id = $1`,
            [id, fence.project_id, msOf(fence.created_at), msOf(fence.updated_at)],
          );
          const endMs = await endVersion(transaction, id, atMs, nextRevision());
          await transaction.query(INSERT_VERSIONS, versionValues([fence], endMs, nextRevision));
          return fence;
        },
      ),
      { foreignKey: ["PROJECT_NOT_FOUND", `no such project for geofence "${id}"`] },
    );
  }

  delete(id: GeofenceId, atMs: number): Promise<void> {
    return changeWithRevisions(
      this.#database,
      "geofence_revision",
      async (transaction, nextRevision) => {
        const deleted = await transaction.query(
          `UPDATE geofences SET deleted_at_ms = $2
           WHERE id = $1 AND deleted_at_ms IS NULL RETURNING id`,
          [id, atMs],
        );
        if (deleted.length === 0) throw fenceNotFound(id);
        await endVersion(transaction, id, atMs, nextRevision());
      },
    );
  }

  async changesSince(revision: number, endedAfterMs?: number): Promise<Changes<GeofenceVersion>> {
    const rows = await this.#database.query<StoredVersion>(
      `SELECT ${VERSION_COLUMNS} FROM geofence_versions
       WHERE revision > $1
         AND ($2::bigint IS NULL OR valid_to_ms IS NULL OR valid_to_ms > $2)
       ORDER BY revision`,
      [revision, endedAfterMs ?? null],
    );
    return { revision: rows.at(-1)?.revision ?? revision, rows: rows.map(toVersion) };
  }
}

async function findFence(database: Queryable, id: GeofenceId): Promise<Geofence | undefined> {
  const [row] = await database.query<StoredFence>(
    `SELECT ${FENCE_COLUMNS} FROM ${LIVE_FENCES} WHERE fence.id = $1`,
    [id],
  );
  return row && toFence(row);
}

/** Ends the version in force, 1 ms after it began when the clock went back since, and yields the end. */
async function endVersion(
  transaction: Queryable,
  id: GeofenceId,
  atMs: number,
  revision: number,
): Promise<number> {
  const [ended] = await transaction.query<{ valid_to_ms: number }>(
    `UPDATE geofence_versions SET valid_to_ms = greatest(valid_from_ms + 1, $2), revision = $3
     WHERE geofence_id = $1 AND valid_to_ms IS NULL RETURNING valid_to_ms`,
    [id, atMs, revision],
  );
  if (ended === undefined) throw new Error(`live geofence ${id} has no version in force`);
  return ended.valid_to_ms;
}

const idsText = (fences: readonly Geofence[]): string =>
  fences.length === 1 ? `geofence id "${fences[0]?.id}"` : `an id of ${fences.length} geofences`;

function fenceNotFound(id: GeofenceId): DomainError {
  return new DomainError("GEOFENCE_NOT_FOUND", `no geofence "${id}"`);
}
