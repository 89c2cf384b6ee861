import type { ImagePoint } from "../../domain/sites/site-camera.ts";
import type { ViewPixels } from "../../processing/progress/camera/view/view-frame.ts";
import { seededRandom } from "./seeded-random.ts";

/** What one picture of a scene is like. */
export interface SceneShot {
  /** Percent of the building that stands, 0 to 100. */
  readonly progress: number;
  /** How far the content lies aside, shares of the picture's width and height; right and down. */
  readonly shiftX?: number;
  readonly shiftY?: number;
  readonly turnDeg?: number;
  /** Weather, light and what drives by; equal seeds are equal days. `undefined`: a plain bright day. */
  readonly day?: number;
  /** Fog, 0 to 1. */
  readonly haze?: number;
  /** Gains of red, green and blue. */
  readonly gains?: readonly [number, number, number];
  /** Share of the picture that a lorry hides, from the left. */
  readonly hidden?: number;
}

/** A made-up building site before a fixed camera. */
export interface CameraScene {
  /** Where the building will stand, in the picture that is not shifted. */
  readonly outline: readonly ImagePoint[];
  shoot(shot: SceneShot): ViewPixels;
}

const WIDTH = 640;
const HEIGHT = 360;
/** Of the scene beyond the picture, each side, pixels. */
const MARGIN = 160;
const [WIDE, HIGH] = [WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN];

type Rgb = [number, number, number];

/** Ground, houses and poles, the same for the same seed; a building of seven floors grows among them. */
export function cameraScene(seed: number): CameraScene {
  const random = seededRandom(seed);
  const ground = drawGround(random);
  const building = {
    left: MARGIN + 160 + random() * 180,
    base: MARGIN + 290 + random() * 40,
    width: 150 + random() * 80,
    floors: 5 + Math.floor(random() * 4),
    floorPx: 26 + random() * 6,
    bays: 5 + Math.floor(random() * 3),
    slab: grey(random, 120, 60),
    facade: colour(random, 90, 120),
  };
  const top = building.base - building.floors * building.floorPx;
  const share = (x: number, y: number): ImagePoint => [(x - MARGIN) / WIDTH, (y - MARGIN) / HEIGHT];
  const right = building.left + building.width;
  return {
    outline: [
      share(building.left, top),
      share(right, top),
      share(right, building.base),
      share(building.left, building.base),
    ],
    shoot(shot) {
      const scene = ground.slice();
      drawBuilding(scene, building, shot.progress);
      const day = seededRandom(shot.day ?? 1);
      if (shot.day !== undefined) drawDay(scene, day);
      return expose(scene, shot, day);
    },
  };
}

type Building = {
  readonly left: number;
  readonly base: number;
  readonly width: number;
  readonly floors: number;
  readonly floorPx: number;
  readonly bays: number;
  readonly slab: Rgb;
  readonly facade: Rgb;
};

function drawGround(random: () => number): Float32Array {
  const scene = new Float32Array(WIDE * HIGH * 3);
  const horizon = MARGIN + 90 + random() * 60;
  const soil = colour(random, 90, 60);
  for (let y = 0; y < HIGH; y++) {
    for (let x = 0; x < WIDE; x++) {
      const grain = y < horizon ? 0 : (random() - 0.5) * 24;
      for (let c = 0; c < 3; c++) {
        const base = y < horizon ? 190 + 10 * c : (soil[c] ?? 0);
        scene[(y * WIDE + x) * 3 + c] = base + grain;
      }
    }
  }
  for (let n = 0; n < 160; n++) {
    const width = 8 + random() * 60;
    const height = 6 + random() * 40;
    const x = random() * WIDE;
    const y = horizon - 25 + random() * (HIGH - horizon);
    const wall = colour(random, 60, 150);
    rectangle(scene, x, y, width, height, wall);
    for (let w = 4; w + 4 < width; w += 9) {
      rectangle(scene, x + w, y + height * 0.3, 4, height * 0.3, [50, 55, 65]);
    }
  }
  for (let n = 0; n < 25; n++) {
    rectangle(scene, random() * WIDE, horizon - 60 * random(), 3, 60 + random() * 60, [60, 60, 60]);
  }
  return scene;
}

/** Cells are built from below: the first half of a cell's work is its slab, the second its facade. */
function drawBuilding(scene: Float32Array, building: Building, progress: number): void {
  const { left, base, width, floors, floorPx, bays, slab, facade } = building;
  const cells = floors * bays;
  const bayPx = width / bays;
  for (let cell = 0; cell < cells; cell++) {
    const built = (progress / 100) * (cells + bays) - cell;
    if (built <= 0) break;
    const x = left + (cell % bays) * bayPx;
    const y = base - (Math.floor(cell / bays) + 1) * floorPx;
    rectangle(scene, x, y, bayPx, floorPx, [70, 72, 78]);
    rectangle(scene, x, y, bayPx, 5, slab);
    rectangle(scene, x, y, 4, floorPx, slab);
    if (built < bays) continue;
    rectangle(scene, x, y, bayPx, floorPx, facade);
    rectangle(scene, x + bayPx * 0.3, y + floorPx * 0.3, bayPx * 0.4, floorPx * 0.4, [40, 60, 90]);
  }
}

