import { isDeepStrictEqual } from "node:util";
import { DomainError } from "../../../domain/errors.ts";
import type { ForwarderId, ProjectId } from "../../../domain/ids.ts";
import type {
  Forwarder,
  ForwarderProgress,
  ForwarderRecords,
} from "../../ports/events/forwarders.ts";
import type { Database, SqlValue } from "../sql/database.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { requireRoomIn } from "../sql/record-limits.ts";

type StoredForwarder = {
  readonly id: string;
  readonly name: string;
  readonly kind: Forwarder["kind"];
  readonly url: string;
  readonly format: Forwarder["format"];
  readonly topic: string | null;
  readonly project_ids: readonly string[] | null;
  readonly credentials: Uint8Array | null;
  readonly status: Forwarder["status"];
  readonly start_at_ms: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
};

type StoredProgress = {
  readonly forwarder_id: string;
  readonly journal_id: string;
  readonly sequence: number;
  readonly outcome: Outcome;
};

/** The columns of progress that nothing is searched by, as JSON. */
type Outcome = Pick<ForwarderProgress, "sent" | "skipped"> &
  Partial<Pick<ForwarderProgress, "lastSentAtMs" | "lastError" | "heldSinceMs" | "behind">>;

const COLUMNS = `id, name, kind, url, format, topic, project_ids, credentials, status, start_at_ms,
  created_at_ms, updated_at_ms`;

/** Forwarders, and how far each has come, in SQL. */
export class SqlForwarderRecords implements ForwarderRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(forwarder: Forwarder): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      await requireRoomIn(transaction, "forwarders", forwarder);
      await explainViolations(
        transaction.query(
          `INSERT INTO forwarders (${COLUMNS})
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
          toValues(forwarder),
        ),
        { unique: ["ID_CONFLICT", `forwarder id "${forwarder.id}" is taken`] },
      );
    });
  }

  async list(): Promise<readonly Forwarder[]> {
    const rows = await this.#database.query<StoredForwarder>(
      `SELECT ${COLUMNS} FROM forwarders ORDER BY created_at_ms, id`,
    );
    return rows.map(toForwarder);
  }

  async find(id: ForwarderId): Promise<Forwarder | undefined> {
    const [row] = await this.#database.query<StoredForwarder>(
      `SELECT ${COLUMNS} FROM forwarders WHERE id = $1`,
      [id],
    );
    return row && toForwarder(row);
  }

  update(id: ForwarderId, change: (before: Forwarder) => Forwarder): Promise<Forwarder> {
    return this.#database.transaction(async (transaction) => {
      // NO KEY: progress, which refers to it, can be recorded meanwhile.
      const [before] = await transaction.query<StoredForwarder>(
        `SELECT ${COLUMNS} FROM forwarders WHERE id = $1 FOR NO KEY UPDATE`,
        [id],
      );
      if (before === undefined) throw forwarderNotFound(id);
      const forwarder = change(toForwarder(before));
      if (!isDeepStrictEqual(forwarder.projectIds, before.project_ids ?? undefined)) {
        await requireRoomIn(transaction, "forwarders", forwarder);
      }
      await transaction.query(
        `UPDATE forwarders SET name = $2, kind = $3, url = $4, format = $5, topic = $6,
           project_ids = $7, credentials = $8, status = $9, start_at_ms = $10,
           created_at_ms = $11, updated_at_ms = $12
         WHERE id = $1`,
        toValues({ ...forwarder, id }),
      );
      return forwarder;
    });
  }

  async delete(id: ForwarderId): Promise<void> {
    const deleted = await this.#database.query(
      "DELETE FROM forwarders WHERE id = $1 RETURNING id",
      [id],
    );
    if (deleted.length === 0) throw forwarderNotFound(id);
  }

  async progress(id?: ForwarderId): Promise<readonly ForwarderProgress[]> {
    const rows = await this.#database.query<StoredProgress>(
      `SELECT forwarder_id, journal_id, sequence, outcome FROM forwarder_progress
       WHERE $1::text IS NULL OR forwarder_id = $1 ORDER BY forwarder_id, journal_id`,
      [id ?? null],
    );
    return rows.map(toProgress);
  }

  async record(rows: readonly ForwarderProgress[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#database.query(
      `INSERT INTO forwarder_progress AS known (forwarder_id, journal_id, sequence, outcome)
       SELECT given.forwarder_id, given.journal_id, given.sequence, given.outcome::json
       FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[])
         AS given (forwarder_id, journal_id, sequence, outcome)
       -- Locked, so that none is deleted before its progress refers to it.
       JOIN (SELECT id FROM forwarders WHERE id = ANY ($1) FOR KEY SHARE) AS there
         ON there.id = given.forwarder_id
       ON CONFLICT (forwarder_id, journal_id) DO UPDATE
         SET sequence = excluded.sequence, outcome = excluded.outcome
         WHERE excluded.sequence >= known.sequence`,
      [
        rows.map((row) => row.forwarderId),
        rows.map((row) => row.journalId),
        rows.map((row) => row.sequence),
        rows.map((row) => JSON.stringify(toOutcome(row))),
      ],
    );
  }
}

function forwarderNotFound(id: ForwarderId): DomainError {
  return new DomainError("FORWARDER_NOT_FOUND", `no forwarder "${id}"`);
}

function toValues(forwarder: Forwarder): readonly SqlValue[] {
  return [
    forwarder.id,
    forwarder.name,
    forwarder.kind,
    forwarder.url,
    forwarder.format,
    forwarder.topic ?? null,
    forwarder.projectIds ?? null,
    forwarder.credentials ?? null,
    forwarder.status,
    forwarder.startAtMs,
    forwarder.createdAtMs,
    forwarder.updatedAtMs,
  ];
}

function toForwarder(row: StoredForwarder): Forwarder {
  return {
    id: row.id as ForwarderId,
    name: row.name,
    kind: row.kind,
    url: row.url,
    format: row.format,
    topic: row.topic ?? undefined,
    projectIds: (row.project_ids ?? undefined) as readonly ProjectId[] | undefined,
    credentials: row.credentials === null ? undefined : new Uint8Array(row.credentials),
    status: row.status,
    startAtMs: row.start_at_ms,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

function toOutcome(row: ForwarderProgress): Outcome {
  const { sent, skipped, lastSentAtMs, lastError, heldSinceMs, behind } = row;
  return {
    sent,
    skipped,
    ...(lastSentAtMs === undefined ? {} : { lastSentAtMs }),
    ...(lastError === undefined ? {} : { lastError }),
    ...(heldSinceMs === undefined ? {} : { heldSinceMs }),
    ...(behind === undefined ? {} : { behind }),
  };
}

function toProgress({ forwarder_id, journal_id, sequence, outcome }: StoredProgress) {
  return {
    forwarderId: forwarder_id as ForwarderId,
    journalId: journal_id,
    sequence,
    sent: outcome.sent,
    skipped: outcome.skipped,
    lastSentAtMs: outcome.lastSentAtMs,
    lastError: outcome.lastError,
    heldSinceMs: outcome.heldSinceMs,
    behind: outcome.behind,
  } satisfies ForwarderProgress;
}
