import type { Random } from "../../randomness/random.ts";
import { alongAndRight } from "../coordinates/place.ts";
import type { Area } from "../flight/flight-plan.ts";
import { createBuilding, createContainers, type GrowingBuilding } from "./building.ts";
import type { Ground, Pad } from "./ground.ts";
import type { Pile } from "./pile.ts";
import { createPile } from "./pile-catalogue.ts";
import type { Road, Slot } from "./slot.ts";
import type { Solid } from "./solid.ts";
import { createTrees } from "./tree.ts";
import { createVehicles } from "./vehicle.ts";

/** What stands and lies on a building site at one epoch, in ENU at its origin. */
export interface Site {
  readonly epoch: number;
  readonly ground: Ground;
  readonly piles: readonly Pile[];
  readonly buildings: readonly GrowingBuilding[];
  readonly road: Road;
  /** Areas of concrete about buildings, by centre and radius. */
  readonly yards: readonly Pad[];
  /** Where something stands or lies at one epoch or another: no place for a target. */
  readonly busy: readonly Pad[];
  readonly solids: readonly Solid[];
}

/**
 * Smallest slot that holds a pile with room for its base ring, metres. Larger leaves fewer piles on a site.
 */
const SLOT_M = 19;

/** What the slots are for, from the middle of the site outwards, again and again. */
const CONTENTS = [
  "ridge",
  "cone",
  "building",
  "frustum",
  "irregular",
  "containers",
  "machines",
  "cone",
  "building",
] as const;

/**
 * Builds the site of a seed at an epoch; what an epoch does not change is equal in all of them.
 * @param options slopePercent: fall of the whole site towards where the seed says; `undefined`: slight
 */
export function createSite(
  area: Area,
  options: {
    readonly extentM: number;
    readonly epoch: number;
    readonly slopePercent: number | undefined;
  },
  random: Random,
): Site {
  const { extentM, epoch, slopePercent } = options;
  const road = createRoad(area);
  const slots = divide(area, random.fork("slots"));
  const piles: Pile[] = [];
  const buildings: GrowingBuilding[] = [];
  const yards: Pad[] = [];
  const slotsWithMachines: Slot[] = [];
  const solids: Solid[] = [];
  for (const [i, slot] of slots.entries()) {
    const content = CONTENTS[i % CONTENTS.length] ?? "cone";
    const drawn = random.fork(`slot-${i}`);
    if (content === "building") {
      buildings.push(createBuilding(`building-${buildings.length + 1}`, slot, drawn));
      yards.push({ centre: slot.centre, radiusM: slot.radiusM });
    } else if (content === "containers") {
      solids.push(...createContainers(`containers-${i + 1}`, slot, drawn));
      yards.push({ centre: slot.centre, radiusM: slot.radiusM * 0.8 });
    } else if (content === "machines") {
      slotsWithMachines.push(slot);
    } else {
      piles.push(createPile(content, piles.length + 1, slot, drawn));
    }
  }
  solids.push(
    ...buildings.flatMap((building) => building.solidsAt(epoch)),
    ...createVehicles(road, slotsWithMachines, random.fork(`vehicles-${epoch}`)),
    ...createTrees(area, extentM, road, random.fork("trees")),
  );
  const pads = [
    ...piles.map((pile) => ({ centre: pile.centre, radiusM: pile.reachM + 1.2 })),
    ...yards,
  ];
  const drawn = random.fork("ground");
  const ground: Ground = {
    ...createTilt(slopePercent, drawn),
    undulationM: 0.12,
    roughnessM: 0.012,
    extentM,
    pads,
    seed: drawn.integer(1, 2 ** 30),
  };
  const busy = slots.map(({ centre, radiusM }) => ({ centre, radiusM: radiusM - 0.5 }));
  return { epoch, ground, piles, buildings, road, yards, busy, solids: onGround(solids, ground) };
}

/** Rise by axis of a site that nobody asked a slope of, metres a metre, at most. */
const SLIGHT = 0.02;

function createTilt(slopePercent: number | undefined, random: Random) {
  const tiltEast = random.uniform(-SLIGHT, SLIGHT);
  const tiltNorth = random.uniform(-SLIGHT, SLIGHT);
  if (slopePercent === undefined) return { tiltEast, tiltNorth };
  const factor = slopePercent / 100 / Math.hypot(tiltEast, tiltNorth);
  return { tiltEast: factor * tiltEast, tiltNorth: factor * tiltNorth };
}

/** Solids are made with heights above their ground: this stands them on the tilted plane. */
function onGround(solids: readonly Solid[], ground: Ground): Solid[] {
  return solids.map((solid) => {
    const upM = ground.tiltEast * solid.centre.eastM + ground.tiltNorth * solid.centre.northM;
    return solid.kind === "crown"
      ? { ...solid, upM: solid.upM + upM }
      : { ...solid, bottomM: solid.bottomM + upM, topM: solid.topM + upM };
  });
}

/** The road runs the length of the area, just outside of its right edge and back to the middle. */
function createRoad(area: Area): Road {
  const { centre, azimuthRad, halfLengthM, halfWidthM } = area;
  const at = (forwardM: number) => alongAndRight(centre, azimuthRad, forwardM, halfWidthM + 3);
  return { from: at(-halfLengthM - 60), to: at(halfLengthM + 60), widthM: 6 };
}

/** Slots in rows and columns over the area, nearest to the middle first. */
function divide(area: Area, random: Random): Slot[] {
  const { centre, azimuthRad, halfLengthM, halfWidthM } = area;
  const rows = Math.max(1, Math.round((2 * halfLengthM) / SLOT_M));
  const columns = Math.max(1, Math.round((2 * halfWidthM) / SLOT_M));
  const lengthM = Math.max(12, (2 * halfLengthM) / rows);
  const widthM = Math.max(12, (2 * halfWidthM) / columns);
  const slots: (Slot & { readonly awayM: number })[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const forwardM = (row - (rows - 1) / 2) * lengthM + random.uniform(-0.5, 0.5);
      const rightM = (column - (columns - 1) / 2) * widthM + random.uniform(-0.5, 0.5);
      slots.push({
        centre: alongAndRight(centre, azimuthRad, forwardM, rightM),
        radiusM: Math.min(10, lengthM / 2 - 0.5, widthM / 2 - 0.5),
        awayM: Math.hypot(forwardM, rightM),
      });
    }
  }
  return slots
    .sort((a, b) => a.awayM - b.awayM)
    .map((slot) => ({ centre: slot.centre, radiusM: slot.radiusM }));
}
