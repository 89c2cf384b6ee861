import { GateRefusal } from "../gates/gates.ts";
import { createAdmissionQueue } from "./admission-queue.ts";

/** How much a pool has to do now. */
export interface PoolLoad {
  readonly running: number;
  readonly waiting: number;
  /** Memory promised to those that run, and held for longer than a task, bytes. */
  readonly usedBytes: number;
}

/** Who may run: so many at once, and all of them within so much memory. */
export interface Admission extends PoolLoad {
  /**
   * Waits for a place; the returned function gives it back. First come, first served, so small tasks do not
   * overtake a large one for ever. A single task is admitted however much memory is held: holders of memory
   * wait for tasks, so this prevents a deadlock.
   * @throws GateRefusal `OUT_OF_MEMORY` when `bytes` is more than there will ever be; the signal's
   * reason when it fires first.
   */
  enter(bytes: number, signal: AbortSignal | undefined): Promise<() => void>;
  /**
   * Waits for memory that many tasks share, such as the arrays of a survey; the returned function gives it
   * back. First come, first served, and before tasks. A holder must not wait for more.
   * @throws as `enter`
   */
  hold(bytes: number, signal: AbortSignal | undefined): Promise<() => void>;
}

const MIB = 1024 ** 2;

export function createAdmission(limits: {
  readonly places: number;
  readonly memoryBytes: number;
  /** Part of the memory that may be held. */
  readonly roomBytes: number;
  /** Called after every change. */
  readonly onLoad?: ((load: PoolLoad) => void) | undefined;
}): Admission {
  const { places, memoryBytes, roomBytes, onLoad } = limits;
  let running = 0;
  let promisedBytes = 0;
  let heldBytes = 0;

  const tasks = createAdmissionQueue({
    fits: (bytes) =>
      running === 0 || (running < places && promisedBytes + heldBytes + bytes <= memoryBytes),
    admit(bytes) {
      running += 1;
      promisedBytes += bytes;
    },
  });
  const holders = createAdmissionQueue({
    fits: (bytes) => heldBytes + bytes <= roomBytes,
    admit(bytes) {
      heldBytes += bytes;
    },
  });

  function admitNext(): void {
    holders.admitNext();
    tasks.admitNext();
    onLoad?.({ running, waiting: tasks.waiting, usedBytes: promisedBytes + heldBytes });
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return tasks.waiting;
    },
    get usedBytes() {
      return promisedBytes + heldBytes;
    },
    async enter(bytes, signal) {
      if (bytes > memoryBytes) throw tooLarge(bytes, memoryBytes);
      await tasks.wait(bytes, signal, admitNext);
      return () => {
        running -= 1;
        promisedBytes -= bytes;
        admitNext();
      };
    },
    async hold(bytes, signal) {
      if (bytes > roomBytes) throw tooLarge(bytes + memoryBytes - roomBytes, memoryBytes);
      await holders.wait(bytes, signal, admitNext);
      return () => {
        heldBytes -= bytes;
        admitNext();
      };
    },
  };
}

/** @param bytes what there would have to be */
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
