import { DomainError } from "../../domain/errors.ts";
import type { ImageFile } from "../images/files/image-file.ts";
import type { ImageResolver } from "../images/resolve-images.ts";

/** Images of a job as files of this machine, and why the others are not. */
export interface FetchedImages {
  readonly files: readonly ImageFile[];
  readonly refused: readonly string[];
}

/**
 * Fetches the images of a job; one that cannot be fetched does not end it. `onFetched` gets the share that is
 * done, 0 to 1.
 * @throws DomainError `IMAGE_REFUSED` with the first image's message when none can be fetched; what `signal`
 *   fires with; `STORE_UNAVAILABLE`.
 */
export async function fetchImages(
  resolver: ImageResolver,
  entries: readonly string[],
  options: { readonly signal: AbortSignal; readonly onFetched: (share: number) => void },
): Promise<FetchedImages> {
  const outcomes = await resolver.resolve(entries, {
    signal: options.signal,
    onFetched: (done) => options.onFetched(done / entries.length),
  });
  const refused = outcomes.flatMap((one) => ("refused" in one ? [one.refused] : []));
  const files = outcomes.flatMap((one) => ("value" in one ? [one.value] : []));
  const [first] = refused;
  if (files.length === 0 && first !== undefined) throw new DomainError("IMAGE_REFUSED", first);
  return { files, refused };
}
