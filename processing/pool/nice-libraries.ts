import { readdirSync, readFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { isMainThread } from "node:worker_threads";

/** Name of the threads that libvips decodes and encodes in, as /proc has it: at most 15 characters. */
const LIBRARY_THREAD = "libvips worker";
/**
 * Time between two looks for new threads, ms: libvips keeps an idle one for 15 s, so only the first image of many finds
 * none. Longer leaves more of that image at the niceness of the event loop; a look takes some 0.05 ms.
 */
const LOOK_MS = 10;
/** A new thread has the name of the one that started it for a moment, so its own is read at so many looks. */
const LOOKS = 3;

const looksByThread = new Map<string, number>();

/**
 * Runs the work of a task while the threads that libvips starts for it are as nice as this one. They belong to the
 * process, and take their niceness from a thread of libuv, which has that of the event loop: without this, encoding
 * takes the core that answers requests. Does nothing on systems other than Linux, where niceness belongs to a process,
 * and on the event loop itself.
 */
export async function withNiceLibraries<T>(work: () => T | Promise<T>): Promise<T> {
  if (process.platform !== "linux" || isMainThread) return await work();
  const looking = setInterval(niceLibraries, LOOK_MS);
  try {
    return await work();
  } finally {
    clearInterval(looking);
  }
}

function niceLibraries(): void {
  const threads = readdirSync("/proc/self/task");
  const present = new Set(threads);
  // The number of a thread that ended may be given to another one.
  for (const thread of looksByThread.keys()) if (!present.has(thread)) looksByThread.delete(thread);
  for (const thread of threads) {
    const looks = looksByThread.get(thread) ?? 0;
    if (looks >= LOOKS) continue;
    looksByThread.set(thread, looks + 1);
    try {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, "latin1").trimEnd();
      if (name !== LIBRARY_THREAD) continue;
      // On Linux this is the niceness of a thread, here of the calling one.
      const niceness = getPriority();
      const number = Number(thread);
      if (getPriority(number) < niceness) setPriority(number, niceness);
      looksByThread.set(thread, LOOKS);
    } catch {
      // It ended meanwhile.
    }
  }
}
