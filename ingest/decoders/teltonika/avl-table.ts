import { FIELD_RANGES } from "../../../domain/equipment/reading.ts";

/** What the number of one AVL id means. */
export interface AvlMeaning {
  /** The field it fills; known fields in their own unit, others in the unit of the name. */
  readonly field: string;
  /** The number on the wire divided by this is in the unit of `field`. */
  readonly per: number;
  /** Whether the bytes of Codec 8 are a two's complement number. JSON writes the sign itself. */
  readonly signed: boolean;
  /** Inclusive, in the unit of `field`; outside, the number is not a measurement and is kept as it came. */
  readonly min: number;
  readonly max: number;
  /** The number on the wire, within the range, by which the sensor says that it has no value. */
  readonly noValue: number | undefined;
  /** Whether `field` is one of `FIELD_RANGES`. */
  readonly isKnown: boolean;
  /** Measured by the GNSS receiver: says nothing without a fix. */
  readonly isGnss: boolean;
  /** Only 0 and 1 have a meaning. */
  readonly isFlag: boolean;
  /** Its name where another source, a better one, has filled `field` already; "": it is the best. */
  readonly otherwise: string;
  /** Part of a list so long that not all of it fits: it takes the room that the machine's own values leave. */
  readonly isSpare: boolean;
  /** Whether it is the best source of `field` and no spare one: nothing else of the record has to be awaited. */
  readonly isFirst: boolean;
}

/** One AVL id as the lists have it. */
export interface AvlEntry {
  readonly field: string;
  readonly per?: number;
  readonly signed?: true;
  readonly otherwise?: string;
  readonly gnss?: true;
  readonly spare?: true;
  /** For fields that `FIELD_RANGES` does not have; see `AvlMeaning`. */
  readonly range?: { readonly min: number; readonly max: number };
  readonly noValue?: number;
  /**
   * Its width in Codec 8, where another family of trackers gives the same id to another value of another
   * width. 85 is the engine's speed in two bytes, and its load in one.
   */
  readonly bytes?: 1 | 2 | 4;
}

const NO_LIMIT = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };

/** The ids of one family of trackers. */
export class AvlTable {
  /**
   * Ids of eight bytes, and of one, that hold text or an identifier, which a double would round. Groups of
   * other widths hold numbers only.
   */
  readonly texts: ReadonlySet<number>;
  /** Whether any of them is one byte wide: asking for each of those costs a fifth of a record's time. */
  readonly hasByteTexts: boolean;
  /** By id, dense up to the last one with a meaning. */
  readonly #meanings: (AvlMeaning | undefined)[] = [];
  /** By id; 0: any width will do. */
  readonly #widths: number[] = [];

  constructor(
    entries: Readonly<Record<number, AvlEntry>>,
    texts: readonly number[],
    hasByteTexts: boolean,
  ) {
    this.texts = new Set(texts);
    this.hasByteTexts = hasByteTexts;
    const lastId = Math.max(...Object.keys(entries).map(Number));
    for (let id = 0; id <= lastId; id += 1) {
      const entry = entries[id];
      this.#meanings.push(entry === undefined ? undefined : meaning(entry));
      this.#widths.push(entry?.bytes ?? 0);
    }
  }

  /** What an AVL id means; `undefined`: it is kept under its number. `bytes`: its width, where there is one. */
  meaning(id: number, bytes?: number): AvlMeaning | undefined {
    // What is eight bytes wide is an identifier or text of some family; no value of ours is.
    if (bytes === 8) return undefined;
    const width = this.#widths[id] ?? 0;
    if (width !== 0 && bytes !== undefined && bytes !== width) return undefined;
    return this.#meanings[id];
  }
}

function meaning(entry: AvlEntry): AvlMeaning {
  const { field, per = 1, signed, otherwise = "", gnss, noValue, spare } = entry;
  const range = FIELD_RANGES[field];
  return {
    field,
    per,
    signed: signed === true,
    ...(range ?? entry.range ?? NO_LIMIT),
    noValue,
    isKnown: range !== undefined,
    isGnss: gnss === true,
    isFlag: field === "engine_on",
    otherwise,
    isSpare: spare === true,
    isFirst: otherwise === "" && spare !== true,
  };
}
