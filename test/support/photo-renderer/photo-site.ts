import type { Draw } from "./draw.ts";

/** Edge of a cell of the heights, metres: half of the finest sample distance, and rays interpolate. */
const CELL_M = 0.05;
/** Least distance between the toes of two piles, metres. */
const GAP_M = 3;

const SHAPES = ["heap", "windrow", "truncated", "dumps"] as const;

/** A pile by its height over the ground, which is 0 outside of its radius. */
export interface PhotoPile {
  readonly shape: (typeof SHAPES)[number];
  readonly eastM: number;
  readonly northM: number;
  /** No material lies further from the middle, metres. */
  readonly radiusM: number;
  readonly volumeM3: number;
}

/** Heights of a square of ground about the origin, metres; rows from south to north. */
export interface PhotoSite {
  readonly cellM: number;
  readonly halfM: number;
  readonly cells: number;
  readonly heights: Float32Array;
  /** Share of the sun's light that a cell gets, 0 (shadow) to 1, times the cosine to its normal. */
  readonly sunlight: Float32Array;
  /** 1 on a pile, 0 on the ground, between at a toe. */
  readonly material: Float32Array;
  readonly topM: number;
  readonly bottomM: number;
  readonly piles: readonly PhotoPile[];
}

type Height = (eastM: number, northM: number) => number;

/**
 * Draws ground with a fall and long waves, and piles within a rectangle of this half length (east) and half
 * width (north); volumes are sums over the cells that are rendered.
 */
export function createPhotoSite(
  draw: Draw,
  area: { readonly halfLengthM: number; readonly halfWidthM: number; readonly halfM: number },
): PhotoSite {
  const cells = 2 * Math.ceil(area.halfM / CELL_M);
  const halfM = (cells * CELL_M) / 2;
  const ground = createGround(draw);
  const heights = new Float32Array(cells * cells);
  const material = new Float32Array(cells * cells);
  const at = (i: number) => (i + 0.5) * CELL_M - halfM;
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      heights[row * cells + column] = ground(at(column), at(row));
    }
  }
  const piles = placePiles(draw, area).map(({ shape, eastM, northM, radiusM }): PhotoPile => {
    const height = createHeight(draw, shape, radiusM);
    let volumeM3 = 0;
    const first = (middleM: number) => Math.floor((middleM - radiusM + halfM) / CELL_M);
    const last = (middleM: number) => Math.ceil((middleM + radiusM + halfM) / CELL_M);
    for (let row = first(northM); row < last(northM); row += 1) {
      for (let column = first(eastM); column < last(eastM); column += 1) {
        const up = height(at(column) - eastM, at(row) - northM);
        if (!(up > 0)) continue;
        const cell = row * cells + column;
        heights[cell] = (heights[cell] ?? 0) + up;
        material[cell] = Math.min(1, up / 0.1);
        volumeM3 += up * CELL_M ** 2;
      }
    }
    return { shape, eastM, northM, radiusM, volumeM3 };
  });
  let [topM, bottomM] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const height of heights) {
    topM = Math.max(topM, height);
    bottomM = Math.min(bottomM, height);
  }
  const sunlight = castSunlight(draw, heights, cells, topM);
  return { cellM: CELL_M, halfM, cells, heights, sunlight, material, topM, bottomM, piles };
}

function createGround(draw: Draw): Height {
  const [fallEast, fallNorth] = [draw.between(-0.04, 0.04), draw.between(-0.04, 0.04)];
  const waves = Array.from({ length: 6 }, () => {
    const lengthM = draw.between(15, 60);
    const angle = draw.between(0, 2 * Math.PI);
    const k = (2 * Math.PI) / lengthM;
    // Of a graded yard: centimetres, which is what a base plane does not follow.
    return {
      e: k * Math.cos(angle),
      n: k * Math.sin(angle),
      phase: draw.next() * 7,
      m: draw.between(0, 0.02),
    };
  });
  const rough = createRoughness(draw, 0.006);
  return (eastM, northM) =>
    fallEast * eastM +
    fallNorth * northM +
    waves.reduce(
      (sum, { e, n, phase, m }) => sum + m * Math.sin(e * eastM + n * northM + phase),
      0,
    ) +
    rough(eastM, northM);
}

/** Lumps of three sizes, of this standard deviation or so, metres. */
function createRoughness(draw: Draw, sigmaM: number): Height {
  const octaves = [1.3, 0.55, 0.22].map((lengthM) => {
    const [offsetE, offsetN] = [draw.between(0, 500), draw.between(0, 500)];
    const key = Math.floor(draw.next() * 1e6);
    return { lengthM, offsetE, offsetN, key };
  });
  return (eastM, northM) => {
    let sum = 0;
    for (const { lengthM, offsetE, offsetN, key } of octaves) {
      const x = eastM / lengthM + offsetE;
      const y = northM / lengthM + offsetN;
      const [column, row] = [Math.floor(x), Math.floor(y)];
      const [u, v] = [smooth(x - column), smooth(y - row)];
      const near = lattice(column, row, key) * (1 - u) + lattice(column + 1, row, key) * u;
      const far = lattice(column, row + 1, key) * (1 - u) + lattice(column + 1, row + 1, key) * u;
      sum += (near * (1 - v) + far * v) * Math.sqrt(lengthM);
    }
    return 2 * sigmaM * sum;
  };
}

const smooth = (t: number) => t * t * (3 - 2 * t);

/** A number from -1 to 1 that belongs to a place of a lattice. */
function lattice(column: number, row: number, key: number): number {
  let mixed = Math.imul(column, 374_761_393) + Math.imul(row, 668_265_263) + key;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 1_274_126_177);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2_147_483_648 - 1;
}

