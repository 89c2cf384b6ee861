/** Those who wait for memory, in the order in which they came. */
export interface Line {
  readonly waiting: number;
  /**
   * Waits until it is one's turn and there is room.
   * @param admitNext of all lines that share the memory: called on joining, and on leaving early
   * @throws the signal's reason when it fires first
   */
  wait(bytes: number, signal: AbortSignal | undefined, admitNext: () => void): Promise<void>;
  /** Admits from the front as many as there is room for. */
  admitNext(): void;
}

export function createLine(options: {
  readonly fits: (bytes: number) => boolean;
  /** Called for each that is admitted. */
  readonly admit: (bytes: number) => void;
}): Line {
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
          // It may have been what the others waited behind.
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
