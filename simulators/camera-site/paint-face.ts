import type { Building } from "./building.ts";
import { type Canvas, type Colour, grain } from "./canvas.ts";
import { type BuildingState, CELL } from "./cells.ts";
import { type Light, lit } from "./conditions.ts";

/** A face of a building: its lower left corner on the canvas, and how its foot and roof line rise. */
export interface Face {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  /** Pixels by which the ground line falls (positive) for each pixel to the right. */
  readonly slope: number;
  readonly bays: number;
  /** First bay of the building's cells that this face shows; sides repeat them. */
  readonly firstBay: number;
  /** Share of the sun that falls on it. */
  readonly sunShare: number;
  /** What lies in another building's shadow: `true` by pixels from its lower left corner, up positive. */
  readonly isShaded: (x: number, up: number) => boolean;
}

const MATERIALS = [
  "frame",
  "slab",
  "formwork",
  "wall",
  "joint",
  "insulation",
  "cladding",
  "glass",
  "window",
] as const;
const FRAME = 0;
const SLAB = 1;
const FORMWORK = 2;
const WALL = 3;
const JOINT = 4;
const INSULATION = 5;
const CLADDING = 6;
const GLASS = 7;
const HOLE = 8;
const NOTHING = 255;
/**
 * Grain of each material as a share of its brightness, set by eye; glass mirrors the sky and
 * has none. Less grain makes edges easier to register than real ones.
 */
const ROUGHNESS = [0.16, 0.1, 0.2, 0.18, 0.1, 0.14, 0.1, 0.03, 0.05] as const;

/** Paints what of a face stands. */
export function paintFace(
  canvas: Canvas,
  building: Building,
  state: BuildingState,
  face: Face,
  light: Light,
): void {
  const palettes = [palette(building, face.sunShare, light), palette(building, 0, light)] as const;
  const topPx = Math.min(building.floors, Math.ceil(state.floorsUp)) * building.floorPx;
  const { width, height, pixels } = canvas;
  const left = Math.round(face.x);
  const right = Math.round(face.x + face.widthPx);
  for (let x = Math.max(0, left); x < Math.min(width, right); x += 1) {
    const along = x - left;
    const foot = Math.round(face.y + along * face.slope);
    for (let up = 0; up < topPx; up += 1) {
      const y = foot - 1 - up;
      if (y < 0 || y >= height) continue;
      const material = materialAt(building, state, face, along, up);
      if (material === NOTHING) continue;
      const colours = palettes[face.isShaded(along, up) ? 1 : 0];
      const rough = ROUGHNESS[material] ?? 0;
      const tone = 1 + rough * (grain(along >> 1, up >> 1, building.grainSeed) / 255 - 0.5);
      const at = (y * width + x) * 3;
      pixels[at] = (colours[material * 3] ?? 0) * tone;
      pixels[at + 1] = (colours[material * 3 + 1] ?? 0) * tone;
      pixels[at + 2] = (colours[material * 3 + 2] ?? 0) * tone;
    }
  }
}

function palette(building: Building, sunShare: number, light: Light): Float32Array {
  return Float32Array.from(
    MATERIALS.flatMap(
      (name): Colour => lit(building.colours[name], sunShare, building.depth, light),
    ),
  );
}

/** Index in MATERIALS of one place of a face, or NOTHING where the sky is seen. */
function materialAt(
  building: Building,
  state: BuildingState,
  face: Face,
  along: number,
  up: number,
): number {
  const floor = Math.floor(up / building.floorPx);
  const inFloor = up / building.floorPx - floor;
  const baysAlong = (along / face.widthPx) * face.bays;
  const bay = Math.floor(baysAlong);
  const inBay = baysAlong - bay;
  const cell = floor * building.bays + ((face.firstBay + bay) % building.bays);
  const is = state.cells[cell] ?? CELL.air;
  const isPost = inBay < 0.09 || inBay > 0.95;
  if (is === CELL.air) return NOTHING;
  if (is === CELL.rising) {
    const rising = state.floorsUp - floor;
    if (inFloor > rising) return NOTHING;
    // Panels stand where concrete is being poured; other frames rise bare.
    if (building.structure === "concrete" && inFloor > rising - 0.35) return FORMWORK;
    if (building.structure === "masonry") return WALL;
    return isPost ? FRAME : NOTHING;
  }
  if (is === CELL.frame) {
    if (inFloor > 0.88) return SLAB;
    if (isPost) return FRAME;
    if (building.structure === "steel" && Math.abs(inFloor - inBay) < 0.05) return FRAME;
    // Between the slabs of an open floor it is dark, and props or material stand there.
    return grain(bay * 7 + Math.floor(inBay * 6), floor, building.grainSeed + 1) < 40 &&
      inFloor < 0.5
      ? FORMWORK
      : HOLE;
  }
  const { width, height, sill } = building.windowShare;
  const isWindow =
    building.isBlind[cell] !== true &&
    Math.abs(inBay - 0.5) < width / 2 &&
    inFloor > sill &&
    inFloor < sill + height;
  if (isWindow) {
    const isFrame = Math.abs(inBay - 0.5) > width / 2 - 0.06;
    if (state.hasPane[cell] === 1) return isFrame ? JOINT : GLASS;
    return HOLE;
  }
  if (is === CELL.insulated) return INSULATION;
  if (is === CELL.clad) return inFloor > 0.95 || inBay > 0.96 ? JOINT : CLADDING;
  if (inFloor > 0.9) return SLAB;
  // Courses of blocks.
  return up % 4 === 0 ? JOINT : WALL;
}
