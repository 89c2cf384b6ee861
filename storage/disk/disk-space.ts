import { statfsSync } from "node:fs";
import { mibText, StorageShortage } from "../../domain/platform/storage-shortage.ts";
import { intakeMargin, intakeReserve } from "./reserve.ts";

/** Who asks for space; a label of the metrics. `record` is a row of the embedded database. */
export type DiskWriter =
  | "backup"
  | "file"
  | "image_cache"
  | "job"
  | "product"
  | "record"
  | "stage_cache"
  | "upload";

/** Space that was promised to one writer. */
export interface DiskGrant {
  /**
   * Asks for `bytes` more.
   * @throws StorageShortage `DISK_FULL`
   */
  grow(bytes: number): Promise<void>;
  /** Says that `bytes` of it are on the disk, where the file system counts them. */
  wrote(bytes: number): void;
  /** Gives back what was not written. May be called again. */
  release(): void;
}

/** Empties a cache, least recently used first, until it has freed `bytes`; yields what it freed. */
export type EmptyCache = (bytes: number) => Promise<number>;

/** What becomes of requests for space; for metrics and logs. Never throws. */
export interface DiskWatch {
  refused?(writer: DiskWriter, bytes: number): void;
  evicted?(bytes: number): void;
}

/**
 * Admission of all writers below the data folder other than intake. Intake stops at the reserve
 * (`MIN_FREE_DISK_BYTES`); everybody else stops at reserve + margin, so that no upload, product, cache or
 * backup can keep a device's message from being acknowledged.
 */
export interface DiskSpace {
  /**
   * Promises `bytes` to a writer, who must `release` the grant in the end. Caches are emptied first.
   * @throws StorageShortage `DISK_FULL`
   */
  reserve(writer: DiskWriter, bytes: number): Promise<DiskGrant>;
  /** What could be promised to a writer now without emptying a cache, bytes. */
  leftBytes(writer: DiskWriter): number;
  /** Adds a cache that may be emptied; they are asked in the order in which they were added. */
  addCache(empty: EmptyCache): void;
  watch(watch: DiskWatch): void;
  /** Free bytes, those promised and not yet written, and the free bytes that `file` writers leave. */
  stats(): {
    readonly freeBytes: number;
    readonly promisedBytes: number;
    readonly keptBytes: number;
  };
  /** The sum of all promises, to open the same disk in another thread. */
  readonly promises: SharedArrayBuffer;
}

/** Rows are small, and an installation that cannot write any cannot be repaired: they may use half the margin. */
const MARGIN_SHARE: Partial<Record<DiskWriter, number>> = { record: 0.5 };
/** Freed beyond what is asked for, bytes: else each of a row of uploads would walk the caches. */
const EVICT_MORE_BYTES = 64 * 1024 ** 2;
/** Caches that had nothing are not walked again for so long, ms. */
const EVICT_PAUSE_MS = 1_000;

export interface DiskSpaceOptions {
  /** A folder of the disk. */
  readonly dir: string;
  /** See `intakeReserve` and `intakeMargin`. */
  readonly minFreeBytes: number | undefined;
  readonly marginBytes: number | undefined;
  /** Of the same disk in another thread; absent: the first one. */
  readonly promises?: SharedArrayBuffer;
  /** Absent: of the operating system. */
  readonly space?: (dir: string) => { readonly freeBytes: number; readonly totalBytes: number };
}

/**
 * The admission of one disk. The order of its steps makes it exact among threads, without a lock: a
 * request is added to the promises before free space is read, so two that ask at once see each other; and
 * what is written leaves the promises only when the file system counts it. Other processes that write to
 * the same disk are not seen; they share the margin.
 */
class SharedDiskSpace implements DiskSpace {
  readonly promises: SharedArrayBuffer;
  readonly #options: DiskSpaceOptions;
  readonly #sum: BigInt64Array;
  readonly #caches: EmptyCache[] = [];
  readonly #watches: DiskWatch[] = [];
  #emptying: Promise<void> | undefined;
  #walkAgainMs = Number.NEGATIVE_INFINITY;

  constructor(options: DiskSpaceOptions) {
    this.#options = options;
    this.promises = options.promises ?? new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
    this.#sum = new BigInt64Array(this.promises);
  }

  async reserve(writer: DiskWriter, bytes: number): Promise<DiskGrant> {
    await this.#take(writer, bytes);
    let open = bytes;
    return {
      grow: async (more) => {
        await this.#take(writer, more);
        open += more;
      },
      wrote: (written) => {
        const counted = Math.min(open, written);
        open -= counted;
        this.#promise(-counted);
      },
      release: () => {
        this.#promise(-open);
        open = 0;
      },
    };
  }

