import { writeArrayBuffer } from "geotiff";

/** Cells of a side, and their size in metres: 48 m of a yard. */
const [SIDE, CELL_M] = [160, 0.3];
/** South-west corner in UTM zone 33 north, metres: the yard lies at 52.52 N, 13.40 E. */
const [WEST_M, SOUTH_M] = [391_400, 5_820_000];
/** Height of the ground, metres; it is as uneven as a raked yard. */
const [GROUND_M, UNEVEN_M] = [34, 0.02];

/** A cone of loose material on level ground, as a GeoTIFF of heights in EPSG:32633, as a data: URL. */
export async function heapSurface(radiusM: number, heightM: number): Promise<string> {
  const middle = (SIDE - 1) / 2;
  const cells = Float32Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    const share = 1 - (Math.hypot(x - middle, y - middle) * CELL_M) / radiusM;
    const uneven = UNEVEN_M * Math.sin(x * 12.9 + y * 78.2);
    return GROUND_M + uneven + heightM * Math.max(0, share);
  });
  const bytes = await writeArrayBuffer(cells, {
    width: SIDE,
    height: SIDE,
    GTModelTypeGeoKey: 1,
    GTRasterTypeGeoKey: 1,
    ProjectedCSTypeGeoKey: 32_633,
    ModelPixelScale: [CELL_M, CELL_M, 0],
    ModelTiepoint: [0, 0, 0, WEST_M, SOUTH_M + SIDE * CELL_M, 0],
  });
  return `data:image/tiff;base64,${Buffer.from(bytes as ArrayBuffer).toString("base64")}`;
}
