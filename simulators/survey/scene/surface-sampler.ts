import { type Solid, solidReachM, solidTopM } from "../site/solid.ts";
import { type HeightField, heightAtM, type NodeFrame } from "./height-field.ts";

/** The surface as the images show it: the terrain's patches and the solids' own shapes; `undefined` off the grid. */
export function createSurfaceSampler(
  solids: readonly Solid[],
  heights: NodeFrame & Pick<HeightField, "terrain">,
): (eastM: number, northM: number) => number | undefined {
  // Solids by 4 m cells, so that a place tests only its own few.
  const cell = 4;
  const near = new Map<string, Solid[]>();
  for (const solid of solids) {
    const reachM = solidReachM(solid);
    const range = (middle: number) => [
      Math.floor((middle - reachM) / cell),
      Math.floor((middle + reachM) / cell),
    ];
    const [west = 0, east = 0] = range(solid.centre.eastM);
    const [south = 0, north = 0] = range(solid.centre.northM);
    for (let x = west; x <= east; x += 1) {
      for (let y = south; y <= north; y += 1) {
        const key = `${x} ${y}`;
        near.set(key, [...(near.get(key) ?? []), solid]);
      }
    }
  }
  return (eastM, northM) => {
    let upM = heightAtM(heights, heights.terrain, eastM, northM);
    if (upM === undefined) return undefined;
    const close = near.get(`${Math.floor(eastM / cell)} ${Math.floor(northM / cell)}`) ?? [];
    for (const solid of close) upM = Math.max(upM, solidTopM(solid, eastM, northM));
    return upM;
  };
}
