import { DomainError } from "../../../domain/errors.ts";
import type { CaptureId, ProjectId, ReportId } from "../../../domain/ids.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import type {
  CorrectedReport,
  FoundReport,
  ProgressReportRecords,
} from "../../ports/sites/progress-reports.ts";
import { insertEvents } from "../events/event-writes.ts";
import type { Database, Queryable } from "../sql/database.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { storedReport } from "../sql/stored-intervals.ts";
import { msOf } from "../sql/times.ts";
import { insertObservations } from "./zone-observations.ts";
import { insertLabels } from "./zone-views.ts";

/** JSON leaves out what is `undefined`. */
type StoredReport = { readonly body: ProgressReport; readonly superseded_by: string | null };

/** A filter that is not given is null, and then lets everything pass. */
const MATCHES = `superseded_by IS NULL AND project_id = $1
  AND ($2::bigint IS NULL OR capture_date_ms >= $2)
  AND ($3::bigint IS NULL OR capture_date_ms < $3)`;

/** Progress reports in SQL. */
export class SqlProgressReportRecords implements ProgressReportRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(id: ReportId): Promise<FoundReport | undefined> {
    const [row] = await this.#database.query<StoredReport>(
      "SELECT body, superseded_by FROM progress_reports WHERE id = $1",
      [id],
    );
    if (row === undefined) return undefined;
    const supersededBy = (row.superseded_by as ReportId | null) ?? undefined;
    return { report: storedReport(row.body), supersededBy };
  }

  async list({
    projectId,
    fromMs,
    toMs,
    limit,
    offset,
  }: {
    readonly projectId: ProjectId;
    readonly fromMs?: number;
    readonly toMs?: number;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly reports: readonly ProgressReport[]; readonly total: number }> {
    const filter = [projectId, fromMs ?? null, toMs ?? null];
    const [counted] = await this.#database.query<{ total: number }>(
      `SELECT count(*) AS total FROM progress_reports WHERE ${MATCHES}`,
      filter,
    );
    const rows = await this.#database.query<StoredReport>(
      `SELECT body FROM progress_reports WHERE ${MATCHES}
       ORDER BY capture_date_ms DESC, recorded_at_ms DESC, id DESC LIMIT $4 OFFSET $5`,
      [...filter, limit, offset],
    );
    return { reports: rows.map(({ body }) => storedReport(body)), total: counted?.total ?? 0 };
  }

  async newest(projectIds: readonly ProjectId[]): Promise<readonly ProgressReport[]> {
    const rows = await this.#database.query<StoredReport>(
      `SELECT newest.body FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, place), LATERAL (
         SELECT body FROM progress_reports WHERE superseded_by IS NULL AND project_id = asked.id
         ORDER BY capture_date_ms DESC, recorded_at_ms DESC, id DESC LIMIT 1
       ) AS newest ORDER BY place`,
      [projectIds],
    );
    return rows.map(({ body }) => storedReport(body));
  }

  async ofCapture(captureId: CaptureId): Promise<ProgressReport | undefined> {
    const [row] = await this.#database.query<StoredReport>(
      `SELECT body FROM progress_reports WHERE capture_id = $1 ORDER BY revision DESC LIMIT 1`,
      [captureId],
    );
    return row && storedReport(row.body);
  }

  correct({ report, observations, labels, events }: CorrectedReport): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      await supersede(transaction, report);
      await insertReport(transaction, report);
      await insertObservations(transaction, observations);
      await insertLabels(transaction, labels);
      await insertEvents(transaction, events);
    });
  }
}

/** Marks the report that this one corrects, which is locked until the transaction ends. */
async function supersede(
  transaction: Queryable,
  { id, supersedes }: ProgressReport,
): Promise<void> {
  const [before] = await transaction.query<{ superseded_by: string | null }>(
    "SELECT superseded_by FROM progress_reports WHERE id = $1 FOR UPDATE",
    [supersedes ?? null],
  );
  if (before === undefined) {
    throw new DomainError("REPORT_NOT_FOUND", `no report "${supersedes}"`);
  }
  if (before.superseded_by !== null) {
    const by = before.superseded_by;
    throw new DomainError("REPORT_CORRECTED", `report "${supersedes}" was corrected by "${by}"`);
  }
  await transaction.query("UPDATE progress_reports SET superseded_by = $2 WHERE id = $1", [
    supersedes ?? null,
    id,
  ]);
}

/** @throws DomainError `ID_CONFLICT` when the id or the revision is taken. */
export async function insertReport(transaction: Queryable, report: ProgressReport): Promise<void> {
  await explainViolations(
    transaction.query(
      `INSERT INTO progress_reports
         (id, project_id, capture_id, revision, capture_date_ms, recorded_at_ms, body)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        report.id,
        report.project_id,
        report.capture_id,
        report.revision,
        msOf(report.capture_date),
        msOf(report.recorded_at),
        JSON.stringify(report),
      ],
    ),
    { unique: ["ID_CONFLICT", `report id "${report.id}" or its revision is taken`] },
  );
}
