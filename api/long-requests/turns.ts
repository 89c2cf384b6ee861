import { Refusal } from "../errors/refusal.ts";

/** Who waits for a piece of work. */
export interface WaitingClient {
  /** Whose turn it counts as: a key, a session or an address. */
  readonly caller: string;
  /** Fires when the client has gone. */
  readonly signal: AbortSignal;
}

/**
 * Lets so many pieces of work run at once; the others wait. Callers take turns, so that one who asks for a thousand
 * delays another by one piece of work; what one caller asks for is done in its order.
 */
export interface Turns {
  /**
   * Runs `work` when it is its turn, unless the client goes before.
   * @throws Refusal 503 while too many wait; the reason of the client's signal; what `work` throws
   */
  take<T>(client: WaitingClient, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  begin(): void;
  refuse(): void;
}

export function createTurns(limits: {
  /** In the plural, as `map tiles`. */
  readonly what: string;
  readonly atOnce: number;
  /** Of all callers together. Beyond it the caller who has most is refused the last one. */
  readonly mostWaiting: number;
}): Turns {
  const { what, atOnce, mostWaiting } = limits;
  /** Callers by turn, the next one first; each has something that waits. */
  const waitingByCaller = new Map<string, Set<Waiting>>();
  let waits = 0;
  let running = 0;

  function beginNext(): void {
    if (running >= atOnce) return;
    const [next] = waitingByCaller;
    if (next === undefined) return;
    const [caller, queue] = next;
    const [first] = queue;
    // Behind all others, if anything of it is left.
    waitingByCaller.delete(caller);
    waitingByCaller.set(caller, queue);
    if (first === undefined) return;
    remove(caller, first);
    running += 1;
    first.begin();
  }

  function add(caller: string, waiting: Waiting): void {
    const queue = waitingByCaller.get(caller) ?? new Set();
    queue.add(waiting);
    waitingByCaller.set(caller, queue);
    waits += 1;
  }

  function remove(caller: string, waiting: Waiting): void {
    const queue = waitingByCaller.get(caller);
    if (queue?.delete(waiting) !== true) return;
    waits -= 1;
    if (queue.size === 0) waitingByCaller.delete(caller);
  }

  /** Makes room for one more of a caller. @throws Refusal 503 if nobody has more than this caller */
  function makeRoom(caller: string): void {
    if (waits < mostWaiting) return;
    const own = waitingByCaller.get(caller)?.size ?? 0;
    let longest: readonly [string, Set<Waiting>] | undefined;
    for (const one of waitingByCaller) {
      if (one[1].size > (longest?.[1].size ?? own + 1)) longest = one;
    }
    const last = longest && [...longest[1]].at(-1);
    if (longest === undefined || last === undefined) throw refusal();
    remove(longest[0], last);
    last.refuse();
  }

  const refusal = () =>
    new Refusal(503, "unavailable", `${mostWaiting} ${what} are waiting; try again`);

  async function enter({ caller, signal }: WaitingClient): Promise<void> {
    signal.throwIfAborted();
    makeRoom(caller);
    await new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        begin() {
          signal.removeEventListener("abort", leave);
          resolve();
        },
        refuse() {
          signal.removeEventListener("abort", leave);
          reject(refusal());
        },
      };
      const leave = () => {
        remove(caller, waiting);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", leave, { once: true });
      add(caller, waiting);
      beginNext();
    });
  }

  return {
    async take(client, work) {
      await enter(client);
      try {
        return await work();
      } finally {
        running -= 1;
        beginNext();
      }
    },
  };
}
