import type { Reading } from "../../domain/equipment/reading.ts";
import { isoTime } from "../../domain/iso-time.ts";

/** Members of our JSON that are not a numeric field; a device's own field of that name cannot be sent. */
const STRUCTURAL: ReadonlySet<string> = new Set([
  "timestamp",
  "seq",
  "fault_codes",
  "is_historical",
]);

/**
 * One reading as our own JSON, which the decoder `plumbline` reads back. It has the names and units of
 * `domain/equipment/reading.ts` and the time that was found to be right. It has `seq` and fault codes where there
 * are any, and `is_historical` where the device said so.
 */
export function plumblineMessage(reading: Reading): string {
  const { fixTimeMs, seq, fields, faults, isHistorical } = reading;
  const body: Record<string, unknown> = { timestamp: isoTime(fixTimeMs) };
  if (seq >= 0) body["seq"] = seq;
  for (const name in fields) if (!STRUCTURAL.has(name)) body[name] = fields[name];
  if (faults !== undefined) body["fault_codes"] = faults;
  if (isHistorical === true) body["is_historical"] = true;
  return JSON.stringify(body);
}
