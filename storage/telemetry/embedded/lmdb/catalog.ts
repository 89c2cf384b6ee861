import { join } from "node:path";
import { DomainError } from "../../../../domain/errors.ts";
import type { JournalPosition } from "../../../ports/journal.ts";
import { withCrc, withoutCrc } from "./checked-value.ts";
import { type LmdbFile, openLmdbFile } from "./lmdb-file.ts";

/** Version of everything in the folder. 2: blocks and entries carry a CRC, and periods are listed. */
const FORMAT = 2;
const FORMAT_WITHOUT_CRC = 1;

/** What a catalog numbers: blocks name assets and projects by small integers. */
export type NumberedKind = "asset" | "project";

/** A name that was given a number, counted from 0 per kind. */
export interface NumberedName {
  readonly kind: NumberedKind;
  readonly number: number;
  readonly name: string;
}

export interface CatalogContent {
  readonly names: readonly NumberedName[];
  readonly position: JournalPosition | undefined;
  /** Starts of the periods that have a file; `undefined`: an earlier version did not list them. */
  readonly periods: readonly number[] | undefined;
}

const text = new TextEncoder();
const key = (name: string): Uint8Array => text.encode(name);
const FORMAT_KEY = key("format");
const POSITION_KEY = key("position");
const PERIODS_KEY = key("periods");
const PREFIX: Readonly<Record<NumberedKind, string>> = { asset: "a", project: "p" };

export const catalogPath = (dir: string): string => join(dir, "catalog.mdb");

/** The file beside the periods: numbers of assets and projects, and the durable position. */
export function openCatalog(dir: string): LmdbFile {
  return openLmdbFile(catalogPath(dir));
}

/**
 * Reads a catalog. One of an earlier format is brought to this one.
 * @throws DomainError `SCHEMA_TOO_NEW` when a later version wrote the folder, `STORE_DAMAGED` when an entry
 * is not as it was written.
 */
export function readCatalog(file: LmdbFile): CatalogContent {
  const stored = file.get(FORMAT_KEY);
  const format = stored === undefined ? undefined : formatOf(stored);
  const content = decodeCatalog(file.getRange({}), format !== FORMAT_WITHOUT_CRC);
  if (format === FORMAT_WITHOUT_CRC) writeCatalog(file, content);
  return content;
}

/**
 * The format in the entry of a catalog.
 * @throws DomainError `SCHEMA_TOO_NEW` for one that only a later program knows.
 */
function formatOf(value: Uint8Array): number {
  const format = Number(new TextDecoder().decode(value));
  if (format > FORMAT) {
    throw new DomainError("SCHEMA_TOO_NEW", `telemetry folder of format ${format}, need ${FORMAT}`);
  }
  return format;
}

/**
 * Whether the entries that can be read of a catalog carry a CRC.
 * @throws DomainError `SCHEMA_TOO_NEW`.
 */
export function hasCrcs(
  entries: Iterable<{ readonly key: Uint8Array; readonly value: Uint8Array }>,
): boolean {
  const format = [...entries].find((entry) => isKey(entry.key, FORMAT_KEY));
  return format === undefined || formatOf(format.value) !== FORMAT_WITHOUT_CRC;
}

/** What the entries of a catalog say, in any order. @throws DomainError `STORE_DAMAGED`. */
export function decodeCatalog(
  entries: Iterable<{ readonly key: Uint8Array; readonly value: Uint8Array }>,
  hasCrc: boolean,
): CatalogContent {
  const decoder = new TextDecoder();
  const names: NumberedName[] = [];
  let position: JournalPosition | undefined;
  let periods: readonly number[] | undefined;
  for (const entry of entries) {
    if (isKey(entry.key, FORMAT_KEY)) continue;
    const value = decoder.decode(hasCrc ? withoutCrc(entry.key, entry.value) : entry.value);
    if (isKey(entry.key, POSITION_KEY)) position = JSON.parse(value) as JournalPosition;
    else if (isKey(entry.key, PERIODS_KEY)) periods = JSON.parse(value) as number[];
    else names.push({ ...decodeNameKey(entry.key), name: value });
  }
  return { names, position, periods };
}

/** One durable transaction. Names must be there before the first block that uses their number. */
export function writeCatalog(file: LmdbFile, change: Partial<CatalogContent>): void {
  function put(at: Uint8Array, value: string): void {
    file.putSync(at, withCrc(at, key(value)));
  }
  file.transactionSync(() => {
    file.putSync(FORMAT_KEY, key(JSON.stringify(FORMAT)));
    for (const { kind, number, name } of change.names ?? []) put(nameKey(kind, number), name);
    if (change.position !== undefined) put(POSITION_KEY, JSON.stringify(change.position));
    if (change.periods !== undefined) put(PERIODS_KEY, JSON.stringify(change.periods));
  });
}

function nameKey(kind: NumberedKind, number: number): Uint8Array {
  const at = new Uint8Array(5);
  at[0] = PREFIX[kind].charCodeAt(0);
  new DataView(at.buffer).setUint32(1, number);
  return at;
}

function decodeNameKey(at: Uint8Array): Pick<NumberedName, "kind" | "number"> {
  const kind = at[0] === PREFIX.asset.charCodeAt(0) ? "asset" : "project";
  const number = at.length === 5 ? new DataView(at.buffer, at.byteOffset).getUint32(1) : 0;
  if (!isKey(at, nameKey(kind, number))) {
    throw new DomainError("STORE_DAMAGED", "an entry of a telemetry file is damaged");
  }
  return { kind, number };
}

const isKey = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
