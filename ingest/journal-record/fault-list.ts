import type { FaultCode } from "../../domain/equipment/reading.ts";
import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";

/** Occurrence count of a fault that came without one; real counts end at 126 (SAE J1939-73). */
const NO_COUNT = 255;
/** Source address of a fault that came without one; real ones end at 253 (SAE J1939-81). */
const NO_SOURCE = 255;

/** Whether the list is written with source addresses; a flag of the reading marks this. */
export const namesSources = (faults: readonly FaultCode[] | undefined): boolean =>
  faults?.some((fault) => fault.source !== undefined) ?? false;

/** Whether the list has codes that are not of J1939, and is written as text; a flag marks this. */
export const hasOwnCodes = (faults: readonly FaultCode[] | undefined): boolean =>
  faults?.some((fault) => fault.spn === undefined || fault.fmi === undefined) ?? false;

/** Writes a list of fault codes; {@link readFaults} is its inverse. */
export function writeFaults(writer: ByteWriter, faults: readonly FaultCode[]): void {
  // Rare, and of parts that each maker has or has not: JSON, which a reader without interest in faults
  // skips.
  if (hasOwnCodes(faults)) {
    writer.text(JSON.stringify(faults));
    return;
  }
  const hasSources = namesSources(faults);
  writer.u8(faults.length);
  for (const { spn = 0, fmi = 0, occurrence_count = NO_COUNT, source = NO_SOURCE } of faults) {
    writer.u32(spn);
    writer.u8(fmi);
    writer.u8(occurrence_count);
    if (hasSources) writer.u8(source);
  }
}

/** Reads a list that was written as text. */
export const readOwnCodes = (reader: ByteReader): readonly FaultCode[] =>
  JSON.parse(reader.text()) as FaultCode[];

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
