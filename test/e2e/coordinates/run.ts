import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createCoordinateSystem } from "../../../processing/coordinates/coordinate-system.ts";
import { epsgCodes, epsgEntry } from "../../../processing/coordinates/epsg-table.ts";
import { systemOfCode } from "../../../processing/coordinates/find-coordinate-system.ts";
import { isProblem } from "../../../processing/coordinates/problem.ts";
import { readProjString } from "../../../processing/coordinates/proj-string.ts";
import { readElevation } from "../../../processing/engine/raster/read-surface.ts";
import { createEnuFrame } from "../../../processing/geometry/enu.ts";
import { seededRandom } from "../../support/seeded-random.ts";

/**
 * Compares coordinate systems with GDAL and PROJ (Debian: gdal-bin): random codes at random places of their
 * areas, on their own datum. Also a heap in GeoTIFFs that gdalwarp brought to other systems.
 *
 *     npm run test:coordinates -- --codes 100 --seed 1
 */
const { values: given } = parseArgs({
  options: { codes: { type: "string", default: "100" }, seed: { type: "string", default: "1" } },
});
/** Cells of the heap's raster along an edge, their edge, and the height of the ground around it. */
const SIDE = 240;
const CELL_M = 0.25;
const GROUND_M = 100;
const random = seededRandom(Number(given.seed));

/** Agreement that is asked for, metres; LAEA and Equal Earth of proj4 differ by 2 mm far from their centres. */
const sameM = (definition: string): number =>
  /\+proj=(laea|eqearth)/.test(definition) ? 0.003 : 0.001;

function compareCodes(count: number): boolean {
  const codes = [...epsgCodes("projected")];
  const refused = codes.filter((code) => isProblem(systemOfCode(code)));
  process.stdout.write(
    `refused by name: ${refused.length} of ${codes.length}: ${refused.join(" ")}\n`,
  );
  const computed = codes.filter((code) => !refused.includes(code));
  let [compared, worst, bad] = [0, 0, 0];
  for (let tries = 0; compared < count && tries < 3 * count; tries += 1) {
    const code = computed[Math.floor(random() * computed.length)] ?? 0;
    const offM = offBy(code);
    if (offM === undefined) continue;
    compared += 1;
    worst = Math.max(worst, offM);
    if (offM <= sameM(epsgEntry(code)?.definition ?? "")) continue;
    bad += 1;
    process.stdout.write(`EPSG:${code} ${epsgEntry(code)?.name}: ${offM.toFixed(4)} m\n`);
  }
  process.stdout.write(
    `codes: ${compared} compared, worst ${(worst * 1000).toFixed(3)} mm, ${bad} beyond\n`,
  );
  return bad === 0 && compared > 0;
}

/** Metres between PROJ and the table on the datum of the code; `undefined`: cannot be compared here. */
function offBy(code: number): number | undefined {
  const entry = epsgEntry(code);
  if (entry?.area === undefined) return undefined;
  const [west, south, east, north] = entry.area;
  const width = (east - west + 360) % 360 || 360;
  const lonDeg = ((west + width * (0.05 + 0.9 * random()) + 540) % 360) - 180;
  const latDeg = south + (north - south) * (0.05 + 0.9 * random());
  const wkt = tool("gdalsrsinfo", ["-o", "wkt1", "--single-line", `EPSG:${code}`]);
  const base = /UNIT\["degree"[^\]]*\]*[^\]]*\]*,AUTHORITY\["EPSG","(\d+)"\]\],PROJECTION/.exec(
    wkt ?? "",
  )?.[1];
  if (base === undefined || !/PRIMEM\["Greenwich"/.test(wkt ?? "")) return undefined;
  const printed = tool(
    "gdaltransform",
    ["-s_srs", `EPSG:${base}`, "-t_srs", `EPSG:${code}`],
    `${lonDeg} ${latDeg}\n`,
  );
  const [x = Number.NaN, y = Number.NaN] = (printed ?? "").split(" ").map(Number);
  if (Number.isNaN(x)) return undefined;
  const onDatum = entry.definition
    .replace(/ \+(towgs84|nadgrids)=\S+/g, "")
    .replace("+datum=WGS84", "+ellps=WGS84");
  const read = readProjString(onDatum);
  if (isProblem(read)) return Number.POSITIVE_INFINITY;
  const system = createCoordinateSystem({ ...read, name: "", epsg: code, area: undefined });
  const [ownX, ownY] = system.fromGeodetic(lonDeg, latDeg);
  const [backLon, backLat] = system.toGeodetic(ownX, ownY);
  const plan = Math.hypot(ownX - x, ownY - y) * (system.unitM ?? 1);
  const east360 = ((backLon - lonDeg + 540) % 360) - 180;
  const back = Math.hypot(east360 * Math.cos((latDeg * Math.PI) / 180), backLat - latDeg) * 111_320;
  return Math.max(plan, back);
}

