import { DomainError } from "../../../domain/errors.ts";
import { type ImageOutcome, outcomeOf } from "../../images/image-outcome.ts";
import { READ_IMAGE } from "../../images/tasks.ts";
import type { SurveyImage } from "../../photogrammetry/camera/survey-image.ts";
import type { SurveyRun } from "./survey-run.ts";

const READ = { name: "image", version: 2 } as const;

/** The images of a survey that could be read, and the words for those that could not. */
export interface ReadSurvey {
  readonly images: readonly SurveyImage[];
  /** File of each of the images. */
  readonly paths: readonly string[];
  readonly refused: readonly string[];
}

/**
 * Reads tags and quality of every image, each content once ever.
 * @throws DomainError `IMAGE_REFUSED` with the first image's words when none can be read.
 */
export async function readSurvey(run: SurveyRun): Promise<ReadSurvey> {
  const { input, pool, signal } = run;
  let done = 0;
  const outcomes = await Promise.all(
    input.images.map(async (file): Promise<ImageOutcome<SurveyImage>> => {
      const outcome = await outcomeOf(file.name, () =>
        run.once(READ, [file.sha256], () => pool.run(READ_IMAGE, file, signal)),
      );
      done += 1;
      run.advance("images", done / input.images.length);
      // One content may have come under another name before.
      return "refused" in outcome
        ? outcome
        : { value: { ...outcome.value.value, name: file.name } };
    }),
  );
  const refused = outcomes.flatMap((outcome) => ("refused" in outcome ? [outcome.refused] : []));
  const read = outcomes.flatMap((outcome, i) =>
    "refused" in outcome ? [] : [{ image: outcome.value, path: input.images[i]?.path ?? "" }],
  );
  const [first] = refused;
  if (read.length === 0 && first !== undefined) throw new DomainError("IMAGE_REFUSED", first);
  return { images: read.map(({ image }) => image), paths: read.map(({ path }) => path), refused };
}
