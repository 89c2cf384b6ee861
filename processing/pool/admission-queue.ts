/** Tasks that wait for memory, first come first served. */
export interface AdmissionQueue {
  readonly waiting: number;
  /**
   * Waits for its turn and for room.
   * @param admitNext of all queues that share the memory: called on joining, and on leaving early
   * @throws the signal's reason when it fires first
   */
  wait(bytes: number, signal: AbortSignal | undefined, admitNext: () => void): Promise<void>;
  /** Admits from the front as many as there is room for. */
  admitNext(): void;
}

export function createAdmissionQueue(options: {
  readonly fits: (bytes: number) => boolean;
  /** Called for each that is admitted. */
  readonly admit: (bytes: number) => void;
}): AdmissionQueue {
  const { fits, admit } = options;
  const queue: { readonly bytes: number; readonly enter: () => void }[] = [];
  return {
    get waiting() {
      return queue.length;
    },
    async wait(bytes, signal, admitNext) {
      signal?.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          queue.splice(queue.indexOf(waiting), 1);
          reject(signal?.reason);
          // It may have blocked the others.
          admitNext();
        };
        const waiting = {
          bytes,
          enter() {
            signal?.removeEventListener("abort", leave);
            resolve();
          },
        };
        signal?.addEventListener("abort", leave, { once: true });
        queue.push(waiting);
        admitNext();
      });
    },
    admitNext() {
      for (let next = queue[0]; next !== undefined && fits(next.bytes); next = queue[0]) {
        queue.shift();
        admit(next.bytes);
        next.enter();
      }
    },
  };
}
