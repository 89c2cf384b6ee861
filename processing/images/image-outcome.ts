import { DomainError } from "../../domain/errors.ts";

/** What came of one image of a set: something, or why not, in words that name it. */
export type ImageOutcome<T> = { readonly value: T } | { readonly refused: string };

/**
 * The outcome of work on one image: what is wrong with the image itself does not end the set, all else
 * does. A task that fails on it (`TASK_FAILED`: out of time, out of memory, crashed) is the image's
 * fault: others went through the same task.
 */
export async function outcomeOf<T>(name: string, work: () => Promise<T>): Promise<ImageOutcome<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "IMAGE_REFUSED") return { refused: error.message };
    if (error.code === "TASK_FAILED")
      return { refused: `${name} could not be read: ${error.message}` };
    throw error;
  }
}
