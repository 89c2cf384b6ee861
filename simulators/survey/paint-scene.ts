import type { Crew } from "./crew.ts";
import type { UnpaintedScene } from "./scene/scene.ts";
import { BAND_ROWS } from "./scene/texture.ts";

/** Rows of nodes that one task paints. */
const PAINT_ROWS = 128;

/** Paints a scene's texture with a crew; `onProgress` gets the tasks done, of all. */
export async function paintScene(
  crew: Crew,
  { scene, paint, fill }: UnpaintedScene,
  onProgress: (done: number, of: number) => void,
): Promise<void> {
  const { size } = scene.heights;
  const strips = Array.from({ length: Math.ceil(size / PAINT_ROWS) }, (_, i) => i * PAINT_ROWS);
  const bands = (scene.texture.levels[0]?.size ?? 0) / BAND_ROWS;
  const of = strips.length + bands;
  let done = 0;
  const count = () => onProgress(++done, of);
  await Promise.all(
    strips.map(async (firstRow) => {
      const endRow = Math.min(size, firstRow + PAINT_ROWS);
      await crew.run("paint", { input: paint, firstRow, endRow });
      count();
    }),
  );
  await Promise.all(
    Array.from({ length: bands }, async (_, band) => {
      await crew.run("fill", { texture: scene.texture, input: fill, band });
      count();
    }),
  );
}
