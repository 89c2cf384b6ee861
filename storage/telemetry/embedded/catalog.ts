import { join } from "node:path";
import { DomainError } from "../../../domain/errors.ts";
import type { JournalPosition } from "../../ports.ts";
import { type LmdbFile, openLmdbFile } from "./lmdb-file.ts";

/** Version of everything in the folder. */
const FORMAT = 1;

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
}

const text = new TextEncoder();
const key = (name: string): Uint8Array => text.encode(name);
const FORMAT_KEY = key("format");
const POSITION_KEY = key("position");
const PREFIX: Readonly<Record<NumberedKind, string>> = { asset: "a", project: "p" };

/** The file beside the periods: numbers of assets and projects, and the durable position. */
export function openCatalog(dir: string): LmdbFile {
  return openLmdbFile(join(dir, "catalog.mdb"));
}

/** @throws DomainError `SCHEMA_TOO_NEW` when a later version wrote the folder. */
export function readCatalog(file: LmdbFile): CatalogContent {
  const format = readJson<number>(file, FORMAT_KEY) ?? FORMAT;
  if (format > FORMAT) {
    throw new DomainError("SCHEMA_TOO_NEW", `telemetry folder of format ${format}, need ${FORMAT}`);
  }
  const names: NumberedName[] = [];
  const decoder = new TextDecoder();
  for (const kind of ["asset", "project"] as const) {
    const prefix = PREFIX[kind].charCodeAt(0);
    const range = { start: Uint8Array.of(prefix), end: Uint8Array.of(prefix + 1) };
    for (const entry of file.getRange(range)) {
      if (entry.key.length !== 5) continue;
      const number = new DataView(entry.key.buffer, entry.key.byteOffset).getUint32(1);
      names.push({ kind, number, name: decoder.decode(entry.value) });
    }
  }
  return { names, position: readJson<JournalPosition>(file, POSITION_KEY) };
}

/** One durable transaction. Names must be there before the first block that uses their number. */
export function writeCatalog(file: LmdbFile, change: Partial<CatalogContent>): void {
  file.transactionSync(() => {
    file.putSync(FORMAT_KEY, key(JSON.stringify(FORMAT)));
    for (const { kind, number, name } of change.names ?? []) {
      const entry = new Uint8Array(5);
      entry[0] = PREFIX[kind].charCodeAt(0);
      new DataView(entry.buffer).setUint32(1, number);
      file.putSync(entry, key(name));
    }
    if (change.position !== undefined) {
      file.putSync(POSITION_KEY, key(JSON.stringify(change.position)));
    }
  });
}

function readJson<T>(file: LmdbFile, at: Uint8Array): T | undefined {
  const bytes = file.get(at);
  return bytes === undefined ? undefined : (JSON.parse(new TextDecoder().decode(bytes)) as T);
}
