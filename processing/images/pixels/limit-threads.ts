import { sharp } from "./sharp.ts";

/**
 * Lets libvips work on one image in one thread, and keep none: each is used once, and the pool's threads are all the
 * parallelism there is. Holds for the process.
 */
export function limitThreads(): void {
  sharp.cache(false);
  sharp.concurrency(1);
}
