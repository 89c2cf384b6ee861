import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createLazPerf } from "laz-perf";
import { coordinateSystem } from "../../processing/coordinates/find-coordinate-system.ts";
import { createEnuFrame, type SurveyOrigin } from "../../processing/geometry/enu.ts";

/**
 * The Brighton Beach flight (pierotofy/drone_dataset_brighton_beach, BSD-2-Clause): `images/` and
 * `model.laz`, a point cloud that OpenDroneMap made of them. `BRIGHTON_BEACH_DIR` names its folder;
 * `undefined` where it is not there.
 */
export function brightonBeachFolder(): string | undefined {
  const folder = process.env["BRIGHTON_BEACH_DIR"];
  return folder !== undefined && existsSync(join(folder, "images")) ? folder : undefined;
}

/** Points of the cloud, ENU metres at `origin`: x, y, z in turn; heights above the origin's datum. */
export async function brightonBeachCloud(
  folder: string,
  origin: SurveyOrigin,
): Promise<Float64Array> {
  const bytes = await readFile(join(folder, "model.laz"));
  // Public header block of LAS 1.2: scales at byte 131, offsets at 155.
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const three = (at: number) => [0, 8, 16].map((i) => header.getFloat64(at + i, true));
  const [scales, offsets] = [three(131), three(155)];
  const wasm = createRequire(import.meta.url).resolve("laz-perf/lib/node/laz-perf.wasm");
  const module = await createLazPerf({ locateFile: () => wasm });
  const file = module._malloc(bytes.length);
  module.HEAPU8.set(bytes, file);
  const reader = new module.LASZip();
  reader.open(file, bytes.length);
  const count = reader.getCount();
  const record = module._malloc(reader.getPointLength());
  const frame = createEnuFrame(origin);
  // UTM zone 15 North, as the file says.
  const system = coordinateSystem("EPSG:32615");
  const points = new Float64Array(count * 3);
  for (let i = 0; i < count; i += 1) {
    reader.getPoint(record);
    const fields = new DataView(module.HEAPU8.buffer, record, 12);
    const [x = 0, y = 0, z = 0] = [0, 1, 2].map(
      (k) => fields.getInt32(4 * k, true) * (scales[k] ?? 1) + (offsets[k] ?? 0),
    );
    const [lonDeg, latDeg] = system.toGeodetic(x, y);
    const [east, north] = frame.toEnu({ lonDeg, latDeg, heightM: origin.heightM });
    points.set([east, north, z - origin.heightM], 3 * i);
  }
  reader.delete();
  return points;
}
