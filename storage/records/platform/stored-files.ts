import type { ProjectId } from "../../../domain/ids.ts";
import { type FileOwnerKind, fileOwner } from "../../../domain/platform/stored-file-owner.ts";
import type {
  CountedFile,
  ProjectStorage,
  StorageLimit,
  StoredFiles,
} from "../../ports/platform/stored-files.ts";
import type { Database, Queryable } from "../sql/database.ts";

/** Where the project of a file's owner is found. */
const TABLES = {
  camera: "site_cameras",
  capture: "captures",
  job: "jobs",
  report: "progress_reports",
  stockpile: "stockpiles",
  zone: "work_zones",
} as const satisfies Record<FileOwnerKind, string>;

/** Keys of what is counted and is a row, not a file. */
const ROW_KEYS = "schedules/%";
/** Namespace of the locks on keys: two that store one key count it one after the other. */
const LOCK = 1_937_010_543;

type StoredUsage = {
  readonly project_id: string;
  readonly bytes: number;
  readonly files: number;
  readonly limit_bytes: number | null;
};
type Counted = { readonly project_id: string | null; readonly bytes: number };

/** Stored bytes in SQL. */
export class SqlStoredFiles implements StoredFiles {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  put(file: CountedFile, projectId?: ProjectId): Promise<void> {
    return this.#count(file, projectId, false);
  }

  adopt(file: CountedFile): Promise<void> {
    return this.#count(file, undefined, true);
  }

  remove(key: string): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      const [before] = await transaction.query<Counted>(
        "DELETE FROM stored_files WHERE key = $1 RETURNING project_id, bytes",
        [key],
      );
      await change(transaction, before, undefined);
    });
  }

  ownerOf(key: string): Promise<ProjectId | undefined> {
    return ownerOf(this.#database, key);
  }

  async usage(projectId: ProjectId): Promise<ProjectStorage> {
    const [row] = await this.#database.query<StoredUsage>(
      "SELECT * FROM project_storage WHERE project_id = $1",
      [projectId],
    );
    return row === undefined
      ? { projectId, bytes: 0, files: 0, limitBytes: undefined }
      : toUsage(row);
  }

  async usages(): Promise<readonly ProjectStorage[]> {
    const rows = await this.#database.query<StoredUsage>(
      "SELECT * FROM project_storage WHERE files > 0 OR limit_bytes IS NOT NULL ORDER BY project_id",
    );
    return rows.map(toUsage);
  }

  updateLimit(projectId: ProjectId, change: (before: StorageLimit) => StorageLimit): Promise<void> {
    return this.#database.transaction(async (transaction) => {
      // A project that has stored nothing has no row yet that could be locked.
      await transaction.query(
        `INSERT INTO project_storage (project_id, bytes, files) VALUES ($1, 0, 0)
         ON CONFLICT (project_id) DO NOTHING`,
        [projectId],
      );
      const [row] = await transaction.query<Pick<StoredUsage, "limit_bytes">>(
        "SELECT limit_bytes FROM project_storage WHERE project_id = $1 FOR UPDATE",
        [projectId],
      );
      const { limitBytes } = change({ limitBytes: row?.limit_bytes ?? undefined });
      await transaction.query("UPDATE project_storage SET limit_bytes = $2 WHERE project_id = $1", [
        projectId,
        limitBytes ?? null,
      ]);
    });
  }

  page(afterKey: string, limit: number): Promise<readonly CountedFile[]> {
    return this.#database.query<{ readonly key: string; readonly bytes: number }>(
      `SELECT key, bytes FROM stored_files WHERE key > $1 AND key NOT LIKE $2
       ORDER BY key LIMIT $3`,
      [afterKey, ROW_KEYS, limit],
    );
  }

  async adoptSchedules(): Promise<void> {
    const rows = await this.#database.query<{ key: string; project_id: string; bytes: number }>(
      `SELECT 'schedules/' || id AS key, project_id, octet_length(plan::text) AS bytes
       FROM schedules WHERE NOT EXISTS (
         SELECT FROM stored_files WHERE key = 'schedules/' || schedules.id)`,
    );
    for (const { key, project_id, bytes } of rows) {
      await this.#count({ key, bytes }, project_id as ProjectId, true);
    }
  }

  async #count(
    { key, bytes }: CountedFile,
    projectId: ProjectId | undefined,
    isOnlyNew: boolean,
  ): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [LOCK, key]);
      const [before] = await transaction.query<Counted>(
        "SELECT project_id, bytes FROM stored_files WHERE key = $1",
        [key],
      );
      if (before !== undefined && isOnlyNew) return;
      const owner = projectId ?? (await ownerOf(transaction, key)) ?? null;
      await transaction.query(
        `INSERT INTO stored_files (key, project_id, bytes) VALUES ($1, $2, $3)
         ON CONFLICT (key) DO UPDATE SET project_id = excluded.project_id, bytes = excluded.bytes`,
        [key, owner, bytes],
      );
      await change(transaction, before, { project_id: owner, bytes });
    });
  }
}

async function ownerOf(database: Queryable, key: string): Promise<ProjectId | undefined> {
  const owner = fileOwner(key);
  if (owner === undefined) return undefined;
  const [row] = await database.query<{ readonly project_id: string | null }>(
    `SELECT project_id FROM ${TABLES[owner.kind]} WHERE id = $1`,
    [owner.id],
  );
  return (row?.project_id as ProjectId | null | undefined) ?? undefined;
}

/** Changes the sums of the projects concerned, in one order, so that no two transactions wait for each other. */
async function change(
  transaction: Queryable,
  before: Counted | undefined,
  after: Counted | undefined,
): Promise<void> {
  const changes = new Map<string, { bytes: number; files: number }>();
  const add = (counted: Counted | undefined, sign: 1 | -1) => {
    if (counted === undefined || counted.project_id === null) return;
    const sum = changes.get(counted.project_id) ?? { bytes: 0, files: 0 };
    sum.bytes += sign * counted.bytes;
    sum.files += sign;
    changes.set(counted.project_id, sum);
  };
  add(before, -1);
  add(after, 1);
  for (const [projectId, { bytes, files }] of [...changes].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )) {
    await transaction.query(
      `INSERT INTO project_storage (project_id, bytes, files) VALUES ($1, $2, $3)
       ON CONFLICT (project_id) DO UPDATE SET bytes = project_storage.bytes + excluded.bytes,
         files = project_storage.files + excluded.files`,
      [projectId, bytes, files],
    );
  }
}

const toUsage = ({ project_id, bytes, files, limit_bytes }: StoredUsage): ProjectStorage => ({
  projectId: project_id as ProjectId,
  bytes,
  files,
  limitBytes: limit_bytes ?? undefined,
});
