import type { Random } from "../randomness/random.ts";
import { type Colour, grain } from "./canvas.ts";
import type { Conditions } from "./conditions.ts";
import { lit } from "./conditions.ts";

/**
 * What never changes at a site, over more than one view: ground, roads, hills, trees, the houses across
 * the street. Row-major, upper row first.
 */
export interface Backdrop {
  readonly width: number;
  readonly height: number;
  /** Pixels of the backdrop left of and above the reference view. */
  readonly marginX: number;
  readonly marginY: number;
  /** Row of the horizon. */
  readonly horizon: number;
  /** RGB without light; bytes. */
  readonly albedo: Uint8Array;
  /** 0 near to 254 far; 255 = the sky. */
  readonly depth: Uint8Array;
  /** 1 where it is ground, which gets wet and white. */
  readonly isGround: Uint8Array;
}

const SKY = 255;

/** Makes up the surroundings of a site. */
export function planBackdrop(random: Random, widthPx: number, heightPx: number): Backdrop {
  const marginX = Math.ceil(widthPx * 0.35);
  const marginY = Math.ceil(heightPx * 0.12);
  const width = widthPx + 2 * marginX;
  const height = heightPx + 2 * marginY;
  const horizon = marginY + Math.round(heightPx * random.uniform(0.2, 0.27));
  const albedo = new Uint8Array(width * height * 3);
  const depth = new Uint8Array(width * height).fill(SKY);
  const isGround = new Uint8Array(width * height);
  const put = (x: number, y: number, colour: Colour, far: number, tone: number): void => {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    const at = y * width + x;
    for (let c = 0; c < 3; c += 1) albedo[at * 3 + c] = Math.min(255, (colour[c] ?? 0) * tone);
    depth[at] = far;
    isGround[at] = 0;
  };
  paintHills(random.fork("hills"), { width, horizon, put });
  paintGround(random.fork("ground"), { width, height, horizon, put });
  for (let y = horizon; y < height; y += 1) isGround.fill(1, y * width, (y + 1) * width);
  paintHouses(random.fork("houses"), { width, horizon, put });
  paintTrees(random.fork("trees"), { width, height, horizon, put });
  return { width, height, marginX, marginY, horizon, albedo, depth, isGround };
}

type Put = (x: number, y: number, colour: Colour, far: number, tone: number) => void;
interface Ground {
  readonly width: number;
  readonly horizon: number;
  readonly put: Put;
}

function paintHills(random: Random, { width, horizon, put }: Ground): void {
  const seed = random.integer(1, 1e6);
  const height = random.uniform(8, 40);
  const waves = [1, 2.3, 5.1].map((k) => ({
    k: (k * 2 * Math.PI * random.uniform(0.7, 1.3)) / width,
    phase: random.uniform(0, 6.28),
  }));
  for (let x = 0; x < width; x += 1) {
    const wave = waves.reduce((sum, { k, phase }, i) => sum + Math.sin(k * x + phase) / (i + 1), 0);
    const top = Math.round(horizon - height * (1 + 0.5 * wave));
    for (let y = top; y < horizon + 2; y += 1) {
      put(x, y, [95, 110, 85], 240, 0.85 + 0.3 * (grain(x >> 2, y >> 1, seed) / 255));
    }
  }
}

function paintGround(
  random: Random,
  { width, height, horizon, put }: Ground & { height: number },
): void {
  const seed = random.integer(1, 1e6);
  const soil = random.pick<Colour>([
    [150, 125, 95],
    [135, 130, 120],
    [120, 100, 80],
    [165, 150, 125],
    [110, 115, 90],
  ]);
  const road: Colour = [105, 105, 108];
  const roads = Array.from({ length: random.integer(1, 3) }, () => ({
    x: random.uniform(0, width),
    lean: random.uniform(-2.5, 2.5),
    half: random.uniform(0.04, 0.12),
  }));
  for (let y = horizon; y < height; y += 1) {
    // Steps of the ground get longer towards the camera.
    const near = (y - horizon + 12) / (height - horizon);
    const cell = Math.max(1, Math.round(near * 9));
    for (let x = 0; x < width; x += 1) {
      const coarse = grain(Math.floor(x / (cell * 6)), Math.floor(y / (cell * 2)), seed) / 255;
      const fine =
        grain(Math.floor(x / cell), Math.floor(y / Math.max(1, cell >> 1)), seed + 1) / 255;
      const isRoad = roads.some(
        (one) => Math.abs(x - one.x - one.lean * (y - horizon)) < one.half * 4 * (y - horizon),
      );
      const tone = isRoad ? 0.94 + 0.1 * fine : 0.72 + 0.28 * coarse + 0.2 * fine;
      put(x, y, isRoad ? road : soil, Math.round(200 * (1 - near) + 10), tone);
    }
  }
}

