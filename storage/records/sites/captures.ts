import { DomainError } from "../../../domain/errors.ts";
import type { CaptureId, ProjectId, WorkZoneId } from "../../../domain/ids.ts";
import type { Capture, ZoneEstimate } from "../../../domain/sites/capture.ts";
import type { CaptureRecords, CompletedCapture, PastEstimate } from "../../ports/sites/captures.ts";
import type { Database } from "../sql/database.ts";
import { orderBy } from "../sql/list-order.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { storedEstimate } from "../sql/stored-intervals.ts";
import { completeCapture } from "./captures-complete.ts";
import {
  captureValues,
  lockCapture,
  replaceCapture,
  type StoredCapture,
  storedCapture,
} from "./captures-rows.ts";

type StoredEstimate = {
  readonly capture_id: string;
  readonly capture_date_ms: number;
  readonly body: ZoneEstimate;
};

const MATCHES = `($1::text[] IS NULL OR project_id = ANY ($1))
  AND ($2::text[] IS NULL OR state = ANY ($2))`;

/** Captures, their estimates and the frame that flights share in SQL. */
export class SqlCaptureRecords implements CaptureRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(capture: Capture): Promise<void> {
    const inserted = await explainViolations(
      // The lock keeps the project until the capture is stored; afterwards it may go.
      this.#database.query(
        `INSERT INTO captures (id, project_id, capture_type, state, created_at_ms,
           capture_date_ms, has_products, body)
         SELECT $1, id, $3, $4, $5, $6, $7, $8 FROM projects WHERE id = $2 FOR KEY SHARE
         RETURNING id`,
        captureValues(capture),
      ),
      { unique: ["ID_CONFLICT", `capture id "${capture.id}" is taken`] },
    );
    if (inserted.length === 0) {
      throw new DomainError("PROJECT_NOT_FOUND", `no project "${capture.project_id}"`);
    }
  }

  async find(id: CaptureId): Promise<Capture | undefined> {
    const [row] = await this.#database.query<StoredCapture>(
      "SELECT body FROM captures WHERE id = $1",
      [id],
    );
    return row && storedCapture(row.body);
  }

  async list({
    projectIds,
    states,
    isReversed,
    limit,
    offset,
  }: {
    readonly projectIds?: readonly ProjectId[];
    readonly states?: readonly Capture["state"][];
    readonly isReversed?: boolean;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly captures: readonly Capture[]; readonly total: number }> {
    const [counted] = await this.#database.query<{ total: number }>(
      `SELECT count(*) AS total FROM captures WHERE ${MATCHES}`,
      [projectIds ?? null, states ?? null],
    );
    const rows = await this.#database.query<StoredCapture>(
      `SELECT body FROM captures WHERE ${MATCHES}
       ${orderBy("created_at_ms DESC, id DESC", isReversed)} LIMIT $3 OFFSET $4`,
      [projectIds ?? null, states ?? null, limit, offset],
    );
    return { captures: rows.map(({ body }) => storedCapture(body)), total: counted?.total ?? 0 };
  }

  complete(done: CompletedCapture): Promise<Capture> {
    return this.#database.transaction((transaction) => completeCapture(transaction, done));
  }

  fail(
    id: CaptureId,
    {
      error,
      completedAt,
      images,
    }: {
      readonly error: { readonly code: string; readonly message: string };
      readonly completedAt: string;
      readonly images: Capture["images"];
    },
  ): Promise<Capture> {
    return this.#database.transaction(async (transaction) => {
      const before = await lockCapture(transaction, id);
      if (before.state !== "processing") return before;
      const capture: Capture = {
        ...before,
        state: "failed",
        error,
        completed_at: completedAt,
        images,
      };
      await replaceCapture(transaction, capture);
      return capture;
    });
  }

  async estimates(ids: readonly WorkZoneId[], untilMs: number): Promise<readonly PastEstimate[]> {
    const rows = await this.#database.query<StoredEstimate>(
      `SELECT capture_id, capture_date_ms, body FROM zone_estimates
       WHERE zone_id = ANY ($1) AND capture_date_ms <= $2
       ORDER BY capture_date_ms, capture_id, zone_id`,
      [ids, untilMs],
    );
    return rows.map(({ capture_id, capture_date_ms, body }) => ({
      captureId: capture_id as CaptureId,
      captureDateMs: capture_date_ms,
      estimate: storedEstimate(body),
    }));
  }

  async newestFlight(projectId: ProjectId, untilMs: number): Promise<Capture | undefined> {
    const [row] = await this.#database.query<StoredCapture>(
      `SELECT body FROM captures
       WHERE project_id = $1 AND capture_date_ms <= $2
         AND state = 'completed' AND has_products AND capture_type = 'drone'
         AND body -> 'purpose' IS NULL
       ORDER BY capture_date_ms DESC, id DESC LIMIT 1`,
      [projectId, untilMs],
    );
    return row && storedCapture(row.body);
  }

  async delete(id: CaptureId): Promise<void> {
    const deleted = await this.#database.query(
      "DELETE FROM captures WHERE id = $1 AND body ->> 'purpose' = 'survey' RETURNING id",
      [id],
    );
    if (deleted.length === 0) throw new DomainError("CAPTURE_NOT_FOUND", `no capture "${id}"`);
  }

  async datum(projectId: ProjectId): Promise<unknown> {
    const [row] = await this.#database.query<{ datum: unknown }>(
      "SELECT datum FROM capture_datums WHERE project_id = $1",
      [projectId],
    );
    return row?.datum;
  }
}
