import type { Random } from "../randomness/random.ts";
import { type Canvas, type Colour, fillConvex, type Spot, stroke } from "./canvas.ts";
import { type Light, lit } from "./conditions.ts";

/** Where things may stand: the part of the canvas that is the picture. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

const PAINTS: readonly Colour[] = [
  [230, 170, 30],
  [200, 60, 40],
  [235, 235, 230],
  [50, 90, 150],
  [70, 120, 70],
  [90, 90, 95],
];

const box = (x: number, y: number, w: number, h: number): readonly Spot[] => [
  [x, y],
  [x + w, y],
  [x + w, y - h],
  [x, y - h],
];

/**
 * Paints what stands before the buildings that day and not the next: lorries, excavators, heaps, people,
 * now and then something large close to the camera.
 */
export function paintOccluders(canvas: Canvas, frame: Frame, random: Random, light: Light): void {
  const { left, top, widthPx, heightPx } = frame;
  const things = random.integer(2, 9);
  const rows = Array.from({ length: things }, () => random.uniform(0.42, 0.97)).sort();
  for (const row of rows) {
    const x = left + random.uniform(-0.05, 1) * widthPx;
    const y = top + row * heightPx;
    const size = 10 + 55 * (row - 0.35);
    const depth = 1 - row;
    const kind = random.next();
    if (kind < 0.35) paintLorry(canvas, random, light, { x, y, size, depth });
    else if (kind < 0.6) paintExcavator(canvas, random, light, { x, y, size, depth });
    else if (kind < 0.85) paintHeap(canvas, random, light, { x, y, size, depth });
    else paintPeople(canvas, random, light, { x, y, size, depth });
  }
  if (random.chance(0.12)) {
    // A load on the hook, or the roof of a van in front of the mast.
    const w = random.uniform(0.06, 0.16) * widthPx;
    const h = random.uniform(0.06, 0.22) * heightPx;
    const x = left + random.uniform(0, 1) * widthPx;
    const y = top + random.uniform(0.3, 1) * heightPx;
    fillConvex(canvas, box(x, y, w, h), lit(random.pick(PAINTS), 0.5, 0, light));
  }
}

interface Thing {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly depth: number;
}

function paintLorry(canvas: Canvas, random: Random, light: Light, thing: Thing): void {
  const { x, y, size, depth } = thing;
  const body = lit(random.pick(PAINTS), 0.6, depth, light);
  const cab = lit(random.pick(PAINTS), 0.7, depth, light);
  fillConvex(canvas, box(x, y - size * 0.25, size * 1.7, size * 0.75), body);
  fillConvex(canvas, box(x + size * 1.72, y - size * 0.2, size * 0.55, size * 0.7), cab);
  const tyre = lit([30, 30, 32], 0.3, depth, light);
  for (const at of [0.15, 0.6, 1.8]) {
    fillConvex(canvas, box(x + size * at, y, size * 0.32, size * 0.3), tyre);
  }
}

function paintExcavator(canvas: Canvas, random: Random, light: Light, thing: Thing): void {
  const { x, y, size, depth } = thing;
  const body = lit(random.pick(PAINTS), 0.6, depth, light);
  fillConvex(canvas, box(x, y, size * 1.1, size * 0.25), lit([45, 45, 45], 0.4, depth, light));
  fillConvex(canvas, box(x + size * 0.1, y - size * 0.25, size * 0.9, size * 0.55), body);
  const elbow: Spot = [x + size * random.uniform(1, 1.7), y - size * random.uniform(1, 1.7)];
  const bucket: Spot = [x + size * random.uniform(1.5, 2.4), y - size * random.uniform(0, 0.9)];
  stroke(canvas, [x + size * 0.9, y - size * 0.6], elbow, size * 0.16, body);
  stroke(canvas, elbow, bucket, size * 0.13, body);
}

function paintHeap(canvas: Canvas, random: Random, light: Light, thing: Thing): void {
  const { x, y, size, depth } = thing;
  const colour = random.pick<Colour>([
    [150, 120, 85],
    [175, 170, 160],
    [110, 90, 70],
    [190, 150, 100],
  ]);
  const w = size * random.uniform(1, 2.6);
  const h = size * random.uniform(0.3, 0.7);
  fillConvex(
    canvas,
    [
      [x, y],
      [x + w, y],
      [x + w * 0.7, y - h],
      [x + w * 0.35, y - h],
    ],
    lit(colour, 0.6, depth, light),
  );
}

function paintPeople(canvas: Canvas, random: Random, light: Light, thing: Thing): void {
  const { y, size, depth } = thing;
  for (let i = 0; i < random.integer(1, 5); i += 1) {
    const x = thing.x + random.uniform(0, size * 2);
    fillConvex(canvas, box(x, y, size * 0.14, size * 0.3), lit([50, 60, 90], 0.6, depth, light));
    fillConvex(
      canvas,
      box(x - 1, y - size * 0.28, size * 0.18, size * 0.25),
      lit([240, 160, 30], 0.8, depth, light),
    );
  }
}

/** A tower crane: its mast stands for months, its jib swings. */
export interface Crane {
  readonly x: number;
  readonly footY: number;
  readonly heightPx: number;
  readonly jibPx: number;
}

export function paintCrane(
  canvas: Canvas,
  crane: Crane,
  offset: Spot,
  random: Random,
  light: Light,
): void {
  const x = crane.x + offset[0];
  const foot = crane.footY + offset[1];
  const top = foot - crane.heightPx;
  const colour = lit([225, 180, 40], 0.7, 0.5, light);
  for (const side of [-3, 3]) stroke(canvas, [x + side, foot], [x + side, top], 1.5, colour);
  for (let y = foot; y > top; y -= 9) {
    stroke(canvas, [x - 3, y], [x + 3, y - 9], 1.2, colour);
  }
  const swing = Math.cos(random.uniform(0, 2 * Math.PI));
  const tip: Spot = [x + crane.jibPx * swing, top + 4];
  stroke(canvas, [x - 0.3 * crane.jibPx * swing, top + 4], tip, 4, colour);
  stroke(canvas, [x, top - 16], tip, 1.2, colour);
  const out = random.uniform(0.3, 0.95);
  const hook: Spot = [
    x + crane.jibPx * swing * out,
    top + random.uniform(0.2, 0.8) * crane.heightPx,
  ];
  stroke(canvas, [hook[0], top + 4], hook, 1, lit([40, 40, 40], 0.3, 0.4, light));
  if (random.chance(0.5)) {
    const load = lit(random.pick(PAINTS), 0.6, 0.4, light);
    fillConvex(canvas, box(hook[0] - 9, hook[1] + 8, 18, 8), load);
  }
}
