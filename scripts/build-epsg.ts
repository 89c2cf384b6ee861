import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openShifts } from "./epsg-shifts.ts";

/**
 * Writes `processing/coordinates/epsg.tsv` from a package that is not installed with the program, because it
 * takes 40 MB of disk:
 *
 *     npm install --prefix FOLDER epsg-index@2.0.0
 *     npx tsx scripts/build-epsg.ts FOLDER /usr/share/proj/proj.db
 *
 * epsg-index has the definitions. Its parameters of datum shifts are not taken: it has rotations in
 * microradians where seconds are meant, and with the other sign (EPSG:28992 comes out 170 m off, EPSG:3021
 * 450 m). Those are taken from the EPSG Dataset as PROJ 9.1 packs it (Debian's proj-data, `sqlite3`).
 */
const [folder = ".", database = "/usr/share/proj/proj.db"] = process.argv.slice(2);
const TABLE = new URL("../processing/coordinates/epsg.tsv", import.meta.url);
/** EPSG codes end here; the packages also hold codes of other authorities above it. */
const LAST_CODE = 32_766;

interface Entry {
  readonly code: string;
  readonly kind: string;
  readonly name: string;
  readonly wkt: string | null;
  readonly proj4: string | null;
  /** North, west, south, east. */
  readonly bbox: readonly number[] | null;
  readonly unit: string | null;
  readonly accuracy: number | null;
}

const KINDS: Readonly<Record<string, string>> = {
  "CRS-PROJCRS": "projected",
  "CRS-GEOGCRS": "geographic",
  "CRS-GEOG3DCRS": "geographic",
  "CRS-COMPOUNDCRS": "compound",
  "CRS-VERTCRS": "vertical",
};
const VERTICAL_UNIT_M: Readonly<Record<string, number>> = {
  metre: 1,
  foot: 0.3048,
  "US survey foot": 1200 / 3937,
  "British foot (1936)": 0.3048007491,
};

const entries = readJson<Readonly<Record<string, Entry>>>("epsg-index/all.json");
const shiftOf = openShifts(database);

const rows = Object.values(entries)
  .filter((entry) => Number(entry.code) <= LAST_CODE && KINDS[entry.kind] !== undefined)
  .sort((a, b) => Number(a.code) - Number(b.code))
  .map((entry) => {
    const [north, west, south, east] = entry.bbox ?? [];
    const definition = definitionOf(entry);
    const columns = [
      entry.code,
      KINDS[entry.kind],
      entry.name,
      definition.text,
      entry.bbox === null ? "" : [west, south, east, north].join(","),
      definition.accuracyM ?? entry.accuracy ?? "",
    ];
    return [...columns, ...(entry.kind === "CRS-GEOG3DCRS" ? ["3D"] : [])].join("\t");
  });
const head = [
  "# Coordinate reference systems of the EPSG Dataset, made by scripts/build-epsg.ts; do not edit.",
  "# code, kind, name, definition, area (west, south, east, north), accuracy of the shift to WGS 84 (m), 3D where ellipsoidal heights belong to it",
];
writeFileSync(TABLE, `${[...head, ...rows].join("\n")}\n`);
process.stdout.write(`${rows.length} systems\n`);

function definitionOf(entry: Entry): { readonly text: string; readonly accuracyM?: number } {
  const { kind, wkt, proj4 } = entry;
  if (KINDS[kind] === "compound") return { text: partsOf(wkt) };
  if (KINDS[kind] === "vertical") {
    const isDown = /AXIS\["[^"]*",DOWN\]/.test(wkt ?? "");
    const unitM = VERTICAL_UNIT_M[entry.unit ?? ""];
    return { text: unitM === undefined ? "" : `${isDown ? "down" : "up"} ${unitM}` };
  }
  if (proj4 === null) return { text: "" };
  const plain = proj4.replace(/"([^"]*)"/g, (_all, name: string) => name.replace(/ /g, "_"));
  const text = plain.replace(/ ?\+(no_defs|type=crs|wktext)\b/g, "").trim();
  const unit = entry.unit === "grad" ? " +angle=grad" : "";
  const stated = /\+towgs84=(\S+)/.exec(text)?.[1];
  const isNull = stated?.split(",").every((value) => Number(value) === 0) === true;
  if (isNull || /\+datum=WGS84|\+nadgrids=@null/.test(text)) return { text: `${text}${unit}` };
  const grid = /\+nadgrids=(\S+)/.exec(text)?.[1];
  const plainText = text.replace(/ \+towgs84=\S+/, "");
  const grids =
    grid === undefined || !entry.name.startsWith("NAD27")
      ? plainText
      : plainText.replace(grid, "conus,NTv2_0.gsb,alaska");
  const [north = 0, west = 0, south = 0, east = 0] = entry.bbox ?? [];
  const shift = shiftOf(Number(entry.code), [west, south, east, north]);
  if (shift === undefined) return { text: `${grids}${unit}` };
  return { text: `${grids} +towgs84=${shift.towgs84}${unit}`, accuracyM: shift.accuracyM };
}

/** Codes of the horizontal and the vertical part of a compound system, by the last authority of each. */
function partsOf(wkt: string | null): string {
  const [horizontal, vertical] = (wkt ?? "").split(/,VERT_CS\[/);
  const last = (text: string | undefined, skip: number) =>
    [...(text ?? "").matchAll(/AUTHORITY\["EPSG","(\d+)"\]/g)].at(-1 - skip)?.[1];
  const codes = [last(horizontal, 0), last(vertical, 1)];
  return codes.includes(undefined) ? "" : codes.join("+");
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(folder, "node_modules", path), "utf8")) as T;
}
