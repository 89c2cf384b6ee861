import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { ProjectId } from "../../domain/ids.ts";
import type { PartitionGroup, SharedJournal } from "../../storage/ports/shared-journal.ts";
import { followMoves } from "./follow-moves.ts";
import type { LogLayout } from "./log-layout.ts";
import type { PartitionWorker } from "./partition-worker.ts";

/** Pause before a partition that could not be started is tried again, ms. Longer leaves it without an owner; shorter asks stores that are away more often. */
const RETRY_MS = 1_000;
/**
 * How long a partition that another process has taken is left alone, ms, before it is taken back where the group
 * still says that it is ours. The group's next heartbeat says so within this time.
 */
const LOST_MS = 3_000;
/**
 * How long a process waits before it takes in an asset from another partition, ms. The owner of that one learns of
 * the move within a second, and commits the asset's state once more. Chosen: three polls.
 */
const MOVE_MS = 3_000;

type Worker = Pick<PartitionWorker, "isDue" | "stop" | "troubles">;

export interface PartitionOwnerOptions<W extends Worker> {
  readonly journal: Pick<SharedJournal, "join">;
  /** Starts to work on a partition; `onLost`: another process has taken it. */
  readonly startWorker: (partition: number, onLost: () => void) => Promise<W>;
  readonly layout: Pick<LogLayout, "homesOf" | "mayWork" | "onChange">;
  readonly directory: Parameters<typeof followMoves>[0];
  /** Whether what is evaluated here can be stored; absent: always. Else others are to have the partitions. */
  readonly isAble?: () => boolean;
  readonly log: Pick<Logger, "info" | "warn">;
}

/** Keeps the partitions that are worked on in step with those that the group assigns. */
export class PartitionOwner<W extends Worker = PartitionWorker> {
  readonly #options: PartitionOwnerOptions<W>;
  readonly #workers = new Map<number, W>();
  #wanted: ReadonlySet<number> = new Set();
  /** Partitions whose worker has to be replaced, and when the next may start, by the monotonic clock, ms. */
  readonly #renewed = new Map<number, number>();
  /** What is done with a partition, one after the other. */
  readonly #turns = new Map<number, Promise<void>>();
  readonly #problems = new Map<number, string>();
  readonly #followers: ((partitions: readonly number[]) => void)[] = [];
  readonly #stopping = new AbortController();
  readonly #unfollowMoves: () => void;
  readonly #group: PartitionGroup;

  constructor(options: PartitionOwnerOptions<W>) {
    this.#options = options;
    const { directory, layout } = options;
    const homesOf = (projectId: ProjectId) => layout.homesOf(projectId);
    this.#unfollowMoves = followMoves(directory, homesOf, (from, to) => {
      for (const partition of from) this.#renew(partition, 0);
      for (const partition of to) if (!from.includes(partition)) this.#renew(partition, MOVE_MS);
    });
    layout.onChange(() => this.#followLayout());
    this.#group = options.journal.join((partitions) => this.#assigned(partitions), options.isAble);
  }

  /** What works on the partitions of this process now. */
  get workers(): readonly W[] {
    return [...this.#workers.values()];
  }

  /**
   * Calls with the partitions that the group assigns to this process, now and at each change, whether they can be
   * worked on or not. It must not throw.
   */
  follow(listener: (partitions: readonly number[]) => void): void {
    this.#followers.push(listener);
    listener([...this.#wanted]);
  }

  /** Why partitions of this process are not worked on now; empty when they are. */
  troubles(): readonly string[] {
    const { trouble } = this.#group;
    return [
      ...(trouble === undefined ? [] : [trouble]),
      ...this.#problems.values(),
      ...this.workers.flatMap((worker) => worker.troubles()),
    ];
  }

  /** Stops all work in order; then others may have the partitions. */
  async stop(): Promise<void> {
    this.#unfollowMoves();
    this.#stopping.abort();
    for (const partition of this.#workers.keys()) this.#settle(partition);
    await Promise.all(this.#turns.values());
    await this.#group.leave();
  }

  #assigned(partitions: readonly number[]): void {
    this.#wanted = new Set(partitions);
    this.#options.log.info({ partitions: [...partitions] }, "partitions of this process");
    for (const partition of new Set([...partitions, ...this.#workers.keys()])) {
      this.#settle(partition);
    }
    for (const listener of this.#followers) listener(partitions);
  }

  /** Begins with partitions that may be worked on now, and hands over those that are due. */
  #followLayout(): void {
    for (const partition of this.#wanted) {
      const worker = this.#workers.get(partition);
      if (worker === undefined) this.#settle(partition);
      else if (worker.isDue()) this.#renew(partition, 0);
    }
  }

  /** The worker of a partition is to be replaced, the next one to start after so many ms. */
  #renew(partition: number, afterMs: number): void {
    if (!this.#wanted.has(partition)) return;
    const fromMs = performance.now() + afterMs;
    this.#renewed.set(partition, Math.max(fromMs, this.#renewed.get(partition) ?? 0));
    this.#settle(partition);
  }

  #settle(partition: number): void {
    const before = this.#turns.get(partition) ?? Promise.resolve();
    const turn = before
      .then(() => this.#step(partition))
      .catch((error: unknown) => this.#failed(partition, error));
    this.#turns.set(partition, turn);
  }

  #isWanted(partition: number): boolean {
    const isOurs = this.#wanted.has(partition) && !this.#stopping.signal.aborted;
    return isOurs && this.#options.layout.mayWork(partition);
  }

  async #step(partition: number): Promise<void> {
    const fromMs = this.#renewed.get(partition);
    this.#renewed.delete(partition);
    const worker = this.#workers.get(partition);
    if (worker !== undefined && (!this.#isWanted(partition) || fromMs !== undefined)) {
      this.#workers.delete(partition);
      await worker.stop();
    }
    if (fromMs !== undefined) await this.#pause(fromMs - performance.now());
    if (!this.#isWanted(partition)) {
      this.#problems.delete(partition);
      return;
    }
    if (this.#workers.has(partition)) return;
    const started = await this.#options.startWorker(partition, () =>
      // After the commit's own turn, whose failure is being dealt with.
      setImmediate(() => this.#renew(partition, LOST_MS)),
    );
    this.#problems.delete(partition);
    this.#workers.set(partition, started);
  }

  #failed(partition: number, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#problems.set(partition, `partition ${partition} cannot be worked on: ${reason}`);
    this.#options.log.warn({ err: error, partition }, "partition cannot be started; trying again");
    if (this.#isWanted(partition)) this.#renew(partition, RETRY_MS);
  }

  #pause(ms: number): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    return delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
