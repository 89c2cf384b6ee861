import { createDayCache, writeNumber, writePiece, writeTime } from "./digits.ts";

/** Positions of one asset, ascending in time; columns of equal length, no `NaN`. */
export interface Track {
  /** ms since the Unix epoch. */
  readonly timesMs: Float64Array;
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
}

const CHUNK_BYTES = 64 * 1024;
/** Most bytes that one position takes in any form: three values of 24 and the text around them. */
const MAX_ROW_BYTES = 256;

/** Writes one row at `at` and returns the place behind it. */
type WriteRow = (bytes: Uint8Array, at: number, row: number) => number;

/** Rows in chunks of 64 KiB, so that a long track never is one large string. */
function* chunksOf(rows: number, separator: string, writeRow: WriteRow): Generator<Buffer> {
  const between = Buffer.from(separator);
  let bytes = Buffer.allocUnsafe(CHUNK_BYTES);
  let at = 0;
  for (let row = 0; row < rows; row += 1) {
    if (row > 0) at = writePiece(bytes, at, between);
    at = writeRow(bytes, at, row);
    if (at < CHUNK_BYTES - MAX_ROW_BYTES) continue;
    yield bytes.subarray(0, at);
    bytes = Buffer.allocUnsafe(CHUNK_BYTES);
    at = 0;
  }
  yield bytes.subarray(0, at);
}

/** The contract's history entries, separated by commas. */
export function trackJson({ timesMs, latitudes, longitudes }: Track): Generator<Buffer> {
  const beforeLatitude = Buffer.from('{"latitude":');
  const beforeLongitude = Buffer.from(',"longitude":');
  const beforeTime = Buffer.from(',"timestamp":"');
  const after = Buffer.from('"}');
  const day = createDayCache();
  return chunksOf(timesMs.length, ",", (bytes, start, row) => {
    let at = writePiece(bytes, start, beforeLatitude);
    at = writeNumber(bytes, at, latitudes[row] as number);
    at = writePiece(bytes, at, beforeLongitude);
    at = writeNumber(bytes, at, longitudes[row] as number);
    at = writePiece(bytes, at, beforeTime);
    at = writeTime(bytes, at, timesMs[row] as number, day);
    return writePiece(bytes, at, after);
  });
}

/** The same as CSV, with its header line. */
export function* trackCsv({ timesMs, latitudes, longitudes }: Track): Generator<Buffer> {
  const comma = Buffer.from(",");
  const day = createDayCache();
  yield Buffer.from("timestamp,latitude,longitude\r\n");
  yield* chunksOf(timesMs.length, "\r\n", (bytes, start, row) => {
    let at = writeTime(bytes, start, timesMs[row] as number, day);
    at = writePiece(bytes, at, comma);
    at = writeNumber(bytes, at, latitudes[row] as number);
    at = writePiece(bytes, at, comma);
    return writeNumber(bytes, at, longitudes[row] as number);
  });
  if (timesMs.length > 0) yield Buffer.from("\r\n");
}

/** GeoJSON positions, [longitude, latitude] (RFC 7946 section 3.1.1), separated by commas. */
export function trackPositions({ timesMs, latitudes, longitudes }: Track): Generator<Buffer> {
  const [open, comma, close] = [Buffer.from("["), Buffer.from(","), Buffer.from("]")];
  return chunksOf(timesMs.length, ",", (bytes, start, row) => {
    let at = writePiece(bytes, start, open);
    at = writeNumber(bytes, at, longitudes[row] as number);
    at = writePiece(bytes, at, comma);
    at = writeNumber(bytes, at, latitudes[row] as number);
    return writePiece(bytes, at, close);
  });
}

/** The times of the positions as JSON texts, separated by commas. */
export function trackTimes({ timesMs }: Track): Generator<Buffer> {
  const quote = Buffer.from('"');
  const day = createDayCache();
  return chunksOf(timesMs.length, ",", (bytes, start, row) => {
    const at = writeTime(bytes, writePiece(bytes, start, quote), timesMs[row] as number, day);
    return writePiece(bytes, at, quote);
  });
}