function paintHouses(random: Random, { width, horizon, put }: Ground): void {
  let x = random.uniform(-40, 40);
  while (x < width) {
    const wide = random.uniform(25, 90);
    const tall = random.uniform(12, 48);
    const colour = random.pick<Colour>([
      [200, 190, 175],
      [160, 110, 95],
      [180, 180, 185],
      [140, 140, 130],
      [215, 205, 190],
    ]);
    const pane = random.integer(6, 11);
    const left = Math.round(x);
    for (let i = 0; i < wide; i += 1) {
      for (let up = -3; up < tall; up += 1) {
        const isWindow =
          i % pane > pane * 0.5 && (up + 3) % 10 > 4 && up < tall - 4 && i < wide - 4;
        put(left + i, horizon - up, isWindow ? [70, 78, 88] : colour, 210, 1);
      }
    }
    x += wide + random.exponential(35);
  }
}

function paintTrees(
  random: Random,
  { width, height, horizon, put }: Ground & { height: number },
): void {
  const seed = random.integer(1, 1e6);
  for (let tree = 0; tree < random.integer(14, 34); tree += 1) {
    const cx = random.uniform(0, width);
    // Along the street behind the site, a few at its lower edge.
    const isNear = random.chance(0.15);
    const foot = isNear ? height - random.uniform(0, 30) : horizon + random.uniform(0, 12);
    const r = isNear ? random.uniform(22, 45) : random.uniform(7, 18);
    const green: Colour = [random.uniform(55, 95), random.uniform(85, 115), random.uniform(45, 70)];
    for (let y = Math.round(foot - 2.4 * r); y < foot; y += 1) {
      for (let x = Math.round(cx - r); x < cx + r; x += 1) {
        const rag = grain(x >> 1, y >> 1, seed) / 255;
        const off = Math.hypot((x - cx) / r, (y - foot + 1.4 * r) / r) + 0.35 * rag;
        const isTrunk = Math.abs(x - cx) < r * 0.08 && y > foot - r;
        if (off < 1) put(x, y, green, isNear ? 5 : 190, 0.6 + 0.6 * rag);
        else if (isTrunk) put(x, y, [80, 62, 48], isNear ? 5 : 190, 0.8);
      }
    }
  }
}

/**
 * Paints the backdrop in that day's light. The canvas' upper left corner is `offset` pixels right of and
 * below the backdrop's.
 */
export function paintBackdrop(
  canvas: { readonly width: number; readonly height: number; readonly pixels: Uint8ClampedArray },
  backdrop: Backdrop,
  offset: readonly [x: number, y: number],
  { light, clouds, wetness, hardships }: Conditions,
): void {
  const gain = new Float32Array(256 * 3);
  const air = new Float32Array(256 * 3);
  for (let depth = 0; depth < SKY; depth += 1) {
    const black = lit([0, 0, 0], 0.8, depth / SKY, light);
    const white = lit([255, 255, 255], 0.8, depth / SKY, light);
    for (let c = 0; c < 3; c += 1) {
      air[depth * 3 + c] = black[c] ?? 0;
      gain[depth * 3 + c] = ((white[c] ?? 0) - (black[c] ?? 0)) / 255;
    }
  }
  const snow = hardships.includes("snow") ? 0.75 : 0;
  const blue = hardships.includes("night") ? 0.04 : 1;
  const { pixels } = canvas;
  for (let y = 0; y < canvas.height; y += 1) {
    const fromY = Math.min(backdrop.height - 1, Math.max(0, y + offset[1]));
    for (let x = 0; x < canvas.width; x += 1) {
      const fromX = Math.min(backdrop.width - 1, Math.max(0, x + offset[0]));
      const from = fromY * backdrop.width + fromX;
      const at = (y * canvas.width + x) * 3;
      const depth = backdrop.depth[from] ?? 0;
      if (depth === SKY) {
        const puff = grain(fromX >> 5, fromY >> 4, clouds.seed) / 255;
        const cloud = clouds.cover * (0.7 + 0.3 * puff);
        const low = fromY / backdrop.horizon;
        pixels[at] = ((90 + 70 * low) * (1 - cloud) + 215 * cloud) * blue;
        pixels[at + 1] = ((140 + 50 * low) * (1 - cloud) + 218 * cloud) * blue;
        pixels[at + 2] = ((215 + 15 * low) * (1 - cloud) + 222 * cloud) * blue;
        continue;
      }
      const isGround = backdrop.isGround[from] === 1;
      const wet = isGround ? wetness : 1;
      for (let c = 0; c < 3; c += 1) {
        let albedo = (backdrop.albedo[from * 3 + c] ?? 0) * wet;
        if (isGround) albedo += (235 - albedo) * snow;
        pixels[at + c] = albedo * (gain[depth * 3 + c] ?? 0) + (air[depth * 3 + c] ?? 0);
      }
    }
  }
}
