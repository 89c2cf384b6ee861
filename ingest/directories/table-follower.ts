/**
 * How often changes made by other processes are polled for, ms. Larger: an asset, fence or plan that
 * another process wrote is unknown here for longer. Smaller: more reads that find nothing.
 */
const POLL_MS = 1_000;

/**
 * Keeps what is held in memory of tables up to date with the record store: reads what changed at the
 * start, at a call of `refresh`, and at every poll.
 */
export class TableFollower {
  readonly #read: () => Promise<void>;
  #running: Promise<void> | undefined;
  #again: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `read` takes in what has changed since it was called last; it never runs twice at a time. */
  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  /** The first read, and polls from then on. Rejects if the record store cannot be read. */
  async start(): Promise<void> {
    await this.refresh();
    this.#timer = setInterval(() => this.poll(), POLL_MS);
    this.#timer.unref();
  }

  /** One read at a time; a call during a read waits for the next one, which sees the caller's write. */
  refresh(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#read().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#again ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#again = undefined;
        return this.refresh();
      });
    return this.#again;
  }

  /** The record store may be away: what is known is used on, and the next poll catches up. */
  poll(): void {
    this.refresh().catch(() => undefined);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