  leftBytes(writer: DiskWriter): number {
    return Math.max(0, this.#leftBytes(writer, this.#promisedBytes()));
  }

  addCache(empty: EmptyCache): void {
    this.#caches.push(empty);
  }

  watch(watch: DiskWatch): void {
    this.#watches.push(watch);
  }

  stats(): ReturnType<DiskSpace["stats"]> {
    const { freeBytes, totalBytes } = this.#space();
    const promisedBytes = this.#promisedBytes();
    return { freeBytes, promisedBytes, keptBytes: this.#keptBytes("file", totalBytes) };
  }

  #space(): { readonly freeBytes: number; readonly totalBytes: number } {
    const { dir, space = spaceOf } = this.#options;
    return space(dir);
  }

  #promisedBytes(): number {
    return Number(Atomics.load(this.#sum, 0));
  }

  #promise(bytes: number): number {
    return Number(Atomics.add(this.#sum, 0, BigInt(Math.ceil(bytes)))) + Math.ceil(bytes);
  }

  /** Free bytes that a writer leaves to others. */
  #keptBytes(writer: DiskWriter, totalBytes: number): number {
    const { minFreeBytes, marginBytes } = this.#options;
    const reserveBytes = intakeReserve(totalBytes, minFreeBytes);
    return reserveBytes + intakeMargin(reserveBytes, marginBytes) * (MARGIN_SHARE[writer] ?? 1);
  }

  #leftBytes(writer: DiskWriter, promisedBytes: number): number {
    const { freeBytes, totalBytes } = this.#space();
    return freeBytes - promisedBytes - this.#keptBytes(writer, totalBytes);
  }

  #tryPromise(writer: DiskWriter, bytes: number): boolean {
    const promised = this.#promise(bytes);
    if (this.#leftBytes(writer, promised) >= 0) return true;
    this.#promise(-Math.ceil(bytes));
    return false;
  }

  async #emptyCaches(bytes: number): Promise<void> {
    let freed = 0;
    for (const empty of this.#caches) {
      if (freed >= bytes) break;
      // A cache that cannot be emptied must not refuse what another one makes room for.
      freed += await empty(bytes - freed).catch(() => 0);
    }
    if (freed === 0) this.#walkAgainMs = performance.now() + EVICT_PAUSE_MS;
    else for (const watch of this.#watches) watch.evicted?.(freed);
  }

  /** Makes room for `bytes`, one walk of the caches at a time. */
  async #makeRoom(writer: DiskWriter, bytes: number): Promise<void> {
    await this.#emptying;
    if (this.#caches.length === 0 || performance.now() < this.#walkAgainMs) return;
    const missing = bytes - this.#leftBytes(writer, this.#promisedBytes());
    if (missing <= 0) return;
    this.#emptying ??= this.#emptyCaches(missing + EVICT_MORE_BYTES).finally(() => {
      this.#emptying = undefined;
    });
    await this.#emptying;
  }

  async #take(writer: DiskWriter, bytes: number): Promise<void> {
    if (this.#tryPromise(writer, bytes)) return;
    await this.#makeRoom(writer, bytes);
    if (this.#tryPromise(writer, bytes)) return;
    for (const watch of this.#watches) watch.refused?.(writer, bytes);
    throw this.#shortage(writer, bytes);
  }

  #shortage(writer: DiskWriter, neededBytes: number): StorageShortage {
    const left = this.leftBytes(writer);
    const message = `the disk has room for ${mibText(left)} more, ${mibText(neededBytes)} are needed; the rest is kept for messages of devices`;
    return new StorageShortage("DISK_FULL", message, { neededBytes, leftBytes: left });
  }
}

/** Opens the admission of the disk that `dir` is on. */
export function openDiskSpace(options: DiskSpaceOptions): DiskSpace {
  return new SharedDiskSpace(options);
}

function spaceOf(dir: string) {
  const { bavail, blocks, bsize } = statfsSync(dir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** A disk that refuses nothing: for commands that have the machine to themselves. */
export const BOUNDLESS_DISK: DiskSpace = openDiskSpace({
  dir: ".",
  minFreeBytes: 0,
  marginBytes: 0,
  space: () => ({ freeBytes: Number.MAX_SAFE_INTEGER, totalBytes: 0 }),
});
