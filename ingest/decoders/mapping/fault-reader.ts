import type { PayloadMapping } from "../../../domain/equipment/payload-mapping.ts";
import type { FaultCode } from "../../../domain/equipment/reading.ts";
import { MAX_FAULTS, readFaultCodes } from "../fields/fault-codes.ts";
import type { FieldSet } from "../fields/field-set.ts";
import { looseNumber } from "../payload/loose-number.ts";
import { type Find, finder, isOfMessage, type Source } from "./finder.ts";

/** How the fault codes of a mapping are read. */
interface FaultReader {
  /** The list is beside the readings and not in each of them. */
  readonly isShared: boolean;
  /** `undefined`: nothing is sent of faults, or the list is noted in `fields` as suspect. */
  read(source: Source, fields: FieldSet): readonly FaultCode[] | undefined;
}

const nowhere: Find = () => undefined;

export function compileFaults(mapping: NonNullable<PayloadMapping["faults"]>): FaultReader {
  const find = finder(mapping.pointer);
  const optional = (pointer: string | undefined) =>
    pointer === undefined ? nowhere : finder(pointer);
  const spn = finder(mapping.spn);
  const fmi = finder(mapping.fmi);
  const count = optional(mapping.occurrence_count);
  const source = optional(mapping.source);

  return {
    isShared: isOfMessage(mapping.pointer),
    read(from, fields) {
      const raw = find(from) ?? undefined;
      const note = (problem: string) => fields.suspect("fault_codes", raw, problem);
      // What is not a list, or too long, is refused before it is read.
      if (!Array.isArray(raw) || raw.length > MAX_FAULTS) return readFaultCodes(raw, note);
      const codes = raw.map((fault: unknown) => {
        const at = { reading: fault, message: from.message };
        return {
          spn: number(spn(at)),
          fmi: number(fmi(at)),
          occurrence_count: number(count(at)),
          source: number(source(at)),
        };
      });
      return readFaultCodes(codes, note);
    },
  };
}

/** Numbers as text are numbers; everything else stays, for the check of fault codes to refuse. */
const number = (value: unknown): unknown => looseNumber(value) ?? value;
