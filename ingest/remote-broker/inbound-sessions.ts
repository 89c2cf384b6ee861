import { deviceFilters } from "../../domain/equipment/topics.ts";
import type { ProjectId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { InboundSession, type InboundSessionOptions } from "./inbound-session.ts";
import { VendorTopicIndex } from "./vendor-topic-index.ts";

/** How often new projects are polled for, ms. Longer leaves their first messages to nobody; shorter goes through all assets more often. */
const POLL_MS = 1_000;
/**
 * How long a filter stays after it is not wanted any more, ms: an asset's vendor topics may be another process's now,
 * which learns of that within a second. Longer gets messages in two sessions for longer; shorter in none for a while.
 */
const LEAVE_MS = 3_000;
/** The session of the only process: not one of those that several share, which hold only a part each. */
const ONLY = "plumbline-ingest";
/** Everything that devices publish on our topics. */
const EVERYTHING = deviceFilters("+", "+");

export interface InboundSessionsOptions
  extends Omit<InboundSessionOptions, "clientId" | "directory" | "vendorTopics"> {
  readonly directory: AssetDirectory;
  /** The session that a project is read by; absent: there is one session, which reads everything. */
  readonly partitionOf?: (projectId: ProjectId) => number;
  /** Default: {@link LEAVE_MS}. */
  readonly leaveMs?: number;
}

/**
 * The MQTT sessions that this process has at the external broker: the only one, or that of each partition which
 * is its own. The next owner of a partition gets what an earlier one had not acknowledged.
 */
export class InboundSessions {
  readonly #options: InboundSessionsOptions;
  readonly #vendorTopics: VendorTopicIndex;
  readonly #timer: NodeJS.Timeout;
  readonly #sessions = new Map<number, InboundSession>();
  readonly #closing = new Map<number, Promise<void>>();
  /** When each filter of a session was wanted last, by the monotonic clock, ms. */
  readonly #wantedMs = new Map<number, Map<string, number>>();

  constructor(options: InboundSessionsOptions) {
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

  /** Has the session that reads everything; where partitions have sessions, see {@link hold}. */
  holdOnly(): void {
    this.hold([0]);
  }

  /** Has the sessions of these partitions, and ends the others; what those had read is durable then, or comes again. */
  hold(partitions: readonly number[]): void {
    for (const partition of this.#sessions.keys()) {
      if (!partitions.includes(partition)) this.#end(partition);
    }
    for (const partition of partitions) {
      if (!this.#sessions.has(partition)) this.#begin(partition);
    }
    this.#subscribe();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.hold([]);
    await Promise.all(this.#closing.values());
  }

  #begin(partition: number): void {
    const { partitionOf, ...options } = this.#options;
    const clientId = partitionOf === undefined ? ONLY : `${ONLY}-${partition}`;
    const session = new InboundSession({ ...options, vendorTopics: this.#vendorTopics, clientId });
    this.#sessions.set(partition, session);
    // Before an earlier connection has said goodbye, this one would cut it.
    const closing = this.#closing.get(partition) ?? Promise.resolve();
    void closing.then(() => session.start());
  }

  #end(partition: number): void {
    const session = this.#sessions.get(partition);
    this.#sessions.delete(partition);
    this.#wantedMs.delete(partition);
    if (session === undefined) return;
    const before = this.#closing.get(partition) ?? Promise.resolve();
    const closing = Promise.all([before, session.close()]).then(() => {
      if (this.#closing.get(partition) === closing) this.#closing.delete(partition);
    });
    this.#closing.set(partition, closing);
  }

  #subscribe(): void {
    const { directory, partitionOf } = this.#options;
    const filters = new Map<number, Set<string>>();
    for (const partition of this.#sessions.keys()) {
      filters.set(partition, new Set(partitionOf === undefined ? EVERYTHING : []));
    }
    const add = (projectId: ProjectId, wanted: readonly string[]) => {
      const own = filters.get(partitionOf?.(projectId) ?? 0);
      if (own !== undefined) for (const filter of wanted) own.add(filter);
    };
    if (partitionOf !== undefined) {
      for (const { id } of directory.projects()) add(id, deviceFilters(id, "+"));
    }
    for (const { asset, project } of directory.entries()) {
      add(project.id, this.#vendorTopics.filtersOf(asset.id));
    }
    for (const [partition, own] of filters) {
      this.#sessions.get(partition)?.subscribe(this.#withLeft(partition, own));
    }
  }

  /** What is wanted now, and what was until a moment ago. */
  #withLeft(partition: number, wanted: ReadonlySet<string>): ReadonlySet<string> {
    const { leaveMs = LEAVE_MS } = this.#options;
    const nowMs = performance.now();
    const wantedMs = this.#wantedMs.get(partition) ?? new Map<string, number>();
    this.#wantedMs.set(partition, wantedMs);
    for (const filter of wanted) wantedMs.set(filter, nowMs);
    for (const [filter, atMs] of wantedMs) if (nowMs - atMs > leaveMs) wantedMs.delete(filter);
    return new Set(wantedMs.keys());
  }
}
