import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes `processing/coordinates/epsg.tsv` from two packages, so that neither is installed with the program
 * (epsg-index is 40 MB on a disk):
 *
 *     npm install --prefix FOLDER epsg-index@2.0.0 epsg@0.5.0
 *     npx tsx scripts/build-epsg.ts FOLDER
 *
 * epsg-index has the definitions. Where those name a grid of datum shifts, the parameters for use without
 * that grid come from `epsg`, or from WITHOUT_GRID.
 */
const [folder = "."] = process.argv.slice(2);
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
/**
 * Shifts for use without the grid, and their accuracy in metres, by grid (EPSG Dataset 10.076, operations
 * 1173, 1172, 1777, 1314, 1564, 1109, 1132). NAD27 has one for the United States and one for Canada.
 */
const NAD27 = { us: ["-8,160,176", 10], canada: ["-10,158,187", 20] } as const;
const WITHOUT_GRID: Readonly<Record<string, readonly [towgs84: string, accuracyM: number]>> = {
  "BETA2007.gsb": ["598.1,73.7,418.2,0.202,0.045,-2.455,6.7", 3],
  "OSTN15_NTv2_OSGBtoETRS.gsb": ["446.448,-125.157,542.06,0.15,0.247,0.842,-20.489", 2],
  "nzgd2kgrid0005.gsb": ["59.47,-5.04,187.44,0.47,-0.1,1.024,-4.5993", 4],
  "National_84_(02.07.01).gsb": ["-134,-48,149", 4],
  "CA7072_003.gsb": ["-206,172,-6", 8],
};
const VERTICAL_UNIT_M: Readonly<Record<string, number>> = {
  metre: 1,
  foot: 0.3048,
  "US survey foot": 1200 / 3937,
  "British foot (1936)": 0.3048007491,
};

const entries = readJson<Readonly<Record<string, Entry>>>("epsg-index/all.json");
const older = readJson<Readonly<Record<string, string>>>("epsg/crs-defs.json");

const rows = Object.values(entries)
  .filter((entry) => Number(entry.code) <= LAST_CODE && KINDS[entry.kind] !== undefined)
  .sort((a, b) => Number(a.code) - Number(b.code))
  .map((entry) => {
    const [north, west, south, east] = entry.bbox ?? [];
    const definition = definitionOf(entry);
    return [
      entry.code,
      KINDS[entry.kind],
      entry.name,
      definition.text,
      entry.bbox === null ? "" : [west, south, east, north].join(","),
      definition.accuracyM ?? entry.accuracy ?? "",
    ].join("\t");
  });
const head = [
  "# Coordinate reference systems of the EPSG Dataset, made by scripts/build-epsg.ts; do not edit.",
  "# code, kind, name, definition, area (west, south, east, north), accuracy of the shift to WGS 84 (m)",
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
  const grid = /\+nadgrids=(\S+)/.exec(text)?.[1];
  const olderShift = /\+towgs84=(\S+)/.exec(older[`EPSG:${entry.code}`] ?? "")?.[1];
  if (grid === undefined || grid === "@null") {
    const isShiftKnown = /\+(towgs84|datum|nadgrids)=/.test(text);
    const shift = isShiftKnown || olderShift === undefined ? "" : ` +towgs84=${olderShift}`;
    return { text: `${text}${shift}${unit}` };
  }
  const isNad27 =
    /\+datum=NAD27/.test(older[`EPSG:${entry.code}`] ?? "") || /^NAD27/.test(entry.name);
  const isOfUs = (entry.bbox?.[0] ?? 90) < 50;
  const [towgs84, accuracyM] = isNad27
    ? NAD27[isOfUs ? "us" : "canada"]
    : (WITHOUT_GRID[grid] ?? [olderShift, undefined]);
  const grids = isNad27 ? text.replace(grid, "NTv2_0.gsb,conus,alaska") : text;
  if (towgs84 === undefined) return { text: `${grids}${unit}` };
  return {
    text: `${grids} +towgs84=${towgs84}${unit}`,
    ...(accuracyM === undefined ? {} : { accuracyM }),
  };
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
