import type { FaultCode } from "../../domain/reading.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";

/** Occurrence count of a fault that came without one; real counts end at 126 (SAE J1939-73). */
const NO_COUNT = 255;
/** Source address of a fault that came without one; real ones end at 253 (SAE J1939-81). */
const NO_SOURCE = 255;

/** Whether the list is written with source addresses; a flag of the reading tells its reader. */
export const namesSources = (faults: readonly FaultCode[] | undefined): boolean =>
  faults?.some((fault) => fault.source !== undefined) ?? false;

/** Writes a list of fault codes; {@link readFaults} is its inverse. */
export function writeFaults(writer: ByteWriter, faults: readonly FaultCode[]): void {
  const hasSources = namesSources(faults);
  writer.u8(faults.length);
  for (const fault of faults) {
    writer.u32(fault.spn);
    writer.u8(fault.fmi);
    writer.u8(fault.occurrence_count ?? NO_COUNT);
    if (hasSources) writer.u8(fault.source ?? NO_SOURCE);
  }
}

/** Reads a list back; records written before source addresses were kept have none. */
export function readFaults(reader: ByteReader, hasSources: boolean): readonly FaultCode[] {
  const faults: FaultCode[] = [];
  for (let left = reader.u8(); left > 0; left -= 1) {
    const spn = reader.u32();
    const fmi = reader.u8();
    const count = reader.u8();
    const source = hasSources ? reader.u8() : NO_SOURCE;
    faults.push({
      spn,
      fmi,
      ...(count === NO_COUNT ? {} : { occurrence_count: count }),
      ...(source === NO_SOURCE ? {} : { source }),
    });
  }
  return faults;
}
