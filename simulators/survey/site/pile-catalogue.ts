import type { Random } from "../../randomness/random.ts";
import type { Pile, PileEvent, PileMaterial, PileShape } from "./pile.ts";
import type { Slot } from "./slot.ts";

/** Free ground between a pile and the edge of its slot, metres: the ring its base is read from. */
const RING_M = 1.8;

const MATERIALS: Record<PileShape["kind"], PileMaterial> = {
  ridge: "gravel",
  cone: "sand",
  frustum: "topsoil",
  irregular: "rubble",
};

/** Makes a pile that fills its slot, with what happens to it in later epochs. */
export function createPile(
  kind: PileShape["kind"],
  number: number,
  slot: Slot,
  random: Random,
): Pile {
  const reachM = slot.radiusM - RING_M;
  return {
    id: `pile-${number}`,
    material: MATERIALS[kind],
    centre: slot.centre,
    shape: createShape(kind, reachM, random),
    events: createEvents(kind, reachM, slot, random.fork("events")),
    reachM,
  };
}

/** Angles of repose are 33 to 38 degrees: dry sand to crushed stone. */
function createShape(kind: PileShape["kind"], reachM: number, random: Random): PileShape {
  const slope = Math.tan((random.uniform(33, 38) * Math.PI) / 180);
  switch (kind) {
    case "cone": {
      const radiusM = reachM * random.uniform(0.8, 0.9);
      return { kind, heightM: radiusM * slope, radiusM };
    }
    case "ridge": {
      const radiusM = reachM * random.uniform(0.62, 0.7);
      return {
        kind,
        heightM: radiusM * slope,
        radiusM,
        lengthM: 2 * (reachM - radiusM) * 0.95,
        azimuthRad: random.uniform(0, Math.PI),
      };
    }
    case "frustum": {
      const bottomRadiusM = reachM * random.uniform(0.85, 0.95);
      const topRadiusM = bottomRadiusM * random.uniform(0.4, 0.5);
      return { kind, heightM: (bottomRadiusM - topRadiusM) * slope, bottomRadiusM, topRadiusM };
    }
    case "irregular": {
      const cones = Array.from({ length: 6 }, (_, i) => {
        const radiusM = reachM * random.uniform(0.45, 0.65);
        const awayM = i === 0 ? 0 : (reachM - radiusM) * random.uniform(0.6, 1);
        const angle = (i * 2 * Math.PI) / 5 + random.uniform(-0.4, 0.4);
        return {
          eastM: awayM * Math.cos(angle),
          northM: awayM * Math.sin(angle),
          radiusM,
          heightM: radiusM * slope * random.uniform(0.75, 1),
        };
      });
      return { kind, cones, lumpiness: 0.1, seed: random.integer(1, 2 ** 30) };
    }
  }
}

/** Gravel and sand are taken, rubble is brought; topsoil is left alone as a control. */
function createEvents(
  kind: PileShape["kind"],
  reachM: number,
  slot: Slot,
  random: Random,
): PileEvent[] {
  const away = (share: number, angle: number) => ({
    eastM: slot.centre.eastM + reachM * share * Math.cos(angle),
    northM: slot.centre.northM + reachM * share * Math.sin(angle),
  });
  const from = random.uniform(0, 2 * Math.PI);
  const bite = (epoch: number, share: number, turn: number): PileEvent => ({
    kind: "bite",
    epoch,
    ...away(share, from + turn),
    radiusM: reachM * 0.45,
    heightM: 0,
  });
  switch (kind) {
    case "ridge":
      return [bite(2, 0.75, 0), bite(3, 0.75, 0.8)];
    case "cone":
      return [bite(3, 0.7, 0)];
    case "frustum":
      return [];
    case "irregular": {
      const radiusM = reachM * 0.42;
      return [2, 3].map((epoch) => ({
        kind: "heap" as const,
        epoch,
        ...away(0.56, from + epoch),
        radiusM,
        heightM: radiusM * 0.68,
      }));
    }
  }
}
