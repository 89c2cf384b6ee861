import { GateRefusal } from "../photogrammetry/gates.ts";

/** How much a pool has to do now. */
export interface PoolLoad {
  readonly running: number;
  readonly waiting: number;
  /** Memory promised to those that run, bytes. */
  readonly usedBytes: number;
}

/** Who may run: so many at once, and all of them within so much memory. */
export interface Admission extends PoolLoad {
  /**
   * Waits for a place; what it yields gives the place back. First come, first served: a large task is
   * not passed over by small ones for ever.
   * @throws GateRefusal `OUT_OF_MEMORY` when `bytes` is more than there will ever be; the signal's
   * reason when it fires first.
   */
  enter(bytes: number, signal: AbortSignal | undefined): Promise<() => void>;
}

interface Waiting {
  readonly bytes: number;
  readonly admit: () => void;
}

const MIB = 1024 ** 2;

export function createAdmission(limits: {
  readonly places: number;
  readonly memoryBytes: number;
  /** Told after every change. */
  readonly onLoad?: ((load: PoolLoad) => void) | undefined;
}): Admission {
  const { places, memoryBytes, onLoad } = limits;
  const queue: Waiting[] = [];
  let running = 0;
  let usedBytes = 0;

  function admitNext(): void {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      if (running >= places || usedBytes + next.bytes > memoryBytes) break;
      queue.shift();
      running += 1;
      usedBytes += next.bytes;
      next.admit();
    }
    onLoad?.({ running, waiting: queue.length, usedBytes });
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return queue.length;
    },
    get usedBytes() {
      return usedBytes;
    },
    async enter(bytes, signal) {
      signal?.throwIfAborted();
      if (bytes > memoryBytes) throw tooLarge(bytes, memoryBytes);
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          queue.splice(queue.indexOf(waiting), 1);
          reject(signal?.reason);
          // It may have been what the others waited behind.
          admitNext();
        };
        const waiting: Waiting = {
          bytes,
          admit() {
            signal?.removeEventListener("abort", leave);
            resolve();
          },
        };
        signal?.addEventListener("abort", leave, { once: true });
        queue.push(waiting);
        admitNext();
      });
      return () => {
        running -= 1;
        usedBytes -= bytes;
        admitNext();
      };
    },
  };
}

function tooLarge(bytes: number, memoryBytes: number): GateRefusal {
  return new GateRefusal({
    gate: "OUT_OF_MEMORY",
    severity: "reject",
    value: Math.ceil(bytes / MIB),
    threshold: Math.floor(memoryBytes / MIB),
    unit: "MiB",
    advice: "Give fewer or smaller images, or raise WORKER_MEMORY_MIB.",
    images: [],
  });
}
