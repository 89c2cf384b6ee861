import type { JournalRecord } from "../../storage/ports/journal.ts";
import type { PointColumns, PointRun } from "../../storage/ports/telemetry-store.ts";
import type { ReadingColumns } from "./reading-columns.ts";

/** The points of records in journal order, each read from its record as it is taken. */
export class RecordPoints implements PointRun {
  point: PointColumns | undefined;
  readonly #records: readonly JournalRecord[];
  readonly #columns: ReadingColumns;
  #record = 0;
  #reading = 0;
  /** Readings of the record that `#columns` has. */
  #count = 0;

  /** `columns`: of one run at a time. */
  constructor(records: readonly JournalRecord[], columns: ReadingColumns) {
    this.#records = records;
    this.#columns = columns;
    this.next();
  }

  next(): void {
    while (this.#reading === this.#count) {
      const record = this.#records[this.#record];
      if (record === undefined) {
        this.point = undefined;
        return;
      }
      this.#columns.read(record);
      this.#record += 1;
      this.#count = this.#columns.count;
      this.#reading = 0;
    }
    this.point = this.#columns.at(this.#reading);
    this.#reading += 1;
  }
}
