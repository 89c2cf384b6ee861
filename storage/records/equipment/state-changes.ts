import type { AssetId } from "../../../domain/ids.ts";
import type {
  AssetStateRow,
  StateChanges,
  StateMark,
} from "../../ports/equipment/state-changes.ts";
import type { Database } from "../sql/database.ts";

/** Commits of one node whose assets are known; part of the schema (`state_changes`). */
export const STATE_CHANGE_SLOTS = 1_024;

type Span = { readonly nodeId: string; readonly from: number; readonly to: number };

/**
 * What followers of `asset_state` ask. An index on a column that changes with every commit would cost
 * the pipeline its heap-only updates, so each commit says in one row which assets it touched.
 */
export class SqlStateChanges implements StateChanges {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async since(
    before: StateMark | undefined,
  ): Promise<{ readonly rows: readonly AssetStateRow[]; readonly mark: StateMark }> {
    // First: what is committed between the two reads is then listed twice, not never.
    const mark = await this.#readMark();
    if (before === undefined) return { rows: await this.#read(undefined), mark };
    const spans = spansBetween(before, mark);
    if (spans?.length === 0) return { rows: [], mark };
    return { rows: await this.#read(spans && (await this.#touched(spans))), mark };
  }

  async #readMark(): Promise<StateMark> {
    const rows = await this.#database.query<{ node_id: string; commits: number }>(
      "SELECT node_id, commits FROM pipeline_checkpoint",
    );
    return new Map(rows.map((row) => [row.node_id, row.commits]));
  }

  /** Assets that commits `from + 1` to `to` touched; `undefined`: that is not known any more. */
  async #touched(spans: readonly Span[]): Promise<ReadonlySet<string> | undefined> {
    const numbers = spans.flatMap(({ nodeId, from, to }) =>
      Array.from({ length: to - from }, (_, i) => ({ nodeId, number: from + 1 + i })),
    );
    const rows = await this.#database.query<{ asset_ids: string }>(
      `SELECT asset_ids FROM state_changes
       JOIN unnest($1::text[], $2::int[], $3::bigint[]) AS wanted (node_id, slot, commit_number)
         USING (node_id, slot, commit_number)`,
      [
        numbers.map(({ nodeId }) => nodeId),
        numbers.map(({ number }) => number % STATE_CHANGE_SLOTS),
        numbers.map(({ number }) => number),
      ],
    );
    // Overwritten since the read.
    if (rows.length < numbers.length) return undefined;
    const ids = rows.flatMap((row) => (row.asset_ids === "" ? [] : row.asset_ids.split("\x1f")));
    return new Set(ids);
  }

  async #read(ids: ReadonlySet<string> | undefined): Promise<readonly AssetStateRow[]> {
    if (ids?.size === 0) return [];
    const rows = await this.#database.query<{ asset_id: string; state: string }>(
      "SELECT asset_id, state FROM asset_state WHERE $1::text[] IS NULL OR asset_id = ANY ($1)",
      [ids === undefined ? null : [...ids]],
    );
    return rows.map((row) => ({ assetId: row.asset_id as AssetId, state: row.state }));
  }
}

/** Commits that came since; `undefined`: more than the ring holds, or the database was set back. */
function spansBetween(before: StateMark, mark: StateMark): readonly Span[] | undefined {
  const spans: Span[] = [];
  for (const [nodeId, to] of mark) {
    const from = before.get(nodeId) ?? 0;
    if (to < from || to - from > STATE_CHANGE_SLOTS) return undefined;
    if (to > from) spans.push({ nodeId, from, to });
  }
  return [...before.keys()].every((nodeId) => mark.has(nodeId)) ? spans : undefined;
}
