import type { ImageFile } from "../engine/port/engine.ts";
import type { SurveyImage } from "../photogrammetry/camera/survey-image.ts";
import type { SurveyPool } from "../pool/survey-pool.ts";
import { type ImageOutcome, outcomeOf } from "./image-outcome.ts";

/**
 * Reads a set of images in the pool, in the order of the files. A damaged or poisoned one is refused alone,
 * and the others go on. `onRead` gets how many are done.
 * @throws what `signal` fires with; GateRefusal `OUT_OF_MEMORY`.
 */
export async function readImages(
  pool: Pick<SurveyPool, "run">,
  files: readonly ImageFile[],
  options: { readonly signal: AbortSignal; readonly onRead?: (done: number) => void },
): Promise<readonly ImageOutcome<SurveyImage>[]> {
  const { signal, onRead = () => undefined } = options;
  let done = 0;
  return await Promise.all(
    files.map(async (file) => {
      const outcome = await outcomeOf(file.name, () => pool.run("read-image", file, signal));
      done += 1;
      onRead(done);
      return outcome;
    }),
  );
}
