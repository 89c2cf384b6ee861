import { changeColours } from "../pictures/change-colour.ts";
import { encodeTile, type TileInput, tileHeights } from "./draw-tile.ts";

type Heights = Pick<TileInput, "mesh" | "format" | "blocks">;

/** What a tile of the change between two surfaces is drawn from. */
export interface ChangeInput {
  readonly before: Heights;
  readonly after: Heights;
  /** Pixels along an edge, of both meshes. */
  readonly size: number;
  /** Changes of up to so much are grey, metres. */
  readonly noiseM: number;
  /** Changes of so much have the darkest colour, metres. */
  readonly topM: number;
}

/**
 * A tile of what came and went between two surfaces as WebP: red removed, blue added, grey within the noise, clear
 * where one of them has no height. For tasks only. @throws DomainError `IMAGE_REFUSED` for a damaged block
 */
export async function drawChange(input: ChangeInput): Promise<Uint8Array> {
  const { size } = input;
  const before = tileHeights(input.before, 0);
  const after = tileHeights(input.after, 0);
  const colourOf = changeColours(input.noiseM, input.topM);
  const rgba = new Uint8Array(size * size * 4);
  for (let i = 0; i < size * size; i += 1) {
    const changeM = (after[i] ?? Number.NaN) - (before[i] ?? Number.NaN);
    if (Number.isNaN(changeM)) continue;
    const [red, green, blue] = colourOf(changeM);
    rgba[i * 4] = red;
    rgba[i * 4 + 1] = green;
    rgba[i * 4 + 2] = blue;
    rgba[i * 4 + 3] = 255;
  }
  return await encodeTile(rgba, size);
}