/** A place and what gdalwarp and gdal_translate do with a heap there. */
interface RasterCase {
  readonly name: string;
  readonly lonDeg: number;
  readonly latDeg: number;
  readonly warp: readonly string[];
  readonly translate?: readonly string[];
}

async function compareRasters(): Promise<boolean> {
  const feet = (heights: string) => ["-a_srs", heights, "-scale", "0", "1200", "0", "3937"];
  const foot = ["-scale", "0", "0.3048", "0", "1"];
  const cases: readonly RasterCase[] = [
    { name: "EPSG:2180", lonDeg: 19.2, latDeg: 52.1, warp: ["-t_srs", "EPSG:2180"] },
    { name: "EPSG:27700", lonDeg: -1.5, latDeg: 53, warp: ["-t_srs", "EPSG:27700"] },
    { name: "EPSG:31467", lonDeg: 9.2, latDeg: 51, warp: ["-t_srs", "EPSG:31467"] },
    { name: "EPSG:2056", lonDeg: 7.6, latDeg: 46.9, warp: ["-t_srs", "EPSG:2056"] },
    { name: "EPSG:3857", lonDeg: 9.5, latDeg: 51.25, warp: ["-t_srs", "EPSG:3857"] },
    { name: "EPSG:4326", lonDeg: 9.5, latDeg: 51.25, warp: ["-t_srs", "EPSG:4326"] },
    { name: "EPSG:3031", lonDeg: 30, latDeg: -75, warp: ["-t_srs", "EPSG:3031"] },
    { name: "EPSG:5514", lonDeg: 15, latDeg: 50, warp: ["-t_srs", "EPSG:5514"] },
    {
      name: "EPSG:2263+6360, feet in plan and height",
      ...{ lonDeg: -73.9, latDeg: 40.7, warp: ["-t_srs", "EPSG:2263"] },
      translate: feet("EPSG:2263+6360"),
    },
    {
      name: "EPSG:2222, international feet, heights by band unit",
      ...{ lonDeg: -110.5, latDeg: 34, warp: ["-t_srs", "EPSG:2222"] },
      translate: foot,
    },
    {
      name: "an Albers projection of its own",
      ...{ lonDeg: -100, latDeg: 40 },
      warp: ["-t_srs", "+proj=aea +lat_1=30 +lat_2=45 +lat_0=37 +lon_0=-98 +datum=NAD83 +units=m"],
    },
    {
      name: "EPSG:25832+7837, compound",
      ...{ lonDeg: 9.5, latDeg: 51.25, warp: ["-t_srs", "EPSG:25832"] },
      translate: ["-a_srs", "EPSG:25832+7837"],
    },
    { name: "EPSG:28992", lonDeg: 5.5, latDeg: 52.1, warp: ["-t_srs", "EPSG:28992"] },
  ];
  const dir = await mkdtemp(join(tmpdir(), "coordinates-"));
  let isGood = true;
  try {
    for (const raster of cases) {
      const [plain, other] = await volumes(dir, raster);
      const off = other.volumeM3 / plain.volumeM3 - 1;
      isGood &&= Math.abs(off) <= 0.001;
      const aside = Math.hypot(other.aside[0] - plain.aside[0], other.aside[1] - plain.aside[1]);
      process.stdout.write(
        `${raster.name}: volume ${(100 * off).toFixed(4)} %, top moved by ${aside.toFixed(2)} m ${other.gates.join(" ")}\n`,
      );
    }
  } finally {
    await rm(dir, { recursive: true });
  }
  return isGood;
}

