import type { FaultCode } from "../../../domain/equipment/reading.ts";
import { readFaultCodes } from "../fields/fault-codes.ts";
import type { FieldSet } from "../fields/field-set.ts";
import type { ActiveCodes } from "./dm1.ts";

/** What every controller said last, in one message, about its active codes. */
export class DtcBook {
  readonly #codesBySource = new Map<number, ActiveCodes>();

  put(source: number, codes: ActiveCodes): void {
    this.#codesBySource.set(source, codes);
  }

  /**
   * The faults of the whole machine, by source address; `undefined` when no controller said anything,
   * or when one of those in `cutOff` is among them with nothing whole. More than a reading may have
   * are given to `note`, and left out.
   */
  faults(
    cutOff: ReadonlySet<number>,
    note: (problem: string) => void,
  ): readonly FaultCode[] | undefined {
    const codesBySource = this.#codesBySource;
    if (codesBySource.size === 0) return undefined;
    for (const source of cutOff) if (!codesBySource.has(source)) return undefined;
    const sources = [...codesBySource.keys()].sort((a, b) => a - b);
    return readFaultCodes(
      sources.flatMap((source) => codesBySource.get(source)?.faults ?? []),
      note,
    );
  }

  /**
   * Keeps each lamp that some controller has, 1 if one of them lit it; and how many codes have an SPN of
   * unknown layout, if any.
   */
  keepLamps(fields: FieldSet): void {
    const lamps = new Map<string, number>();
    let uncertain = 0;
    for (const codes of this.#codesBySource.values()) {
      uncertain += codes.uncertain;
      for (const [lamp, state] of codes.lamps) {
        lamps.set(lamp, Math.max(state, lamps.get(lamp) ?? 0));
      }
    }
    for (const [lamp, state] of lamps) fields.keep(lamp, state);
    if (uncertain > 0) fields.keep("uncertain_spn_count", uncertain);
  }
}
