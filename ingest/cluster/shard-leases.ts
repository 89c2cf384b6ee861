import type { Logger } from "pino";
import type { Lease, Leases } from "../../storage/ports/platform/leases.ts";
import { shardLeaseName, shardOfLease } from "./shards.ts";

/** How often leases are renewed and others' are read, and how long they last without that, ms. */
const BEAT_MS = 2_000;
const TTL_MS = 8_000;
/**
 * How long before its end by our clock a lease is not believed in any more, ms. Smaller than the clocks differ,
 * and two nodes believe in one lease; larger gives up leases that could be renewed.
 */
const MARGIN_MS = 1_000;

export interface ShardLeasesOptions {
  readonly leases: Leases;
  readonly nodeId: string;
  /** How many shards there are. */
  readonly shards: number;
  readonly log: Pick<Logger, "warn">;
  /** Called when what is held, or what is to be given up, has changed. Must not throw. */
  readonly onChange: () => void;
  /** Monotonic clock, ms. */
  readonly now?: () => number;
}

/**
 * The shards of one ingest node. Each node takes free ones up to its fair share, `shards / nodes`
 * rounded up, and offers to give up what it has beyond that. The shards of a node that stops renewing
 * are taken over within its lease's 8 s and a beat of 2 s.
 */
export class ShardLeases {
  readonly #options: ShardLeasesOptions;
  readonly #now: () => number;
  #node: Lease | undefined;
  #held = new Map<number, Lease>();
  #surplus: readonly number[] = [];
  #nodes = 1;
  #renewedMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: ShardLeasesOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** The leases that were ours at the last beat, by shard. */
  get held(): ReadonlyMap<number, Lease> {
    return this.#held;
  }

  /** Shards that other nodes wait for; `giveUp` them once they are put in order. */
  get surplus(): readonly number[] {
    return this.#surplus;
  }

  /** Ingest nodes that were alive at the last beat, this one among them. */
  get nodes(): number {
    return this.#nodes;
  }

  /** Whether leases can still be ours: the last renewal is not too long ago. */
  get areValid(): boolean {
    return this.#now() - this.#renewedMs < TTL_MS - MARGIN_MS;
  }

  /** Beats once, then every 2 s until stopped. */
  async start(): Promise<void> {
    await this.beat();
    this.#timer = setInterval(() => void this.beat(), BEAT_MS);
  }

  /** Renews and reads the leases now; one beat at a time. Never rejects: the next beat tries again. */
  beat(): Promise<void> {
    this.#beating ??= this.#beat()
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error }, "shard leases cannot be renewed; trying again");
      })
      .finally(() => {
        this.#beating = undefined;
      });
    return this.#beating;
  }

  /** Lets other nodes have these shards now. */
  async giveUp(shards: Iterable<number>): Promise<void> {
    const given: Lease[] = [];
    for (const shard of shards) {
      const lease = this.#held.get(shard);
      if (lease !== undefined) given.push(lease);
      this.#held.delete(shard);
    }
    this.#surplus = this.#surplus.filter((shard) => this.#held.has(shard));
    await this.#options.leases.release(given);
  }

  /** Gives everything up and beats no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#beating;
    const all = [...this.#held.values(), ...(this.#node === undefined ? [] : [this.#node])];
    this.#held = new Map();
    await this.#options.leases.release(all);
  }

  async #beat(): Promise<void> {
    const { leases, nodeId, onChange } = this.#options;
    const startedMs = this.#now();
    const before = [...this.#held.values()];
    const kept = await leases.renew([...before, ...(this.#node ? [this.#node] : [])], TTL_MS);
    if (this.#isStopped) return;
    this.#renewedMs = startedMs;
    const keptNames = new Set(kept.map(({ name }) => name));
    // What was given up or taken meanwhile is not in question.
    const lost = [...this.#held].filter(
      ([, lease]) => before.includes(lease) && !keptNames.has(lease.name),
    );
    for (const [shard] of lost) this.#held.delete(shard);
    if (this.#node === undefined || !keptNames.has(this.#node.name)) {
      this.#node = await leases.acquire(`node/${nodeId}`, nodeId, TTL_MS);
    }
    const hasChanged = await this.#level();
    if ((lost.length > 0 || hasChanged) && !this.#isStopped) onChange();
  }

  /** Takes free shards, or names those that are too many. */
  async #level(): Promise<boolean> {
    const { leases, nodeId, shards } = this.#options;
    this.#nodes = Math.max(1, (await leases.held("node/")).length);
    const share = Math.ceil(shards / this.#nodes);
    const wasSurplus = this.#surplus.length;
    // The highest numbers: a node that is asked twice names the same.
    this.#surplus = [...this.#held.keys()].sort((a, b) => a - b).slice(share);
    const taken = await leases.held("shard/");
    const isElsewhere = new Set(
      taken.filter(({ holder }) => holder !== nodeId).map(({ name }) => shardOfLease(name)),
    );
    let acquired = 0;
    for (let shard = 0; shard < shards && this.#held.size < share; shard += 1) {
      if (isElsewhere.has(shard) || this.#held.has(shard) || this.#isStopped) continue;
      const lease = await leases.acquire(shardLeaseName(shard), nodeId, TTL_MS);
      if (lease === undefined) continue;
      this.#held.set(shard, lease);
      acquired += 1;
    }
    return acquired > 0 || this.#surplus.length !== wasSurplus;
  }
}
