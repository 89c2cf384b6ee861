import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { ProjectId } from "../../domain/ids.ts";
import type { Lease, Leases } from "../../storage/ports/platform/leases.ts";
import type { Tenures } from "../../storage/tenures.ts";
import type { ShardSessions } from "../remote-broker/shard-sessions.ts";
import { followMoves } from "./follow-moves.ts";
import type { NodePipeline } from "./node-pipeline.ts";
import { ShardLeases } from "./shard-leases.ts";
import type { UnarchivedHandover } from "./unarchived-handover.ts";

/**
 * Pause before a failed change of shards is tried again, ms. Longer leaves shards without an owner; shorter asks a
 * store that is down more often.
 */
const RETRY_MS = 1_000;
/**
 * How long a node waits before it takes in an asset from another node's shard, ms. That node learns of
 * the move within a second, and commits the asset's state once more. Chosen: three polls.
 */
const MOVE_MS = 3_000;

export interface IngestNodeOptions {
  readonly leases: Leases;
  readonly tenures: Tenures;
  readonly nodeId: string;
  readonly shards: number;
  readonly shardOf: (projectId: ProjectId) => number;
  readonly directory: Parameters<typeof followMoves>[0];
  readonly pipeline: Pick<
    NodePipeline,
    "waitForArchive" | "runsUnder" | "drain" | "stop" | "start"
  >;
  readonly unarchived: Pick<UnarchivedHandover, "begin">;
  readonly sessions: Pick<ShardSessions, "keepOnly" | "open" | "close">;
  readonly log: Logger;
  readonly now?: () => number;
}

/**
 * Keeps pipeline and MQTT sessions in step with the leases. A shard is taken in this order: lease,
 * pipeline, session; and given up in the reverse. So no message is read that no pipeline here
 * processes, and what was acknowledged is committed before the next owner loads the shard's state.
 */
export class IngestNode {
  readonly #options: IngestNodeOptions;
  readonly #leases: ShardLeases;
  readonly #unfollowMoves: () => void;
  #isChanged = false;
  /** Shards that the pipeline was started with last. */
  #running: readonly number[] = [];
  /** The pipeline is to be restarted though its leases are the same: an asset came or went. */
  #mustReload = false;
  #arrivedMs = Number.NEGATIVE_INFINITY;
  #wake: () => void = () => undefined;
  #isStopped = false;
  #following: Promise<void> = Promise.resolve();

  constructor(options: IngestNodeOptions) {
    this.#options = options;
    const { leases, nodeId, shards, log, directory, shardOf } = options;
    const onChange = () => this.#poke();
    this.#leases = new ShardLeases({ leases, nodeId, shards, log, onChange });
    this.#unfollowMoves = followMoves(directory, shardOf, (from, to) => {
      const { held } = this.#leases;
      if (held.has(from) === held.has(to)) return;
      if (held.has(to)) this.#arrivedMs = performance.now();
      this.#mustReload = true;
      this.#poke();
    });
  }

  /** Whether messages may be asked for: no other node can have our shards. */
  get holdsLeases(): boolean {
    return this.#leases.areValid;
  }

  /** Ingest nodes that are alive, this one among them. */
  get nodes(): number {
    return this.#leases.nodes;
  }

  get heldShards(): number {
    return this.#leases.held.size;
  }

  /** Whether this node processes the project. */
  owns(projectId: ProjectId): boolean {
    return this.#leases.held.has(this.#options.shardOf(projectId));
  }

  /**
   * Since when no other node has received anything of the project, ms by this machine's clock; survives
   * a restart. `undefined`: another node has it, or may have.
   */
  aloneSinceMs(projectId: ProjectId): number | undefined {
    const lease = this.#leases.held.get(this.#options.shardOf(projectId));
    if (lease === undefined || !this.#leases.areValid) return undefined;
    return this.#options.tenures.sinceMs(lease);
  }

  /** Reads the leases for the first time and starts with the free shards. */
  async start(): Promise<void> {
    // First: the archive lets the journal go on.
    await this.#options.unarchived.begin();
    await this.#options.pipeline.waitForArchive();
    await this.#leases.start();
    await this.#adjust();
    this.#following = this.#follow();
  }

  /** Reads the leases now: a commit says that one is gone. */
  leaseLost(): void {
    // After the commit's own turn, whose failure is being dealt with.
    setImmediate(() => {
      void this.#leases.beat().then(() => this.#poke());
    });
  }

  /** Gives everything up in order; other nodes take it at their next poll. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unfollowMoves();
    this.#wake();
    await this.#following;
    const { pipeline, sessions } = this.#options;
    await sessions.close();
    await pipeline.drain();
    await pipeline.stop();
    await this.#leases.stop();
  }

  #poke(): void {
    this.#isChanged = true;
    this.#wake();
  }

  async #follow(): Promise<void> {
    while (!this.#isStopped) {
      if (!this.#isChanged) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      this.#isChanged = false;
      try {
        await this.#adjust();
      } catch (error) {
        this.#options.log.error({ err: error }, "shards cannot be changed; trying again");
        this.#isChanged = true;
        await delay(RETRY_MS);
      }
    }
  }

  /** Shards go to other nodes, which may not be able to read all that was processed here yet. */
  #leave(): void {
    const { unarchived, log } = this.#options;
    unarchived.begin().catch((error: unknown) => {
      log.warn({ err: error }, "the journal cannot be searched for readings that are not archived");
    });
  }

  /** Makes what runs fit what is held. */
  async #adjust(): Promise<void> {
    const { pipeline, sessions, tenures, log, now = Date.now } = this.#options;
    const surplus = new Set(this.#leases.surplus);
    const target = new Map<number, Lease>(
      [...this.#leases.held].filter(([shard]) => !surplus.has(shard)),
    );
    if (pipeline.runsUnder([...target.values()]) && !this.#mustReload) return;
    this.#mustReload = false;
    const startedMs = performance.now();
    await sessions.keepOnly(new Set(target.keys()));
    await pipeline.drain();
    await pipeline.stop();
    await this.#leases.giveUp(surplus);
    if ([...this.#running].some((shard) => !target.has(shard))) this.#leave();
    this.#running = [...target.keys()];
    await delay(Math.max(0, this.#arrivedMs + MOVE_MS - performance.now()));
    await tenures.taken([...target.values()], now());
    await pipeline.start(target);
    sessions.open(target.keys());
    const tookMs = Math.round(performance.now() - startedMs);
    log.info({ shards: target.size, givenUp: surplus.size, tookMs }, "shards of this node");
  }
}
