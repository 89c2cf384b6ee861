import { DomainError } from "../../../domain/errors.ts";
import type { ProjectId, ScheduleId } from "../../../domain/ids.ts";
import type { Schedule, ScheduleSummary } from "../../../domain/sites/schedule.ts";
import type { ScheduleRecords } from "../../ports/sites/schedules.ts";
import type { Database } from "../sql/database.ts";
import { orderBy } from "../sql/list-order.ts";

/** JSON leaves out what is `undefined`. */
type StoredSummary = { readonly summary: ScheduleSummary };
type StoredSchedule = StoredSummary & { readonly plan: Omit<Schedule, "summary"> };

/** Imported schedules in SQL. */
export class SqlScheduleRecords implements ScheduleRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(
    projectId: ProjectId,
    sha256: string,
    make: (revision: number) => Schedule,
  ): Promise<{ readonly summary: ScheduleSummary; readonly isNew: boolean }> {
    return this.#database.transaction(async (transaction) => {
      // Imports of one project run one after the other; its key stays readable for foreign keys.
      const [project] = await transaction.query(
        "SELECT id FROM projects WHERE id = $1 FOR NO KEY UPDATE",
        [projectId],
      );
      if (project === undefined) {
        throw new DomainError("PROJECT_NOT_FOUND", `no project "${projectId}"`);
      }
      const [newest] = await transaction.query<StoredSummary & { readonly sha256: string }>(
        `SELECT sha256, summary FROM schedules WHERE project_id = $1
         ORDER BY revision DESC LIMIT 1`,
        [projectId],
      );
      if (newest?.sha256 === sha256) return { summary: newest.summary, isNew: false };
      const revision = (newest?.summary.revision ?? 0) + 1;
      const { summary, calendars, tasks } = make(revision);
      await transaction.query(
        `INSERT INTO schedules (id, project_id, revision, sha256, summary, plan)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [
          summary.id,
          projectId,
          revision,
          sha256,
          JSON.stringify(summary),
          JSON.stringify({ calendars, tasks }),
        ],
      );
      return { summary, isNew: true };
    });
  }

  async summary(projectId: ProjectId, revision?: number): Promise<ScheduleSummary | undefined> {
    const [row] = await this.#database.query<StoredSummary>(
      `SELECT summary FROM schedules
       WHERE project_id = $1 AND ($2::int IS NULL OR revision = $2)
       ORDER BY revision DESC LIMIT 1`,
      [projectId, revision ?? null],
    );
    return row?.summary;
  }

  async find(id: ScheduleId): Promise<Schedule | undefined> {
    const [row] = await this.#database.query<StoredSchedule>(
      "SELECT summary, plan FROM schedules WHERE id = $1",
      [id],
    );
    return row && { summary: row.summary, ...row.plan };
  }

  async list(
    projectId: ProjectId,
    {
      isReversed,
      limit,
      offset,
    }: { readonly isReversed?: boolean; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly schedules: readonly ScheduleSummary[]; readonly total: number }> {
    const [counted] = await this.#database.query<{ total: number }>(
      "SELECT count(*) AS total FROM schedules WHERE project_id = $1",
      [projectId],
    );
    const rows = await this.#database.query<StoredSummary>(
      `SELECT summary FROM schedules WHERE project_id = $1
       ${orderBy("revision DESC", isReversed)} LIMIT $2 OFFSET $3`,
      [projectId, limit, offset],
    );
    return { schedules: rows.map(({ summary }) => summary), total: counted?.total ?? 0 };
  }
}
