import type { Random } from "../../randomness/random.ts";
import { alongAndRight } from "../coordinates/place.ts";
import type { Area } from "../flight/flight-plan.ts";
import type { Road } from "./slot.ts";
import type { Colour, Solid } from "./solid.ts";

/** Trees for each 1,000 m2 of the belt round the area; loose groups. */
const PER_1000_M2 = 3;
/** Free of trees beyond the area's edge, metres. */
const CLEAR_M = 7;
/** Lumps of leaves of one tree. */
const LUMPS = 9;
const TRUNK: Colour = [0.1, 0.075, 0.05];

/** Trees in the belt between the area and the end of the ground, off the road. */
export function createTrees(area: Area, extentM: number, road: Road, random: Random): Solid[] {
  const solids: Solid[] = [];
  const inBelt =
    (2 * extentM) ** 2 - 4 * (area.halfLengthM + CLEAR_M) * (area.halfWidthM + CLEAR_M);
  const count = Math.round((inBelt / 1_000) * PER_1000_M2);
  const roadRad = Math.atan2(road.to.eastM - road.from.eastM, road.to.northM - road.from.northM);
  for (let i = 0; i < count; i += 1) {
    const eastM = random.uniform(4 - extentM, extentM - 4);
    const northM = random.uniform(4 - extentM, extentM - 4);
    const tree = createTree(`tree-${i + 1}`, eastM, northM, random.fork(`tree-${i}`));
    const e = eastM - area.centre.eastM;
    const n = northM - area.centre.northM;
    const s = Math.sin(area.azimuthRad);
    const c = Math.cos(area.azimuthRad);
    const isInside =
      Math.abs(e * s + n * c) < area.halfLengthM + CLEAR_M &&
      Math.abs(e * c - n * s) < area.halfWidthM + CLEAR_M;
    const offRoadM = Math.abs(
      (eastM - road.from.eastM) * Math.cos(roadRad) -
        (northM - road.from.northM) * Math.sin(roadRad),
    );
    if (!isInside && offRoadM > road.widthM / 2 + 3.5) solids.push(...tree);
  }
  return solids;
}

/** One tree with heights above its ground. */
export function createTree(owner: string, eastM: number, northM: number, random: Random): Solid[] {
  const centre = { eastM, northM };
  const spreadM = random.uniform(1.4, 3);
  const upM = random.uniform(2.2, 4.5);
  const hue = random.uniform(-0.02, 0.03);
  const crowns = Array.from({ length: LUMPS }, (_, i): Solid => {
    const azimuthRad = random.uniform(0, 2 * Math.PI);
    const awayM = i === 0 ? 0 : spreadM * random.uniform(0.35, 0.8);
    const shade = random.uniform(0.75, 1.2);
    return {
      kind: "crown",
      owner,
      centre: alongAndRight(centre, azimuthRad, awayM, 0),
      upM: upM + random.uniform(-0.25, 0.35) * spreadM + (i === 0 ? spreadM * 0.3 : 0),
      radiusM: spreadM * random.uniform(0.42, 0.6),
      halfHeightM: spreadM * random.uniform(0.4, 0.55),
      colour: [(0.09 + hue) * shade, 0.145 * shade, 0.05 * shade],
      seed: random.integer(1, 2 ** 30),
    };
  });
  return [
    {
      kind: "block",
      owner,
      centre,
      bottomM: -0.5,
      topM: upM,
      halfLengthM: 0.15,
      halfWidthM: 0.15,
      azimuthRad: 0,
      colour: TRUNK,
      sides: "plain",
      seed: 1,
    },
    ...crowns,
  ];
}
