import { readFileSync } from "node:fs";

/** West, south, east and north edge, degrees. West is larger than east where it crosses 180 degrees. */
export type Area = readonly [west: number, south: number, east: number, north: number];

/** A row of the EPSG Dataset. */
export interface EpsgEntry {
  readonly code: number;
  readonly kind: "projected" | "geographic" | "compound" | "vertical";
  readonly name: string;
  /**
   * In the notation of PROJ; of a compound system the codes of its parts, "27700+5701"; of a vertical one its
   * direction and metres of its unit, "up 0.3048". Empty: it cannot be written so.
   */
  readonly definition: string;
  readonly area: Area | undefined;
  /** Accuracy of the relation to WGS 84, metres. */
  readonly accuracyM: number | undefined;
  /** A geographic system of three dimensions: heights above its ellipsoid, metres, belong to it. */
  readonly is3d: boolean;
}

const TABLE = new URL("epsg.tsv", import.meta.url);
let table: string | undefined;

/**
 * The row of an EPSG code; `undefined` for one that is not a projected, geographic, compound or vertical
 * system. The table is read from the disk when it is first asked (1.1 MB, 1 ms).
 */
export function epsgEntry(code: number): EpsgEntry | undefined {
  const rows = readTable();
  const at = rows.indexOf(`\n${code}\t`);
  return at < 0 ? undefined : entryOf(rows.slice(at + 1, rows.indexOf("\n", at + 1)));
}

/** The geographic system of a name, compared by letters and digits alone. */
export function geographicNamed(name: string): EpsgEntry | undefined {
  const wanted = plain(name);
  const row = readTable()
    .split("\n")
    .find((line) => {
      const [, kind, known = ""] = line.split("\t", 3);
      return kind === "geographic" && plain(known) === wanted;
    });
  return row === undefined ? undefined : entryOf(row);
}

/** Codes of all rows of a kind, in ascending order. */
export function epsgCodes(kind: EpsgEntry["kind"]): readonly number[] {
  return readTable()
    .split("\n")
    .filter((row) => row.split("\t", 2)[1] === kind)
    .map((row) => Number(row.slice(0, row.indexOf("\t"))));
}

const plain = (name: string): string => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();

function readTable(): string {
  table ??= readFileSync(TABLE, "utf8");
  return table;
}

function entryOf(row: string): EpsgEntry {
  const [code, kind, name = "", definition = "", area = "", accuracy = "", dimensions = ""] =
    row.split("\t");
  const [west, south, east, north] = area.split(",").map(Number);
  return {
    ...{ code: Number(code), name, definition },
    kind: kind as EpsgEntry["kind"],
    area:
      west === undefined || south === undefined || east === undefined || north === undefined
        ? undefined
        : [west, south, east, north],
    accuracyM: accuracy === "" ? undefined : Number(accuracy),
    is3d: dimensions === "3D",
  };
}
