import { deviceFilters } from "../../domain/equipment/topics.ts";
import type { ProjectId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { ShardSession, type ShardSessionOptions } from "./shard-session.ts";
import { VendorTopicIndex } from "./vendor-topic-index.ts";

/** How often new projects are polled for, ms. */
const POLL_MS = 1_000;

export interface ShardSessionsOptions
  extends Omit<ShardSessionOptions, "shard" | "directory" | "vendorTopics"> {
  readonly directory: AssetDirectory;
  readonly shardOf: (projectId: ProjectId) => number;
}

/** The MQTT sessions of the shards that this node has, each subscribed to the shard's projects and their devices. */
export class ShardSessions {
  readonly #options: ShardSessionsOptions;
  readonly #vendorTopics: VendorTopicIndex;
  readonly #timer: NodeJS.Timeout;
  readonly #sessions = new Map<number, ShardSession>();
  readonly #shards = new Set<number>();

  constructor(options: ShardSessionsOptions) {
    this.#options = options;
    this.#vendorTopics = new VendorTopicIndex(options.directory);
    this.#timer = setInterval(() => this.#subscribe(), POLL_MS);
    this.#timer.unref();
  }

  /** Sessions that are open, and whether each has all its subscriptions. */
  gauges(): { readonly remote_sessions: number; readonly remote_sessions_ready: number } {
    const sessions = [...this.#sessions.values()];
    return {
      remote_sessions: sessions.length,
      remote_sessions_ready: sessions.filter(({ isReady }) => isReady).length,
    };
  }

  /** Why messages of some projects do not come in; empty when they do. */
  troubles(): readonly string[] {
    const sessions = [...this.#sessions.values()];
    const refused = sessions.flatMap(({ refusedFilters }) => refusedFilters);
    const waiting = sessions.filter(({ isReady }) => !isReady).length;
    if (refused.length > 0) {
      return [`the external broker refuses ${refused.length} subscriptions, ${refused[0]} first`];
    }
    if (waiting === 0) return [];
    return [`${waiting} of ${sessions.length} sessions at the external broker are not open`];
  }

  /** Has a session for each of these shards as soon as it has a project. */
  open(shards: Iterable<number>): void {
    for (const shard of shards) this.#shards.add(shard);
    this.#subscribe();
  }

  /** Ends the sessions of all other shards; what they had read is durable then, or comes again. */
  async keepOnly(shards: ReadonlySet<number>): Promise<void> {
    for (const shard of [...this.#shards]) if (!shards.has(shard)) this.#shards.delete(shard);
    const ending = [...this.#sessions].filter(([shard]) => !shards.has(shard));
    for (const [shard] of ending) this.#sessions.delete(shard);
    await Promise.all(ending.map(([, session]) => session.close()));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.keepOnly(new Set());
  }

  #subscribe(): void {
    const filters = new Map<number, Set<string>>();
    const add = (projectId: ProjectId, wanted: readonly string[]) => {
      const shard = this.#options.shardOf(projectId);
      if (!this.#shards.has(shard)) return;
      const ofShard = filters.get(shard) ?? new Set();
      filters.set(shard, ofShard);
      for (const filter of wanted) ofShard.add(filter);
    };
    for (const { id } of this.#options.directory.projects()) add(id, deviceFilters(id, "+"));
    for (const { asset, project } of this.#options.directory.entries()) {
      const ofVendor = this.#vendorTopics.filtersOf(asset.id);
      if (ofVendor.length > 0) add(project.id, ofVendor);
    }
    for (const [shard, ofShard] of filters) this.#session(shard).subscribe(ofShard);
    // A shard whose last project is gone.
    for (const [shard, session] of this.#sessions) {
      if (!filters.has(shard)) session.subscribe(new Set());
    }
  }

  #session(shard: number): ShardSession {
    const open = this.#sessions.get(shard);
    if (open !== undefined) return open;
    const session = new ShardSession({
      ...this.#options,
      vendorTopics: this.#vendorTopics,
      shard,
    });
    this.#sessions.set(shard, session);
    session.start();
    return session;
  }
}
