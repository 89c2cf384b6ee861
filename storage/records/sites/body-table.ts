import { DomainError, type ErrorCode } from "../../../domain/errors.ts";
import type { CameraId, ProjectId, WorkZoneId } from "../../../domain/ids.ts";
import type { SiteCamera } from "../../../domain/sites/site-camera.ts";
import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import type { Database, Queryable } from "../sql/database.ts";
import { orderBy } from "../sql/list-order.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { msOf } from "../sql/times.ts";

/** A resource of a project that is stored as one JSON text; what is `undefined` is left out of it. */
interface Resource {
  readonly id: string;
  readonly project_id: ProjectId;
  readonly created_at: string;
}

type Stored<Body> = { readonly body: Body };

interface BodyTableNames {
  readonly table: string;
  /** What a row is, in messages. */
  readonly noun: string;
  /** What its id is of, in messages. */
  readonly idOf: string;
  readonly notFound: ErrorCode;
}

/** A page of the resources of some projects. */
export interface BodyFilter {
  readonly projectIds?: readonly ProjectId[];
  readonly isReversed?: boolean;
  readonly limit?: number;
  readonly offset: number;
}

/** A filter that is not given is null, and then lets everything pass. */
const MATCHES = "NOT deleted AND ($1::text[] IS NULL OR live_project_id = ANY ($1))";

/** A table of resources, and of tombstones of those that were deleted. */
class BodyTable<Id extends string, Body extends Resource & { readonly id: Id }> {
  readonly #names: BodyTableNames;

  constructor(names: BodyTableNames) {
    this.#names = names;
  }

  /** @throws DomainError `ID_CONFLICT`, `PROJECT_NOT_FOUND`. */
  async insert(database: Queryable, body: Body): Promise<void> {
    const { table, idOf } = this.#names;
    await explainViolations(
      database.query(
        `INSERT INTO ${table} (id, project_id, created_at_ms, body) VALUES ($1, $2, $3, $4)`,
        valuesOf(body),
      ),
      { unique: ["ID_CONFLICT", `${idOf} id "${body.id}" is taken`], ...noProject(body) },
    );
  }

  async find(database: Queryable, id: Id): Promise<Body | undefined> {
    const [row] = await database.query<Stored<Body>>(
      `SELECT body FROM ${this.#names.table} WHERE id = $1 AND NOT deleted`,
      [id],
    );
    return row?.body;
  }

  async list(
    database: Queryable,
    { projectIds, isReversed, limit, offset }: BodyFilter,
  ): Promise<{ readonly bodies: readonly Body[]; readonly total: number }> {
    const { table } = this.#names;
    const [counted] = await database.query<{ total: number }>(
      `SELECT count(*) AS total FROM ${table} WHERE ${MATCHES}`,
      [projectIds ?? null],
    );
    const rows = await database.query<Stored<Body>>(
      `SELECT body FROM ${table} WHERE ${MATCHES}
       ${orderBy("created_at_ms, id", isReversed)} LIMIT $2 OFFSET $3`,
      [projectIds ?? null, limit ?? null, offset],
    );
    return { bodies: rows.map(({ body }) => body), total: counted?.total ?? 0 };
  }

  /** Stores what `change` makes of it, and yields that. @throws DomainError when it is not there. */
  update(database: Database, id: Id, change: (before: Body) => Body): Promise<Body> {
    return database.transaction(async (transaction) => {
      const [before] = await this.lock(transaction, [id]);
      if (before === undefined) throw this.#absent(id);
      const body = change(before);
      await this.replace(transaction, body);
      return body;
    });
  }

  /** Leaves a tombstone, after `deleteBelow` has deleted what refers to it. @throws DomainError as `update`. */
  delete(
    database: Database,
    id: Id,
    deleteBelow: (transaction: Queryable) => Promise<void>,
  ): Promise<void> {
    return database.transaction(async (transaction) => {
      await this.require(transaction, [id]);
      await deleteBelow(transaction);
      await transaction.query(
        `UPDATE ${this.#names.table} SET deleted = true, body = NULL WHERE id = $1`,
        [id],
      );
    });
  }

  /**
   * Those that are there, in no order, which nobody else changes or deletes until the transaction ends.
   * Locked by rising id, so that no two transactions wait for each other.
   */
  async lock(transaction: Queryable, ids: readonly Id[]): Promise<readonly Body[]> {
    if (ids.length === 0) return [];
    const rows = await transaction.query<Stored<Body>>(
      `SELECT body FROM ${this.#names.table} WHERE id = ANY ($1) AND NOT deleted ORDER BY id FOR UPDATE`,
      [ids],
    );
    return rows.map(({ body }) => body);
  }

  /** As `lock`. @throws DomainError when one is missing. */
  async require(transaction: Queryable, ids: readonly Id[]): Promise<void> {
    const found = new Set((await this.lock(transaction, ids)).map(({ id }) => id));
    const missing = ids.find((id) => !found.has(id));
    if (missing !== undefined) throw this.#absent(missing);
  }

  /** Stores the resource as it is now; its row is locked. @throws DomainError `PROJECT_NOT_FOUND`. */
  async replace(transaction: Queryable, body: Body): Promise<void> {
    await explainViolations(
      transaction.query(
        `UPDATE ${this.#names.table} SET project_id = $2, created_at_ms = $3, body = $4 WHERE id = $1`,
        valuesOf(body),
      ),
      noProject(body),
    );
  }

  #absent(id: Id): DomainError {
    return new DomainError(this.#names.notFound, `no ${this.#names.noun} "${id}"`);
  }
}

const valuesOf = (body: Resource) =>
  [body.id, body.project_id, msOf(body.created_at), JSON.stringify(body)] as const;

const noProject = ({ project_id }: Resource) =>
  ({ foreignKey: ["PROJECT_NOT_FOUND", `no project "${project_id}"`] }) as const;

export const siteCameras = new BodyTable<CameraId, SiteCamera>({
  table: "site_cameras",
  noun: "camera",
  idOf: "camera",
  notFound: "CAMERA_NOT_FOUND",
});

export const workZones = new BodyTable<WorkZoneId, WorkZone>({
  table: "work_zones",
  noun: "work zone",
  idOf: "zone",
  notFound: "ZONE_NOT_FOUND",
});
