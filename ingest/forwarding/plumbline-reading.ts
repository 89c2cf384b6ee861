import { isoTime } from "../../domain/iso-time.ts";
import type { Reading } from "../../domain/reading.ts";

/** Members of our JSON that are no numeric field; a device's own field of that name cannot be told. */
const STRUCTURAL: ReadonlySet<string> = new Set(["timestamp", "seq", "fault_codes"]);

/**
 * One reading as our own JSON, which the decoder `plumbline` reads back: names and units of
 * `domain/reading.ts`, the time that was found to be right, `seq` and fault codes where there are any.
 */
export function plumblineMessage({ fixTimeMs, seq, fields, faults }: Reading): string {
  const body: Record<string, unknown> = { timestamp: isoTime(fixTimeMs) };
  if (seq >= 0) body["seq"] = seq;
  for (const name in fields) if (!STRUCTURAL.has(name)) body[name] = fields[name];
  if (faults !== undefined) body["fault_codes"] = faults;
  return JSON.stringify(body);
}
