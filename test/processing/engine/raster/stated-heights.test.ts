import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeArrayBuffer } from "geotiff";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readElevation } from "../../../../processing/engine/raster/read-surface.ts";
import { verticalDatum } from "../../../../processing/photogrammetry/products/map/height-system.ts";

/** Columns and rows of the raster. */
const SIDE = 32;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stated-heights-"));
});
afterAll(() => rm(dir, { recursive: true }));

const UTM = { GTModelTypeGeoKey: 1, GTRasterTypeGeoKey: 1, ProjectedCSTypeGeoKey: 32_633 };
const DEGREES = { GTModelTypeGeoKey: 2, GTRasterTypeGeoKey: 1 };

/** What a slope of 100 m and more counts from, by the keys of its file. */
async function datumOf(keys: Record<string, unknown>) {
  const isDegrees = keys["GTModelTypeGeoKey"] === 2;
  const cell = isDegrees ? 1e-5 : 0.5;
  const values = Float32Array.from({ length: SIDE ** 2 }, (_, i) => 100 + (i % SIDE) / 7);
  const bytes = await writeArrayBuffer(values, {
    ...{ width: SIDE, height: SIDE, ...keys },
    ModelPixelScale: [cell, cell, 0],
    ModelTiepoint: isDegrees ? [0, 0, 0, 15, 52, 0] : [0, 0, 0, 500_000, 5_800_000, 0],
  });
  const path = join(dir, "heights.tif");
  await writeFile(path, new Uint8Array(bytes as ArrayBuffer));
  const { heightDatum } = await readElevation(path);
  return verticalDatum({ reconstruction: undefined, heightDatum });
}

it.each([
  ["WGS 84 3D as the system itself", { ...DEGREES, GeographicTypeGeoKey: 4_979 }],
  ["ETRS89 3D as the system itself", { ...DEGREES, GeographicTypeGeoKey: 4_937 }],
  ["WGS 84 3D as the vertical code", { ...UTM, VerticalCSTypeGeoKey: 4_979 }],
  ["WGS 84 by the code of GeoTIFF 1.0", { ...UTM, VerticalCSTypeGeoKey: 5_030 }],
  ["GRS 80 by the code of GeoTIFF 1.0", { ...UTM, VerticalCSTypeGeoKey: 5_019 }],
  ["words", { ...UTM, VerticalCitationGeoKey: "WGS 84 Ellipsoid (metre)" }],
])("heights above the ellipsoid, stated by %s, may be reduced by a geoid", async (_, keys) => {
  const { kind, name } = await datumOf(keys);
  expect(kind).toBe("ellipsoidal");
  expect(name).toMatch(/ellipsoid|WGS|ETRS/i);
});

it.each([
  ["a geoid's heights (EGM96)", { ...UTM, VerticalCSTypeGeoKey: 5_773 }, "named"],
  ["heights above Bessel's ellipsoid", { ...UTM, VerticalCSTypeGeoKey: 5_004 }, "named"],
  ["words that name no ellipsoid", { ...UTM, VerticalCitationGeoKey: "site datum" }, "unknown"],
  ["a system of two dimensions", { ...DEGREES, GeographicTypeGeoKey: 4_326 }, "unknown"],
])("%s may not", async (_, keys, kind) => {
  expect((await datumOf(keys)).kind).toBe(kind);
});