async function volumes(dir: string, { lonDeg, latDeg, warp, translate }: RasterCase) {
  const utm = `EPSG:${(latDeg < 0 ? 32_700 : 32_600) + Math.floor((lonDeg + 180) / 6) + 1}`;
  const system = systemOfCode(Number(utm.slice(5)));
  if (isProblem(system)) throw new Error(system.problem);
  const [x, y] = system.fromGeodetic(lonDeg, latDeg).map((value) => Math.round(value));
  const rows = Array.from({ length: SIDE }, (_row, j) =>
    Array.from({ length: SIDE }, (_column, i) => {
      const r = Math.hypot(i - SIDE / 2 + 0.5, j - SIDE / 2 + 0.5) * CELL_M;
      return (GROUND_M + 3.6 * Math.exp(-(r * r) / 50)).toFixed(4);
    }).join(" "),
  );
  const half = (SIDE / 2) * CELL_M;
  const head = `ncols ${SIDE}\nnrows ${SIDE}\nxllcorner ${(x ?? 0) - half}\nyllcorner ${(y ?? 0) - half}\ncellsize ${CELL_M}\n`;
  const [asc, plain, warped, made] = ["heap.asc", "plain.tif", "warped.tif", "made.tif"].map(
    (name) => join(dir, name),
  ) as [string, string, string, string];
  await writeFile(asc, `${head}${rows.join("\n")}\n`);
  tool("gdal_translate", ["-q", "-ot", "Float32", "-a_srs", utm, asc, plain]);
  tool("gdalwarp", [
    "-q",
    "-overwrite",
    "-r",
    "bilinear",
    "-dstnodata",
    "-9999",
    ...warp,
    plain,
    warped,
  ]);
  tool("gdal_translate", ["-q", ...(translate ?? []), warped, made]);
  if (translate?.includes("0.3048") === true) {
    tool("gdal_edit.py", ["-units", "ft", made]);
  }
  return [await volumeOf(plain, lonDeg, latDeg), await volumeOf(made, lonDeg, latDeg)] as const;
}

/** The heap above its ground, and where its top is in the frame of the place. */
async function volumeOf(path: string, lonDeg: number, latDeg: number) {
  const { origin, dsm, findings } = await readElevation(path);
  const [middleX = 0, middleY = 0] = createEnuFrame(origin).toEnu({
    lonDeg,
    latDeg,
    heightM: origin.heightM,
  });
  const heights = [...dsm.elevationM];
  const groundM = heights
    .filter((height) => !Number.isNaN(height))
    .sort((a, b) => a - b)
    .at(0);
  let [sum, east, north] = [0, 0, 0];
  for (const [cell, height] of heights.entries()) {
    const column = cell % dsm.width;
    const row = Math.floor(cell / dsm.width);
    const cellX = dsm.westM + (column + 0.5) * dsm.cellM - middleX;
    const cellY = dsm.northM - (row + 0.5) * dsm.cellM - middleY;
    if (Number.isNaN(height) || Math.hypot(cellX, cellY) > 25) continue;
    const above = height - (groundM ?? 0);
    sum += above;
    east += above * cellX;
    north += above * cellY;
  }
  return {
    volumeM3: sum * dsm.cellM ** 2,
    aside: [east / sum, north / sum] as const,
    gates: findings.map(({ gate }) => gate),
  };
}

/** What a tool prints; `undefined`: it failed. */
function tool(name: string, args: readonly string[], input = ""): string | undefined {
  try {
    return execFileSync(name, args, { encoding: "utf8", input, stdio: ["pipe", "pipe", "ignore"] });
  } catch {
    return undefined;
  }
}

const isGood = [compareCodes(Number(given.codes)), await compareRasters()].every(Boolean);
process.exitCode = isGood ? 0 : 1;
