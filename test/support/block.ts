import {
  compose,
  inverse,
  type Rotation,
  rotate,
  rotationFromVector,
  type Vector3,
} from "../../processing/geometry/rotation.ts";
import type { CameraPrior } from "../../processing/photogrammetry/camera/camera-prior.ts";
import { rotationFromGimbal } from "../../processing/photogrammetry/camera/gimbal-rotation.ts";
import type { VerifiedPair } from "../../processing/photogrammetry/matching/verified-pair.ts";
import { seededRandom } from "./seeded-random.ts";

export interface TrueCamera {
  readonly rotation: Rotation;
  readonly centre: Vector3;
}

/** Cameras 40 m above ground, 10 m apart, strips flown to and fro (yaw 20 and 200 degrees). */
export function flownBlock(columns: number, rows: number, pitchDeg = -90): readonly TrueCamera[] {
  return Array.from({ length: columns * rows }, (_, i) => {
    const row = Math.floor(i / columns);
    const column = row % 2 === 0 ? i % columns : columns - 1 - (i % columns);
    const yawDeg = row % 2 === 0 ? 20 : 200;
    return {
      rotation: rotationFromGimbal({ yawDeg, pitchDeg, rollDeg: 0 }),
      centre: [column * 10, row * 10, 40] as const,
    };
  });
}

/** Priors by tags with errors of 1 m and 2 degrees. */
export function taggedPriors(cameras: readonly TrueCamera[], seed: number): readonly CameraPrior[] {
  const random = seededRandom(seed);
  const error = (size: number) => size * (random() + random() + random() - 1.5) * 2;
  return cameras.map(({ rotation, centre: [x, y, z] }) => ({
    lens: 0,
    centre: [x + error(1), y + error(1), z + error(1)] as const,
    centreSigmaM: [1.5, 1.5, 2.5] as const,
    isRtk: false,
    rotation: compose(rotationFromVector([error(0.035), error(0.035), error(0.035)]), rotation),
    rotationSigmaRad: 0.06,
  }));
}

/** Verified pairs of all cameras up to 15 m apart, with rotations wrong by half a degree or so. */
export function truePairs(cameras: readonly TrueCamera[], seed: number): readonly VerifiedPair[] {
  const random = seededRandom(seed);
  const error = () => 0.01 * (random() - 0.5) * 2;
  return cameras.flatMap((a, first) =>
    cameras.flatMap((b, second) => {
      const [dx, dy, dz] = [0, 1, 2].map((k) => (b.centre[k] ?? 0) - (a.centre[k] ?? 0));
      const baseline = [dx ?? 0, dy ?? 0, dz ?? 0] as const;
      const length = Math.hypot(...baseline);
      if (second <= first || length > 15) return [];
      const [x, y, z] = rotate(a.rotation, baseline);
      return [
        {
          first,
          second,
          candidates: 120,
          matches: new Uint32Array(200),
          rotation: compose(
            rotationFromVector([error(), error(), error()]),
            compose(b.rotation, inverse(a.rotation)),
          ),
          direction: [x / length, y / length, z / length] as const,
        },
      ];
    }),
  );
}
