import { writeArrayBuffer } from "geotiff";
import type { ProjectId } from "../../domain/ids.ts";
import { ADMIN_KEY, type TestApp } from "./api-app.ts";

export const ZONES = "/api/v1/progress/zones";

/** [latitude, longitude]: on the central meridian of UTM zone 33, some 80 m by 110 m, 45 degrees north. */
export const ZONE_POLYGON = [
  [45, 15],
  [45.001, 15],
  [45.001, 15.001],
  [45, 15.001],
];

/** Easting and northing of its first corner in EPSG:32633: the meridian arc to 45 degrees by 0.9996. */
export const ZONE_CORNER = { east: 500_000, north: 4_984_944.378 * 0.9996 } as const;

/** A body of POST /progress/zones with what is required, and `change`. */
export const newZone = (change: object = {}) => ({
  project_id: "p1",
  name: "Baufeld Süd",
  metric: { kind: "fill" },
  polygon: ZONE_POLYGON,
  ...change,
});

/** Projects `p1` and `p2`. */
export async function withZoneProjects(t: TestApp): Promise<void> {
  await t.project({ id: "p1" as ProjectId });
  await t.project({ id: "p2" as ProjectId });
}

/** Creates a zone and yields it as the API shows it. */
export async function createZone(t: TestApp, change: object = {}) {
  const created = await t.send("POST", ZONES, ADMIN_KEY, newZone(change));
  if (created.statusCode !== 201) throw new Error(created.body);
  return created.json();
}

/** A GeoTIFF of 4 by 4 heights, 10 m each, from the zone's corner to the north and east. */
export async function surfaceTiff(change: Record<string, unknown> = {}): Promise<Buffer> {
  const bytes = await writeArrayBuffer(new Float32Array(16).fill(101.5), {
    width: 4,
    height: 4,
    GTModelTypeGeoKey: 1,
    GTRasterTypeGeoKey: 1,
    ProjectedCSTypeGeoKey: 32_633,
    ModelPixelScale: [10, 10, 0],
    ModelTiepoint: [0, 0, 0, ZONE_CORNER.east, ZONE_CORNER.north + 40, 0],
    ...change,
  });
  return Buffer.from(bytes as ArrayBuffer);
}

/** LandXML of one triangle at 102 m in the zone's corner; `swapped`: easting before northing. */
export function surfaceXml({ name = "Planum", head = "", swapped = false } = {}): string {
  const { east, north } = ZONE_CORNER;
  const point = (id: number, eastM: number, northM: number) => {
    const places = [north + northM, east + eastM];
    return `<P id="${id}">${(swapped ? places.toReversed() : places).join(" ")} 102</P>`;
  };
  const points = point(1, 0, 0) + point(2, 50, 0) + point(3, 0, 60);
  return `<?xml version="1.0"?>
<LandXML xmlns="http://www.landxml.org/schema/LandXML-1.2" version="1.2">
${head === "" ? '<Units><Metric linearUnit="meter"/></Units><CoordinateSystem epsgCode="32633"/>' : head}
<Surfaces><Surface name="${name}"><Definition surfType="TIN"><Pnts>${points}</Pnts>
<Faces><F>1 2 3</F></Faces></Definition></Surface></Surfaces></LandXML>`;
}

/** Takes all zones and what belongs to them out of the store: opening an app takes longer. */
export function forgetZones({ records: { rows } }: TestApp): void {
  for (const map of [rows.workZones, rows.captures, rows.cameras]) map.clear();
  for (const list of [rows.observations, rows.views, rows.labels]) list.splice(0);
}
