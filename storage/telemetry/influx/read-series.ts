import type { Series, SeriesQuery } from "../../ports/telemetry-store.ts";
import { type InfluxTable, runInfluxQl, timeLiteral } from "./influxql.ts";
import { fieldOfStored, MEASUREMENT, storedFieldName } from "./line-protocol.ts";
import type { InfluxTarget } from "./target.ts";

/** Rows of one request; bounds what one answer takes in memory; fewer mean more round trips. */
const PAGE_ROWS = 10_000;

/**
 * One asset's time line, page by page: each begins at the last time of the one before, whose rows are
 * read again, because a page may end between two rows of one time (of two projects).
 * @throws DomainError `STORE_UNAVAILABLE`.
 */
export async function readInfluxSeries(
  target: InfluxTarget,
  query: SeriesQuery,
  options: { readonly timeoutMs: number; readonly pageRows?: number },
): Promise<Series> {
  const { timeoutMs, pageRows = PAGE_ROWS } = options;
  const builder = new SeriesBuilder();
  const selected =
    query.fields === undefined
      ? "*::field"
      : query.fields.map((name) => `"${quotable(storedFieldName(name))}"`).join(", ");
  const untilMs = Math.ceil(query.toMs);
  let fromMs = Math.ceil(query.fromMs);
  while (fromMs < untilMs && selected !== "") {
    const statement =
      `SELECT ${selected} FROM "${MEASUREMENT}" WHERE "asset" = $asset ` +
      `AND time >= ${timeLiteral(fromMs)} AND time < ${timeLiteral(untilMs)} ` +
      `ORDER BY time ASC LIMIT ${pageRows}`;
    const params = { asset: query.assetId };
    const [table] = await runInfluxQl(target, statement, { params, timeoutMs });
    if (table === undefined) break;
    addTable(builder, table);
    if (table.values.length < pageRows) break;
    const lastMs = Number(table.values.at(-1)?.[0]);
    // A page of one time only cannot be passed by its time; it would need as many projects as rows.
    fromMs = lastMs > fromMs ? lastMs : fromMs + 1;
  }
  return builder.take();
}

function addTable(builder: SeriesBuilder, { columns, values }: InfluxTable): void {
  const names = columns.map(fieldOfStored);
  for (const row of values) {
    builder.startRow(Number(row[0]));
    for (let i = 1; i < names.length; i += 1) {
      const value = row[i];
      if (typeof value === "number") builder.set(names[i] ?? "", value);
    }
  }
  builder.endRows();
}

/** Identifiers cannot be bound; quotes and backslashes in them are escaped. */
const quotable = (name: string): string => name.replace(/["\\]/g, "\\$&");

/** Gathers rows of rising times into columns; rows of one time become one, and the first value is kept. */
class SeriesBuilder {
  readonly #times: number[] = [];
  readonly #columns = new Map<string, number[]>();
  /** Whether the row at hand carries a value. */
  #carries = true;

  /** Begins the row of that time; goes on with the row before when it is of the same time. */
  startRow(timeMs: number): void {
    this.endRows();
    if (this.#times.at(-1) === timeMs) return;
    this.#times.push(timeMs);
    this.#carries = false;
  }

  set(name: string, value: number): void {
    const row = this.#times.length - 1;
    const column = this.#columns.get(name) ?? [];
    if (column.length === 0) this.#columns.set(name, column);
    while (column.length < row) column.push(Number.NaN);
    if (Number.isNaN(column[row] ?? Number.NaN)) column[row] = value;
    this.#carries = true;
  }

  /** Takes back a last row without any value. */
  endRows(): void {
    if (!this.#carries) this.#times.pop();
    this.#carries = true;
  }

  take(): Series {
    this.endRows();
    const columns = new Map<string, Float64Array>();
    for (const [name, values] of this.#columns) {
      const column = new Float64Array(this.#times.length).fill(Number.NaN);
      column.set(values);
      columns.set(name, column);
    }
    return { timesMs: Float64Array.from(this.#times), columns };
  }
}