/** Vehicles, people, heaps: what is there for a day. */
function drawDay(scene: Float32Array, day: () => number): void {
  for (let n = 0; n < 14; n++) {
    const x = day() * WIDE;
    const y = MARGIN + 150 + day() * 220;
    rectangle(scene, x, y, 8 + day() * 36, 6 + day() * 18, colour(day, 40, 200));
  }
  for (let n = 0; n < 5; n++) {
    const [x, y, width] = [day() * WIDE, MARGIN + 120 + day() * 200, 40 + day() * 120];
    for (let row = 0; row < 40; row++) dim(scene, x + row, y + row, width, 0.65);
  }
}

function expose(scene: Float32Array, shot: SceneShot, day: () => number): ViewPixels {
  const isPlain = shot.day === undefined;
  const vary = (low: number, high: number): number => (isPlain ? 1 : low + day() * (high - low));
  const light = vary(0.6, 1.15);
  const gains = shot.gains ?? [vary(0.88, 1.12), 1, vary(0.88, 1.12)];
  const slope = isPlain ? 0 : (day() - 0.5) * 0.5;
  const haze = shot.haze ?? (isPlain ? 0 : day() * 0.3);
  const noisePx = isPlain ? 0 : 1 + day() * 3;
  const hiddenPx = (shot.hidden ?? 0) * WIDTH;
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3);
  const turn = ((shot.turnDeg ?? 0) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const [shiftX, shiftY] = [(shot.shiftX ?? 0) * WIDTH, (shot.shiftY ?? 0) * HEIGHT];
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const u = x - shiftX - WIDTH / 2;
      const v = y - shiftY - HEIGHT / 2;
      const atX = cos * u + sin * v + WIDTH / 2 + MARGIN;
      const atY = -sin * u + cos * v + HEIGHT / 2 + MARGIN;
      const left = Math.max(0, Math.min(WIDE - 2, Math.floor(atX)));
      const top = Math.max(0, Math.min(HIGH - 2, Math.floor(atY)));
      const fx = atX - left;
      const fy = atY - top;
      const isHidden = x < hiddenPx;
      const sun = light * (1 + slope * (x / WIDTH - 0.5));
      for (let c = 0; c < 3; c++) {
        const i = (top * WIDE + left) * 3 + c;
        const upper = (scene[i] ?? 0) * (1 - fx) + (scene[i + 3] ?? 0) * fx;
        const below = i + WIDE * 3;
        const lower = (scene[below] ?? 0) * (1 - fx) + (scene[below + 3] ?? 0) * fx;
        const seen = isHidden ? 70 + 15 * c : upper * (1 - fy) + lower * fy;
        const noise = noisePx === 0 ? 0 : noisePx * 3 * (day() - 0.5);
        const value = seen * sun * (gains[c] ?? 1) * (1 - haze) + 200 * haze + noise;
        rgb[(y * WIDTH + x) * 3 + c] = Math.max(0, Math.min(255, Math.round(value)));
      }
    }
  }
  return { width: WIDTH, height: HEIGHT, rgb };
}

function rectangle(
  scene: Float32Array,
  left: number,
  top: number,
  width: number,
  height: number,
  fill: Rgb,
): void {
  for (let y = Math.max(0, Math.round(top)); y < Math.min(HIGH, Math.round(top + height)); y++) {
    for (let x = Math.max(0, Math.round(left)); x < Math.min(WIDE, Math.round(left + width)); x++) {
      scene.set(fill, (y * WIDE + x) * 3);
    }
  }
}

function dim(scene: Float32Array, left: number, top: number, width: number, factor: number): void {
  const y = Math.round(top);
  if (y < 0 || y >= HIGH) return;
  for (let x = Math.max(0, Math.round(left)); x < Math.min(WIDE, Math.round(left + width)); x++) {
    for (let c = 0; c < 3; c++) {
      const i = (y * WIDE + x) * 3 + c;
      scene[i] = (scene[i] ?? 0) * factor;
    }
  }
}

const colour = (random: () => number, from: number, range: number): Rgb => [
  from + random() * range,
  from + random() * range,
  from + random() * range,
];

function grey(random: () => number, from: number, range: number): Rgb {
  const value = from + random() * range;
  return [value, value, value];
}
