import type {
  ControlTarget,
  ImageMark,
  ScaleBarTarget,
} from "../../processing/photogrammetry/orient/block/orientation.ts";
import { seededRandom } from "./seeded-random.ts";
import { minus, type Network, type Triple } from "./survey-network.ts";

/** Where control points of a block of 4 strips of 6 images lie: towards its corners, then its ends, east and north, metres. */
export const CORNERS = [
  [-16, -14],
  [16, 14],
  [16, -14],
  [-16, 14],
  [0, -16],
  [0, 16],
] as const;

/** What control points and bars are off by, metres, and what is declared of them. */
export interface MarkedError {
  readonly seed: number;
  readonly errorM: number;
  readonly sigmaM: number;
}

/** Marks that a person makes are this far off, pixels, one standard deviation. */
const MARK_ERROR_PX = 0.5;

/** Control points on the network's points nearest to the wanted places, marked in all images that show them. */
export function controlAt(
  network: Network,
  places: readonly (readonly [east: number, north: number])[],
  { seed, errorM, sigmaM }: MarkedError,
): readonly ControlTarget[] {
  const gauss = gaussian(seed);
  return places.map((place, i) => {
    const truth = nearest(network, place);
    const off = () => gauss() * errorM;
    return {
      name: `P${i}`,
      position: [truth[0] + off(), truth[1] + off(), truth[2] + off()],
      sigmaM: { horizontal: sigmaM, vertical: sigmaM },
      isCheck: false,
      marks: marksOf(network, truth, gauss),
    };
  });
}

/** A bar of 28 m across the block. @param factor by which its length is wrong */
export function barAcross(
  network: Network,
  { seed, errorM, sigmaM }: MarkedError,
  factor = 1,
): ScaleBarTarget {
  const gauss = gaussian(seed);
  const [from, to] = [nearest(network, [-14, -3]), nearest(network, [14, 3])];
  return {
    lengthM: factor * Math.hypot(...minus(from, to)) + gauss() * errorM,
    sigmaM,
    ends: [marksOf(network, from, gauss), marksOf(network, to, gauss)],
  };
}

function nearest({ points }: Network, [east, north]: readonly [number, number]): Triple {
  const away = ([x, y]: Triple) => Math.hypot(x - east, y - north);
  const [first, ...rest] = points;
  if (first === undefined) throw new RangeError("a network without points");
  return rest.reduce((best, point) => (away(point) < away(best) ? point : best), first);
}

function marksOf(network: Network, point: Triple, gauss: () => number): ImageMark[] {
  const off = () => gauss() * MARK_ERROR_PX;
  return network.cameras.flatMap((_, image) => {
    const pixel = network.see(image, point);
    return pixel ? [{ image, u: pixel[0] + off(), v: pixel[1] + off() }] : [];
  });
}

function gaussian(seed: number): () => number {
  const random = seededRandom(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
