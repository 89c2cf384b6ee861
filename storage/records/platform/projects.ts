import { DomainError } from "../../../domain/errors.ts";
import type { ProjectId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { Project } from "../../../domain/project.ts";
import type { ProjectRecords } from "../../ports/platform/projects.ts";
import type { Database, SqlValue } from "../sql/database.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { msOf } from "../sql/times.ts";

type ProjectRow = {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly time_zone: string;
  readonly shift_start: string;
  readonly shift_end: string;
  readonly planned_start: string | null;
  readonly planned_finish: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
};

const COLUMNS = `id, name, latitude, longitude, time_zone, shift_start, shift_end,
  planned_start, planned_finish, created_at_ms, updated_at_ms`;

/** Projects in SQL. Times come back as ISO 8601 in UTC with milliseconds. */
export class SqlProjectRecords implements ProjectRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(project: Project): Promise<void> {
    await explainViolations(
      this.#database.query(
        // The id stays taken when the project is deleted: whoever still names it must not get another.
        `WITH taken AS (INSERT INTO project_ids (id) VALUES ($1))
         INSERT INTO projects (${COLUMNS})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        toValues(project),
      ),
      { unique: ["ID_CONFLICT", `project id "${project.id}" is taken`] },
    );
  }

  async list(): Promise<readonly Project[]> {
    const rows = await this.#database.query<ProjectRow>(
      `SELECT ${COLUMNS} FROM projects ORDER BY created_at_ms, id`,
    );
    return rows.map(toProject);
  }

  async find(id: ProjectId): Promise<Project | undefined> {
    const [row] = await this.#database.query<ProjectRow>(
      `SELECT ${COLUMNS} FROM projects WHERE id = $1`,
      [id],
    );
    return row && toProject(row);
  }

  update(id: ProjectId, change: (before: Project) => Project): Promise<Project> {
    return this.#database.transaction(async (transaction) => {
      const [before] = await transaction.query<ProjectRow>(
        `SELECT ${COLUMNS} FROM projects WHERE id = $1 FOR UPDATE`,
        [id],
      );
      if (before === undefined) throw projectNotFound(id);
      const project = change(toProject(before));
      await transaction.query(
        `UPDATE projects SET name = $2, latitude = $3, longitude = $4, time_zone = $5,
           shift_start = $6, shift_end = $7, planned_start = $8, planned_finish = $9,
           created_at_ms = $10, updated_at_ms = $11
         WHERE id = $1`,
        toValues(project),
      );
      return project;
    });
  }

  async delete(id: ProjectId): Promise<void> {
    const deleted = await explainViolations(
      this.#database.query("DELETE FROM projects WHERE id = $1 RETURNING id", [id]),
      {
        foreignKey: (table) => [
          "PROJECT_IN_USE",
          `project "${id}" has ${table.replaceAll("_", " ")}`,
        ],
      },
    );
    if (deleted.length === 0) throw projectNotFound(id);
  }
}

function projectNotFound(id: ProjectId): DomainError {
  return new DomainError("PROJECT_NOT_FOUND", `no project "${id}"`);
}

function toValues(project: Project): readonly SqlValue[] {
  return [
    project.id,
    project.name,
    project.location.latitude,
    project.location.longitude,
    project.time_zone,
    project.shift.start,
    project.shift.end,
    project.planned_start ?? null,
    project.planned_finish ?? null,
    msOf(project.created_at),
    msOf(project.updated_at),
  ];
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id as ProjectId,
    name: row.name,
    location: { latitude: row.latitude, longitude: row.longitude },
    time_zone: row.time_zone,
    shift: { start: row.shift_start, end: row.shift_end },
    ...(row.planned_start === null ? {} : { planned_start: row.planned_start }),
    ...(row.planned_finish === null ? {} : { planned_finish: row.planned_finish }),
    created_at: isoTime(row.created_at_ms),
    updated_at: isoTime(row.updated_at_ms),
  };
}
