import { Document, Primitive, WebIO } from "@gltf-transform/core";
import type { SurveyOrigin } from "../geometry/enu.ts";
import { type BlockFormat, readBlock } from "../map-tiles/read-block.ts";
import { joinBlocks } from "../map-tiles/sample-window.ts";
import { frameExtras } from "../photogrammetry/products/write-glb.ts";
import { MESHES } from "./plan-points.ts";

/** One resolution of a raster with all its blocks. */
export interface LevelInput {
  readonly width: number;
  readonly height: number;
  readonly format: BlockFormat;
  readonly blocks: readonly {
    readonly column: number;
    readonly row: number;
    readonly bytes: Uint8Array;
  }[];
}

export interface PointsInput {
  readonly heights: LevelInput;
  /** Absent: there is no orthophoto. */
  readonly colours: LevelInput | undefined;
  /** Cells of the orthophoto's level by those of the heights': column = a c + b r + c, row = d c + e r + f. */
  readonly toColour: readonly number[];
  /** See `PointsPlan`. */
  readonly nodes: Float64Array;
  /** The height is that of the ellipsoid, or of whatever the heights count from: 0. */
  readonly origin: SurveyOrigin;
  /** Points of the stored surface that one point stands for: their mean. */
  readonly cellsAPoint: number;
}

/** Red, green and blue of points that no orthophoto shows, as in the point cloud that can be downloaded. */
const UNSEEN = 128;
/** Mean radius of the earth, metres: lengths grow with their height above the ellipsoid. */
const EARTH_M = 6_371_000;
const NODES = MESHES + 1;

/**
 * The middles of a surface's cells as points, with the colours of the orthophoto: GLB, y up, x east, z south, metres
 * from the origin. What has no height is no point. For tasks only.
 * @returns `undefined` where the surface has no height at all
 * @throws DomainError `IMAGE_REFUSED` for a damaged block
 */
export async function pointsGlb(input: PointsInput): Promise<Uint8Array | undefined> {
  const { heights, colours, origin } = input;
  const { width, height } = heights;
  const heightM = joined(heights, new Float32Array(width * height), 1);
  const rgba = colours && joined(colours, new Uint8Array(colours.width * colours.height * 4), 4);
  let count = 0;
  let baseM = Number.POSITIVE_INFINITY;
  for (const z of heightM) {
    if (Number.isNaN(z)) continue;
    count += 1;
    baseM = Math.min(baseM, z);
  }
  if (count === 0) return undefined;
  const grown = 1 + (origin.heightM + baseM) / EARTH_M;
  const positions = new Float32Array(count * 3);
  const shades = new Uint16Array(count * 4).fill(65_535);
  const place: [number, number, number] = [0, 0, 0];
  for (let cell = 0, point = 0; cell < heightM.length; cell += 1) {
    const z = heightM[cell] ?? Number.NaN;
    if (Number.isNaN(z)) continue;
    const [column, row] = [(cell % width) + 0.5, Math.floor(cell / width) + 0.5];
    between(input.nodes, column / width, row / height, place);
    const [east, north, down] = place;
    positions[point * 3] = east * grown;
    positions[point * 3 + 1] = z - baseM + down;
    positions[point * 3 + 2] = -north * grown;
    if (colours !== undefined && rgba !== undefined) {
      const at = colourAt(colours, input.toColour, column, row);
      const isSeen = at !== undefined && rgba[at + 3] !== 0;
      for (let i = 0; i < 3; i += 1) {
        shades[point * 4 + i] = LINEAR[isSeen ? (rgba[at + i] ?? 0) : UNSEEN] ?? 0;
      }
    }
    point += 1;
  }
  return await written(input, positions, rgba && shades, {
    ...origin,
    heightM: origin.heightM + baseM,
  });
}

function joined<Values extends Float32Array | Uint8Array>(
  { width, height, format, blocks }: LevelInput,
  target: Values,
  channels: number,
): Values {
  const read = blocks.map(({ column, row, bytes }) => ({
    ...{ column, row },
    values: readBlock(bytes, format),
  }));
  return joinBlocks(target, channels, { left: 0, top: 0, width, height }, read, format);
}

/** East, north and up of a place of the raster, straight between the nodes around. */
function between(nodes: Float64Array, u: number, v: number, to: [number, number, number]): void {
  const i = Math.min(MESHES - 1, Math.floor(u * MESHES));
  const j = Math.min(MESHES - 1, Math.floor(v * MESHES));
  const [right, down] = [u * MESHES - i, v * MESHES - j];
  const nw = (j * NODES + i) * 3;
  const sw = nw + NODES * 3;
  for (let axis = 0; axis < 3; axis += 1) {
    const at = (index: number) => nodes[index + axis] ?? 0;
    const upper = (1 - right) * at(nw) + right * at(nw + 3);
    const lower = (1 - right) * at(sw) + right * at(sw + 3);
    to[axis] = (1 - down) * upper + down * lower;
  }
}

/** Index of a colour's first byte; `undefined`: beside the orthophoto. */
function colourAt(
  { width, height }: LevelInput,
  [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: readonly number[],
  column: number,
  row: number,
): number | undefined {
  const x = Math.floor(a * column + b * row + c);
  const y = Math.floor(d * column + e * row + f);
  return x < 0 || y < 0 || x >= width || y >= height ? undefined : (y * width + x) * 4;
}

/** Bytes of sRGB as shares of light, 0 to 65,535: colours of glTF are linear (glTF 2.0 section 3.7.2.1). */
const LINEAR = Uint16Array.from({ length: 256 }, (_, byte) => {
  const share = byte / 255;
  const light = share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  return Math.round(light * 65_535);
});

async function written(
  { cellsAPoint }: PointsInput,
  positions: Float32Array<ArrayBuffer>,
  shades: Uint16Array<ArrayBuffer> | undefined,
  origin: SurveyOrigin,
): Promise<Uint8Array> {
  const document = new Document();
  document.getRoot().getAsset().generator = "Plumbline";
  const buffer = document.createBuffer();
  const primitive = document
    .createPrimitive()
    .setMode(Primitive.Mode["POINTS"] ?? 0)
    .setAttribute(
      "POSITION",
      document.createAccessor().setType("VEC3").setArray(positions).setBuffer(buffer),
    );
  if (shades !== undefined) {
    const colours = document.createAccessor().setType("VEC4").setArray(shades).setBuffer(buffer);
    primitive.setAttribute("COLOR_0", colours.setNormalized(true));
  }
  const node = document
    .createNode("points")
    .setMesh(document.createMesh("points").addPrimitive(primitive));
  document
    .createScene("survey")
    .addChild(node)
    .setExtras({ ...frameExtras(origin), cells_a_point: cellsAPoint });
  return await new WebIO().writeBinary(document);
}
