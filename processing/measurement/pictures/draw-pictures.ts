import { encodePng } from "../../images/pixels/encode.ts";
import { changeMap } from "./change-map.ts";
import { heightMap } from "./height-map.ts";
import { hillshadeMap } from "./hillshade-map.ts";
import { type PictureInput, planOf } from "./pile-plan.ts";

/** Pictures of a measured pile, PNG; north up, the longer edge of their map 1,000 pixels. */
export interface PilePictures {
  readonly hillshade: Uint8Array;
  /** Height above base as colours. */
  readonly heights: Uint8Array;
  /** Change since the previous epoch; `undefined`: there is none. */
  readonly change: Uint8Array | undefined;
}

/**
 * Draws the footprint and the ground around it. For tasks only: takes about a second. The same input gives
 * the same bytes; nothing of the machine (fonts) is used.
 * @throws RangeError when the polygon has fewer than three vertices
 */
export async function drawPictures(input: PictureInput): Promise<PilePictures> {
  const plan = planOf(input);
  return {
    hillshade: await encodePng(hillshadeMap(plan)),
    heights: await encodePng(heightMap(plan)),
    change:
      input.previous === undefined ? undefined : await encodePng(changeMap(plan, input.previous)),
  };
}
