import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SurveyResult } from "../../../processing/engine/port/engine.ts";
import { openSurveyBench } from "../../support/run-survey.ts";
import { surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import { type Check, type Expectation, holds, within } from "./check.ts";

/** Whole points by laspy, those of the octree's nodes by its COPC reader, and the points of class 2. */
const LASPY = `
import sys, laspy
las = laspy.read(sys.argv[1])
with laspy.CopcReader.open(sys.argv[1]) as reader:
    print(len(las.points), len(reader.query()), int((las.classification == 2).sum()))
`;

/** What a foreign program printed, both channels; `undefined`: it is not installed here. */
async function outputOf(program: string, options: readonly string[]): Promise<string | undefined> {
  try {
    const env = { ...process.env, QT_QPA_PLATFORM: "offscreen" };
    const { stdout, stderr } = await promisify(execFile)(program, options, { env });
    return stdout + stderr;
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (isAbsent || String(error).includes("No module named")) return undefined;
    throw error;
  }
}

/** Whether other people's programs read what a survey leaves for them. */
export const exports: Check = {
  name: "exports",
  about:
    "laspy, gdal, ogr and COLMAP read what a survey leaves for them (PYTHON names a python with laspy; REQUIRE_BACKENDS=laspy,gdal,colmap makes a missing one a failure)",
  async run({ print }) {
    const set = await surveySet(TINY_SURVEY);
    const bench = await openSurveyBench(1);
    try {
      const profile = { workingWidthPx: 480, dsmCellGsd: 4, orthoCellGsd: 2, maxKeypoints: 1_500 };
      const result = await bench.run(set.folder, { profile, input: { exports: true } });
      const readers = [cloudExpectations, rasterExpectations, lineExpectations, poseExpectations];
      const found: Expectation[] = [];
      for (const reader of readers) {
        const expectations = await reader(result, bench.dir);
        if (typeof expectations !== "string") found.push(...expectations);
        else if (isRequired(expectations)) {
          found.push(holds(`${expectations} is installed, as REQUIRE_BACKENDS asks`, false));
        } else print(`skipped: ${expectations} is not installed`);
      }
      return found.length === 0 ? { skipped: "none of the programs is installed" } : found;
    } finally {
      await bench.close();
    }
  },
};

/** Whether `REQUIRE_BACKENDS` makes the absence of a program a failure. */
const isRequired = (program: string): boolean =>
  (process.env["REQUIRE_BACKENDS"] ?? "").split(",").includes(program);

/** Yields the name of the program that is missing, as REQUIRE_BACKENDS has it. */
type Reader = (result: SurveyResult, dir: string) => Promise<readonly Expectation[] | string>;

const cloudExpectations: Reader = async ({ products, dsm }) => {
  const python = process.env["PYTHON"] ?? "python3";
  const text = await outputOf(python, ["-c", LASPY, products.exports.point_cloud ?? ""]);
  if (text === undefined) return "laspy";
  const [all = 0, byNodes = 0, ground = 0] = text.trim().split(" ").map(Number);
  const known = dsm.elevationM.filter((z) => !Number.isNaN(z)).length;
  return [
    within("laspy: points by cells with a height", all / known, 0.97, 1.03),
    holds("laspy: the octree's nodes hold every point", byNodes === all),
    within("laspy: share of the points that are ground", ground / all, 0.5, 1),
  ];
};

const rasterExpectations: Reader = async ({ products }) => {
  const rasters = [
    ["surface", products.dsm],
    ["terrain", products.exports.dtm],
    ["orthophoto", products.orthomosaic],
  ] as const;
  const found: Expectation[] = [];
  for (const [name, path = ""] of rasters) {
    const text = await outputOf("gdalinfo", ["-checksum", path]);
    if (text === undefined) return "gdal";
    found.push(
      holds(`gdal: the ${name} is a COG`, text.includes("LAYOUT=COG")),
      holds(`gdal: the ${name}'s tiles can be read`, /Checksum=[1-9]/.test(text)),
    );
  }
  return found;
};

const lineExpectations: Reader = async ({ products }) => {
  const { contours_geojson: geojson = "", contours_dxf: dxf = "" } = products.exports;
  const count = async (file: string) => {
    const text = await outputOf("ogrinfo", ["-ro", "-al", "-so", file]);
    return text === undefined ? undefined : Number(/Feature Count: ([0-9]+)/.exec(text)?.[1]);
  };
  const [lines, drawn] = [await count(geojson), await count(dxf)];
  if (lines === undefined || drawn === undefined) return "gdal";
  return [
    holds(
      `ogr: as many lines in the DXF as in the GeoJSON, ${lines}`,
      lines > 0 && lines === drawn,
    ),
  ];
};

/** COLMAP prints the root of half the squares by component: ours is of both components of a mark. */
const poseExpectations: Reader = async ({ products, reconstruction, images }, dir) => {
  const { colmap_images: file = "" } = products.exports;
  const adjusted = join(dir, "colmap-adjusted");
  await mkdir(adjusted, { recursive: true });
  const text = await outputOf("colmap", [
    "bundle_adjuster",
    ...["--input_path", join(file, ".."), "--output_path", adjusted],
    ...["--BundleAdjustment.max_num_iterations", "0"],
  ]);
  if (text === undefined) return "colmap";
  const theirsPx = 2 * Number(/Initial cost : ([0-9.]+)/.exec(text)?.[1]);
  const [image] = images;
  const scale = (image?.widthPx ?? 1) / (reconstruction?.lenses[0]?.widthPx ?? 1);
  const oursPx = (reconstruction?.summary.rmsPx ?? Number.NaN) * scale;
  return [
    within("COLMAP: its reprojection error by ours", theirsPx / oursPx, 0.995, 1.005),
    within("COLMAP: its reprojection error", theirsPx, 0.01, 3, "px"),
  ];
};