function placePiles(
  draw: Draw,
  { halfLengthM, halfWidthM }: { readonly halfLengthM: number; readonly halfWidthM: number },
) {
  const placed: {
    readonly shape: PhotoPile["shape"];
    readonly eastM: number;
    readonly northM: number;
    readonly radiusM: number;
  }[] = [];
  for (let attempt = 0; attempt < 400 && placed.length < 5; attempt += 1) {
    const radiusM = draw.between(2.8, 6);
    const pile = {
      shape: draw.oneOf(SHAPES),
      eastM: draw.between(-halfLengthM, halfLengthM),
      northM: draw.between(-halfWidthM, halfWidthM),
      radiusM,
    };
    const isClear = placed.every(
      (other) =>
        Math.hypot(other.eastM - pile.eastM, other.northM - pile.northM) >
        other.radiusM + radiusM + GAP_M,
    );
    if (isClear) placed.push(pile);
  }
  return placed;
}

/** Height over the ground, by the place from the middle of the pile. Slopes are those of loose material: 28 to 38 degrees. */
function createHeight(draw: Draw, shape: PhotoPile["shape"], radiusM: number): Height {
  const slope = Math.tan((draw.between(28, 38) * Math.PI) / 180);
  const rough = createRoughness(draw, draw.between(0.01, 0.04));
  const body = bodyOf(draw, shape, 0.93 * radiusM, slope);
  return (e, n) => {
    const up = body(e, n);
    // Lumps fade out at the toe, so that there is one.
    return up <= 0 ? 0 : up + rough(e, n) * Math.min(1, up / 0.4);
  };
}

function bodyOf(draw: Draw, shape: PhotoPile["shape"], radiusM: number, slope: number): Height {
  /** A cone whose tip is worn off: a hyperbola of this radius. */
  const cone = (distanceM: number, reachM: number, wornM: number) =>
    slope * (Math.hypot(reachM, wornM) - Math.hypot(distanceM, wornM));
  if (shape === "heap") {
    const wornM = draw.between(0.2, 0.9);
    return (e, n) => cone(Math.hypot(e, n), radiusM, wornM);
  }
  const angle = draw.between(0, Math.PI);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  if (shape === "windrow") {
    const halfM = draw.between(0.35, 0.55) * radiusM;
    const reachM = radiusM - halfM;
    const dip = draw.between(0, 0.2);
    const wornM = draw.between(0.2, 0.5);
    return (e, n) => {
      const along = c * e + s * n;
      const beyond = Math.max(0, Math.abs(along) - halfM);
      const up = cone(Math.hypot(beyond, -s * e + c * n), reachM, wornM);
      return up * (1 - dip * Math.cos((2 * along) / halfM) ** 2);
    };
  }
  if (shape === "truncated") {
    const topM = draw.between(0.4, 0.65) * slope * radiusM;
    const tilt = draw.between(-0.06, 0.06);
    return (e, n) => Math.min(cone(Math.hypot(e, n), radiusM, 0.2), topM + tilt * e);
  }
  const dumps = Array.from({ length: 5 + Math.floor(draw.next() * 5) }, () => {
    const reachM = draw.between(0.35, 0.6) * radiusM;
    const away = draw.next() * (radiusM - reachM);
    const towards = draw.between(0, 2 * Math.PI);
    return {
      reachM,
      e: away * Math.cos(towards),
      n: away * Math.sin(towards),
      wornM: draw.between(0.15, 0.6),
    };
  });
  return (e, n) =>
    Math.max(
      ...dumps.map((dump) => cone(Math.hypot(e - dump.e, n - dump.n), dump.reachM, dump.wornM)),
    );
}

/** Light of a sun at 35 to 65 degrees, with the shadows that piles throw. */
function castSunlight(
  draw: Draw,
  heights: Float32Array,
  cells: number,
  topM: number,
): Float32Array {
  const elevation = (draw.between(35, 65) * Math.PI) / 180;
  const azimuth = draw.between(0, 2 * Math.PI);
  const [e, n, u] = [
    Math.cos(elevation) * Math.sin(azimuth),
    Math.cos(elevation) * Math.cos(azimuth),
    Math.sin(elevation),
  ];
  const climbM = (CELL_M * u) / Math.hypot(e, n);
  const [stepE, stepN] = [e / Math.hypot(e, n), n / Math.hypot(e, n)];
  const lit = new Float32Array(cells * cells);
  const heightAt = (column: number, row: number) =>
    heights[
      Math.min(cells - 1, Math.max(0, row)) * cells + Math.min(cells - 1, Math.max(0, column))
    ] ?? 0;
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const slopeE = (heightAt(column + 1, row) - heightAt(column - 1, row)) / (2 * CELL_M);
      const slopeN = (heightAt(column, row + 1) - heightAt(column, row - 1)) / (2 * CELL_M);
      const cosine = (u - slopeE * e - slopeN * n) / Math.hypot(slopeE, slopeN, 1);
      let isShaded = cosine <= 0;
      const fromM = heightAt(column, row) + 0.02;
      // Three cells at a time: an edge of a shadow 15 cm off is a penumbra.
      for (let k = 3; !isShaded && fromM + k * climbM < topM; k += 3) {
        const [c, r] = [Math.round(column + k * stepE), Math.round(row + k * stepN)];
        if (c < 0 || r < 0 || c >= cells || r >= cells) break;
        isShaded = heightAt(c, r) > fromM + k * climbM;
      }
      lit[row * cells + column] = isShaded ? 0 : cosine;
    }
  }
  return lit;
}
