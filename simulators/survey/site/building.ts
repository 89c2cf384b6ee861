import type { Random } from "../../randomness/random.ts";
import { alongAndRight, type Place } from "../coordinates/place.ts";
import type { Slot } from "./slot.ts";
import type { Block, Colour } from "./solid.ts";

/** Height of one storey from floor to floor, and of the base slab, metres. */
const STOREY_M = 3;
const SLAB_M = 0.4;
/** Columns that stand ready for the next storey, metres. */
const COLUMN_M = 1.6;

const CONCRETE: Colour = [0.42, 0.41, 0.39];
const MASONRY: Colour = [0.34, 0.22, 0.16];

/** A building in work: one storey more at each epoch, until it has all of them. */
export interface GrowingBuilding {
  readonly id: string;
  readonly centre: Place;
  readonly azimuthRad: number;
  readonly halfLengthM: number;
  readonly halfWidthM: number;
  readonly storeys: number;
  /** Storeys that stand at an epoch, from 0 (base slab) to `storeys`. */
  storeysAt(epoch: number): number;
  /** Top of the uppermost slab above the ground, metres. */
  heightAtM(epoch: number): number;
  /** Blocks with heights above the ground. */
  solidsAt(epoch: number): Block[];
}

/** Makes a building of two to four storeys; at epoch 1 it has its base slab or one storey. */
export function createBuilding(id: string, slot: Slot, random: Random): GrowingBuilding {
  const halfLengthM = slot.radiusM * random.uniform(0.62, 0.7);
  const halfWidthM = slot.radiusM * random.uniform(0.38, 0.46);
  const azimuthRad = random.uniform(0, Math.PI);
  const storeys = random.integer(2, 4);
  const begun = random.integer(0, 1);
  const seed = random.integer(1, 2 ** 30);
  const storeysAt = (epoch: number) => Math.min(storeys, begun + epoch - 1);
  const heightAtM = (epoch: number) => SLAB_M + STOREY_M * storeysAt(epoch);
  const upright = { owner: id, azimuthRad, seed } as const;
  return {
    id,
    centre: slot.centre,
    azimuthRad,
    halfLengthM,
    halfWidthM,
    storeys,
    storeysAt,
    heightAtM,
    solidsAt(epoch) {
      const topM = heightAtM(epoch);
      const blocks: Block[] = [
        {
          ...upright,
          kind: "block",
          centre: slot.centre,
          bottomM: -0.5,
          topM: SLAB_M,
          halfLengthM: halfLengthM + 0.5,
          halfWidthM: halfWidthM + 0.5,
          colour: CONCRETE,
          sides: "plain",
        },
      ];
      if (storeysAt(epoch) > 0) {
        blocks.push({
          ...upright,
          kind: "block",
          centre: slot.centre,
          bottomM: SLAB_M,
          topM,
          halfLengthM,
          halfWidthM,
          colour: MASONRY,
          sides: "windows",
        });
      }
      if (storeysAt(epoch) < storeys) blocks.push(...columns(topM));
      return blocks;
    },
  };

  /** Two rows of columns, and the stair's core, which is always a storey ahead. */
  function columns(topM: number): Block[] {
    const at = (forwardM: number, rightM: number, halfM: number, heightM: number): Block => ({
      ...upright,
      kind: "block",
      centre: alongAndRight(slot.centre, azimuthRad, forwardM, rightM),
      bottomM: topM,
      topM: topM + heightM,
      halfLengthM: halfM,
      halfWidthM: halfM,
      colour: CONCRETE,
      sides: "plain",
    });
    const count = 4;
    const rows = Array.from({ length: count }, (_, i) => (2 * i) / (count - 1) - 1);
    return [
      ...rows.flatMap((share) =>
        [-1, 1].map((side) =>
          at(share * (halfLengthM - 0.3), side * (halfWidthM - 0.3), 0.2, COLUMN_M),
        ),
      ),
      at(halfLengthM * 0.3, 0, 1.2, STOREY_M),
    ];
  }
}

const CONTAINER_COLOURS: readonly Colour[] = [
  [0.08, 0.16, 0.34],
  [0.4, 0.09, 0.06],
  [0.5, 0.5, 0.48],
  [0.09, 0.26, 0.14],
];

/** Site offices and stores: standard 6.06 x 2.44 x 2.59 m containers (ISO 668, 1CC), some stacked. */
export function createContainers(owner: string, slot: Slot, random: Random): Block[] {
  const azimuthRad = random.uniform(0, Math.PI);
  const rows = Math.max(1, Math.floor((slot.radiusM * 1.4) / 3.2));
  const blocks: Block[] = [];
  for (let row = 0; row < rows; row += 1) {
    const rightM = (row - (rows - 1) / 2) * 3.2;
    const centre = alongAndRight(slot.centre, azimuthRad, random.uniform(-0.8, 0.8), rightM);
    const high = random.chance(0.35) ? 2 : 1;
    for (let level = 0; level < high; level += 1) {
      blocks.push({
        kind: "block",
        owner,
        centre,
        bottomM: level === 0 ? -0.5 : 2.59 * level,
        topM: 2.59 * (level + 1),
        halfLengthM: 3.03,
        halfWidthM: 1.22,
        azimuthRad,
        colour: random.pick(CONTAINER_COLOURS),
        sides: "ribs",
        seed: random.integer(1, 2 ** 30),
      });
    }
  }
  return blocks;
}
