import type { Random } from "../../randomness/random.ts";
import { alongAndRight, type Place } from "../coordinates/place.ts";
import { forNodesWithin, type NodeFrame } from "./height-field.ts";

/** Distance of the two ruts of a wheel track and width of one, metres. */
const GAUGE_M = 1.9;
const RUT_M = 0.45;
/** How much of the light a rut keeps in its middle. By eye: darker looks like a trench, lighter is not seen. */
const RUT_TONE = 0.74;
/** Tracks for each 1,000 m2. */
const PER_1000_M2 = 2.2;

/**
 * Tone that wheel tracks leave on the ground, by node: 1 = untouched, less in ruts. Vehicles wander:
 * each track is a bent line with two ruts.
 */
export function createTracks(frame: NodeFrame, random: Random): Float32Array {
  const tone = new Float32Array(new SharedArrayBuffer(4 * frame.size * frame.size)).fill(1);
  const count = Math.round(((2 * frame.extentM) ** 2 / 1_000) * PER_1000_M2);
  for (let track = 0; track < count; track += 1) {
    let azimuthRad = random.uniform(0, 2 * Math.PI);
    let bend = random.uniform(-0.06, 0.06);
    let at: Place = {
      eastM: random.uniform(-frame.extentM, frame.extentM),
      northM: random.uniform(-frame.extentM, frame.extentM),
    };
    const depth = random.uniform(0.3, 1);
    const lengthM = random.uniform(10, 45);
    for (let awayM = 0; awayM < lengthM; awayM += frame.cellM) {
      at = alongAndRight(at, azimuthRad, frame.cellM, 0);
      azimuthRad += bend * frame.cellM;
      if (random.chance(0.01)) bend = random.uniform(-0.12, 0.12);
      for (const side of [-1, 1]) {
        const rut = alongAndRight(at, azimuthRad, 0, (side * GAUGE_M) / 2);
        forNodesWithin(frame, rut, RUT_M / 2, (node, eastM, northM) => {
          const off = Math.hypot(eastM - rut.eastM, northM - rut.northM) / (RUT_M / 2);
          if (off < 1) {
            tone[node] = Math.min(tone[node] ?? 1, 1 - depth * (1 - RUT_TONE) * (1 - off * off));
          }
        });
      }
    }
  }
  return tone;
}
