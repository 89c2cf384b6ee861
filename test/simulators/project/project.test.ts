import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import exifr from "exifr";
import { fromFile } from "geotiff";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLandXml } from "../../../processing/progress/landxml/read-landxml.ts";
import { PROJECT_DEFAULTS, type ProjectOptions } from "../../../simulators/project/plan/options.ts";
import { runProject } from "../../../simulators/project/run.ts";
import type { ProjectTruth } from "../../../simulators/project/truth/project-truth.ts";

/** Two zones, pictures of 160 pixels, of the second of two weeks. */
const SMALL: ProjectOptions = {
  ...PROJECT_DEFAULTS,
  ...{ weeks: 2, zones: ["BAS", "BLA"], widthPx: 160 },
  ...{ cameras: 1, cameraWidthPx: 160 },
};

const folders: string[] = [];
const { signal } = new AbortController();
let truth: ProjectTruth;

async function small(workers: number): Promise<{ folder: string; truth: ProjectTruth }> {
  const folder = await mkdtemp(join(tmpdir(), "plumbline-project-"));
  folders.push(folder);
  const run = { out: folder, workers, signal, withFlights: true, withCameras: true, onlyWeek: 2 };
  return { folder, truth: await runProject(SMALL, run) };
}

beforeAll(async () => {
  ({ truth } = await small(0));
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describe("a small project", () => {
  it("a small project is the same on two threads as on none, byte by byte", async () => {
    const [alone = ""] = folders;
    const { folder: threaded } = await small(2);
    const entries = await readdir(alone, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(alone.length + 1));
    // Requests, schedules, truth: 8; of the zones: 3; of week 2: 18 images, their request, a picture, a surface; of week 1: none.
    expect(files).toHaveLength(8 + 3 + 21);
    for (const name of files) {
      const same = (await readFile(join(alone, name))).equals(await readFile(join(threaded, name)));
      expect({ name, same }).toEqual({ name, same: true });
    }
  });

  it("the truth of a small project has all weeks, and pictures of the one that was rendered", () => {
    expect(truth.weeks.map(({ week, flight }) => [week, flight?.images.length])).toEqual([
      [1, undefined],
      [2, 18],
    ]);
    expect(truth.cameras[0]?.pictures.map(({ week }) => week)).toEqual([2]);
    expect(Object.values(truth.weeks[0]?.zones ?? {}).map(({ percent }) => percent)).toEqual([
      0, 0,
    ]);
  });

  it("a small project tags drone images with RTK positions, and pictures of fixed cameras with their time alone", async () => {
    const [folder = ""] = folders;
    const drone = await exifr.parse(join(folder, "week-02/flight/SIM_0001.JPG"), { xmp: true });
    expect(drone).toMatchObject({ Make: "DJI", Model: "SIM-24", RtkFlag: 50 });
    expect(drone.latitude).toBeCloseTo(51.47, 2);
    const picture = await exifr.parse(join(folder, "week-02/cameras/sim-site-cam-1.jpg"));
    expect(picture.latitude).toBeUndefined();
    const { DateTimeOriginal: time } = picture as { DateTimeOriginal: Date };
    expect(Math.abs(time.getTime() - Date.parse(truth.weeks[1]?.date ?? ""))).toBeLessThan(
      14 * 3.6e6,
    );
  });

  it("a small project gives a basin's design as LandXML with 2 m from its edge to its bottom, above the ellipsoid", async () => {
    const [folder = ""] = folders;
    const bytes = await readFile(join(folder, "zones/bas/design.xml"));
    const { tin, system, warnings } = await readLandXml(
      (async function* () {
        yield new Uint8Array(bytes);
      })(),
      { surface: undefined, epsg: undefined },
    );
    expect({ system, warnings }).toEqual({
      system: "EPSG:32630 (WGS 84 / UTM zone 30N)",
      warnings: [],
    });
    const heights = [...tin.heightM].sort((a, b) => a - b);
    expect(heights).toHaveLength(8);
    // Four corners of the bottom and four of the edge, concentric on a tilted plane.
    const mean = (from: number) =>
      heights.slice(from, from + 4).reduce((sum, heightM) => sum + heightM / 4, 0);
    expect(mean(4) - mean(0)).toBeCloseTo(2, 3);
    expect(Math.abs(mean(4) - truth.origin.heightM)).toBeLessThan(0.5);
    expect(tin.faces).toHaveLength(30);
  });

  it("a small project gives baselines as GeoTIFF in the UTM zone of the site, above the ellipsoid", async () => {
    const [folder = ""] = folders;
    const tiff = await fromFile(join(folder, "zones/bla/baseline.tif"));
    const image = await tiff.getImage();
    expect(image.getGeoKeys()?.["ProjectedCSTypeGeoKey"]).toBe(32630);
    const [cells] = await image.readRasters();
    const known = [...(cells as Float32Array)].filter((height) => height > -9_999);
    // A zone of 16 x 12 m and 1 m about it, in cells of 0.2 m.
    expect(Math.abs(known.length * 0.04 - 18 * 14)).toBeLessThan(2);
    expect(Math.abs((known[0] ?? 0) - truth.origin.heightM)).toBeLessThan(1);
  });

  it("a small project ends at once when it is stopped, without truth.json", async () => {
    const folder = await mkdtemp(join(tmpdir(), "plumbline-project-"));
    folders.push(folder);
    const stopping = new AbortController();
    const run = runProject(SMALL, {
      ...{ out: folder, workers: 0, withFlights: true, withCameras: false, onlyWeek: 1 },
      signal: stopping.signal,
      onProgress: ({ stage }) => {
        if (stage === "texture") stopping.abort();
      },
    });
    await expect(run).rejects.toMatchObject({ name: "AbortError" });
    expect(await readdir(folder)).not.toContain("truth.json");
  });
});
