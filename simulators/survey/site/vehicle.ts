import type { Random } from "../../randomness/random.ts";
import { alongAndRight, type Place } from "../coordinates/place.ts";
import type { Road, Slot } from "./slot.ts";
import type { Block, Colour } from "./solid.ts";

/** One block of a vehicle: offsets from its middle, half sizes and heights, metres. */
interface Part {
  readonly forwardM: number;
  readonly rightM: number;
  readonly halfLengthM: number;
  readonly halfWidthM: number;
  readonly bottomM: number;
  readonly topM: number;
  readonly colour: "paint" | Colour;
}

const DARK: Colour = [0.03, 0.03, 0.032];
const LOAD: Colour = [0.2, 0.16, 0.11];
const PAINTS: readonly Colour[] = [
  [0.62, 0.38, 0.03],
  [0.6, 0.2, 0.03],
  [0.55, 0.55, 0.53],
  [0.1, 0.2, 0.4],
];

const part = (
  [forwardM, rightM]: readonly [number, number],
  [halfLengthM, halfWidthM]: readonly [number, number],
  [bottomM, topM]: readonly [number, number],
  colour: Part["colour"],
): Part => ({ forwardM, rightM, halfLengthM, halfWidthM, bottomM, topM, colour });

/** Rigid truck with its bed loaded, crawler excavator with its boom stretched out, van. */
const VEHICLES = {
  truck: [
    part([0, 0], [3.9, 1.1], [0.4, 1.1], DARK),
    part([2.9, 0], [0.95, 1.2], [0.9, 2.9], "paint"),
    part([-1, 0], [2.7, 1.25], [1.1, 2.4], "paint"),
    part([-1, 0], [2.5, 1.05], [2.4, 2.65], LOAD),
  ],
  excavator: [
    part([0, -1.1], [2, 0.3], [0, 0.9], DARK),
    part([0, 1.1], [2, 0.3], [0, 0.9], DARK),
    part([-0.5, 0], [1.6, 1.35], [0.9, 2], "paint"),
    part([0.7, -0.8], [0.7, 0.5], [1.2, 2.9], "paint"),
    part([2.6, 0.2], [1.9, 0.25], [2, 3], "paint"),
    part([4.7, 0.2], [0.3, 0.2], [0.7, 2.6], "paint"),
    part([4.9, 0.2], [0.5, 0.6], [0, 0.8], DARK),
  ],
  van: [
    part([-0.5, 0], [2.1, 0.95], [0.4, 2.3], "paint"),
    part([2, 0], [0.6, 0.9], [0.4, 1.4], "paint"),
  ],
} as const satisfies Record<string, readonly Part[]>;
export type VehicleKind = keyof typeof VEHICLES;

/** Vehicles on the road and in the slots that are kept for machines; every epoch has others. */
export function createVehicles(road: Road, slots: readonly Slot[], random: Random): Block[] {
  const roadRad = Math.atan2(road.to.eastM - road.from.eastM, road.to.northM - road.from.northM);
  const middle = {
    eastM: (road.from.eastM + road.to.eastM) / 2,
    northM: (road.from.northM + road.to.northM) / 2,
  };
  const blocks: Block[] = [];
  for (let i = 0; i < 3; i += 1) {
    const side = random.chance(0.5) ? 1 : -1;
    const centre = alongAndRight(middle, roadRad, (i - 1) * 22 + random.uniform(-7, 7), side * 1.5);
    const kind = random.pick(["truck", "van", "truck"] as const);
    blocks.push(
      ...createVehicle(
        kind,
        `${kind}-${i + 1}`,
        centre,
        roadRad + (side > 0 ? 0 : Math.PI),
        random,
      ),
    );
  }
  for (const [i, slot] of slots.entries()) {
    // Side by side, so that they never overlap.
    const azimuthRad = random.uniform(0, 2 * Math.PI);
    for (const [k, kind] of (["excavator", "truck"] as const).entries()) {
      const centre = alongAndRight(slot.centre, azimuthRad, 0, (k - 0.5) * slot.radiusM * 0.9);
      blocks.push(...createVehicle(kind, `${kind}-yard-${i + 1}`, centre, azimuthRad, random));
    }
  }
  return blocks;
}

/** One vehicle with heights above its ground; `azimuthRad`: where it points, clockwise from north. */
export function createVehicle(
  kind: VehicleKind,
  owner: string,
  centre: Place,
  azimuthRad: number,
  random: Random,
): Block[] {
  const paint = random.pick(PAINTS);
  return VEHICLES[kind].map((p: Part) => ({
    kind: "block",
    owner,
    centre: alongAndRight(centre, azimuthRad, p.forwardM, p.rightM),
    bottomM: p.bottomM,
    topM: p.topM,
    halfLengthM: p.halfLengthM,
    halfWidthM: p.halfWidthM,
    azimuthRad,
    colour: p.colour === "paint" ? paint : p.colour,
    sides: "plain",
    seed: random.integer(1, 2 ** 30),
  }));
}
