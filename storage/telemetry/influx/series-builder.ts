import type { Series } from "../../ports/telemetry-store.ts";

/** Gathers rows of rising times into columns; rows of one time become one, and the first value is kept. */
export class SeriesBuilder {
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
