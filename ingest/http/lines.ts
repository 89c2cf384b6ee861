const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09]);

/** A line of a body that is not blank. */
export interface BodyLine {
  /** Place in the body, from 1; blank lines count. */
  readonly line: number;
  readonly payload: Buffer;
}

/**
 * The lines of an NDJSON body, without their line ends; `undefined`: more than `maxLines` of them, blank ones
 * included. The parts share the memory of the body.
 */
export function splitLines(body: Buffer, maxLines: number): readonly BodyLine[] | undefined {
  const lines: BodyLine[] = [];
  let start = 0;
  for (let line = 1; start < body.length; line += 1) {
    if (line > maxLines) return undefined;
    const feed = body.indexOf(LINE_FEED, start);
    const next = feed < 0 ? body.length : feed;
    const end = next > start && body[next - 1] === CARRIAGE_RETURN ? next - 1 : next;
    if (!isBlank(body, start, end)) lines.push({ line, payload: body.subarray(start, end) });
    start = next + 1;
  }
  return lines;
}

function isBlank(body: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (!BLANKS.has(body[at])) return false;
  return true;
}
