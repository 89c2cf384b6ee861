import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Connection,
  findCoordinatorV4,
  heartbeatV4,
  joinGroupV9,
  leaveGroupV5,
  syncGroupV5,
} from "@platformatic/kafka";
import type { BrokerLink } from "./broker-link.ts";
import type { KafkaCluster } from "./cluster.ts";
import {
  assignPartitions,
  decodeMember,
  decodePartitions,
  encodeMember,
  encodePartitions,
  GROUP_PROTOCOL,
} from "./group-protocol.ts";
import { codesOf, KAFKA_ERROR, reasonOf } from "./response-codes.ts";

/**
 * How long a member that says nothing is waited for, ms. Longer leaves the partitions of a dead process without
 * an owner; shorter takes them from one that is only busy. Brokers want 6 s at least, unless told otherwise.
 */
const SESSION_MS = 10_000;
/** How often a member says that it is there, ms: three of them may get lost in a session. */
const HEARTBEAT_MS = 2_500;
/** How long the group waits for its members when one comes or goes, ms. Longer delays everybody for one that hangs; shorter leaves a slow one out. */
const REBALANCE_MS = 10_000;
/** Longest wait for an answer, ms; of a join until all members are there. */
const ANSWER_MS = 5_000;
const RETRY_MS = 500;
/** Kind of a key that a coordinator is asked for (kafka.apache.org/protocol, FindCoordinator). */
const OF_GROUP = 0;

export interface GroupMemberOptions {
  readonly cluster: KafkaCluster;
  readonly group: string;
  /** How many there are now. When their number rises the group shares them out again. */
  readonly partitions: () => number;
  /**
   * Called with the partitions that are this member's from now on, at each change; none when the group may have
   * given them to others. Must not throw.
   */
  readonly onAssigned: (partitions: readonly number[]) => void;
  /** Whether this process can work on partitions now. When that changes it joins the group once more to say so. */
  readonly isAble: () => boolean;
}

/**
 * A member of a consumer group (KIP-62) that shares out the partitions of one topic. It keeps no offsets there:
 * the place of a partition is stored with what its records changed.
 *
 * The assignment is a hint: this process may be paused for longer than its session. What must not be done by two
 * is fenced where it is stored.
 */
export class GroupMember {
  readonly #options: GroupMemberOptions;
  /** A broker that waits for other members answers nothing else on the same connection. */
  readonly #purpose = `member ${randomUUID()}`;
  readonly #stopping = new AbortController();
  #memberId = "";
  #generation = -1;
  #has: readonly number[] = [];
  /** What the group was told last. */
  #saidAble = true;
  /** How many partitions this member shared out, as the group's leader; `undefined`: it is not the leader. */
  #sharedOut: number | undefined;
  /** Until when the group takes this member for one that is there, by the monotonic clock, ms. */
  #memberUntilMs = 0;
  #link: BrokerLink | undefined;
  #trouble: string | undefined = "the group of Kafka's consumers is not joined yet";
  readonly #following: Promise<void>;

  constructor(options: GroupMemberOptions) {
    this.#options = options;
    this.#following = this.#follow();
  }

  /** Why this process may have no partitions, or `undefined`. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Leaves the group, so that others need not wait for the end of the session. Its partitions are to be put in order before. */
  async leave(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
    if (this.#memberId !== "") {
      await this.#ask((connection) =>
        leaveGroupV5.api.async(connection, this.#options.group, [{ memberId: this.#memberId }]),
      ).catch(() => undefined);
    }
  }

  async #follow(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        if (this.#generation < 0 || this.#hasMore() || this.#hasChanged()) await this.#join();
        else await this.#beat();
        this.#trouble = undefined;
        await this.#pause(HEARTBEAT_MS);
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#failed(error);
        // A group that changes is joined again at once: all members wait for each other.
        if (!codesOf(error).some((code) => AT_ONCE.has(code))) await this.#pause(RETRY_MS);
      }
    }
  }

  #failed(error: unknown): void {
    const codes = codesOf(error);
    if (codes.includes(KAFKA_ERROR.memberIdRequired)) {
      this.#memberId = memberIdOf(error);
      return;
    }
    if (codes.some((code) => REJOIN.has(code))) this.#generation = -1;
    if (codes.some((code) => FORGOTTEN.has(code))) {
      this.#memberId = "";
      this.#lose();
    }
    if (codes.includes(KAFKA_ERROR.rebalanceInProgress)) return;
    this.#trouble = `the group of Kafka's consumers: ${reasonOf(error)}`;
    // Another broker may be its coordinator now.
    this.#link = undefined;
    if (performance.now() > this.#memberUntilMs) {
      this.#generation = -1;
      this.#lose();
    }
  }

  /** A group shares out again when its leader joins once more (KIP-62: as for a topic that has changed). */
  #hasMore(): boolean {
    return this.#sharedOut !== undefined && this.#options.partitions() > this.#sharedOut;
  }

  #hasChanged(): boolean {
    return this.#options.isAble() !== this.#saidAble;
  }

  #lose(): void {
    if (this.#has.length === 0) return;
    this.#has = [];
    this.#options.onAssigned([]);
  }

  async #join(): Promise<void> {
    const { group, partitions, onAssigned, isAble } = this.#options;
    const { type, name } = GROUP_PROTOCOL;
    const self = { has: this.#has, isAble: isAble() };
    const joined = await this.#ask(
      (connection) =>
        joinGroupV9.api.async(
          connection,
          ...([group, SESSION_MS, REBALANCE_MS, this.#memberId, null, type] as const),
          [{ name, metadata: encodeMember(self) }],
          "",
        ),
      REBALANCE_MS + ANSWER_MS,
    );
    this.#memberId = joined.memberId ?? this.#memberId;
    this.#saidAble = self.isAble;
    const isLeader = joined.leader === this.#memberId;
    const members = joined.members.map(({ memberId, metadata }) => ({
      id: memberId,
      ...decodeMember(metadata),
    }));
    const count = partitions();
    this.#sharedOut = isLeader ? count : undefined;
    const assigned = isLeader ? [...assignPartitions(members, count)] : [];
    const beganMs = performance.now();
    const synced = await this.#ask(
      (connection) =>
        syncGroupV5.api.async(
          connection,
          ...([group, joined.generationId, this.#memberId, null, type, name] as const),
          assigned.map(([memberId, own]) => ({ memberId, assignment: encodePartitions(own) })),
        ),
      REBALANCE_MS + ANSWER_MS,
    );
    this.#generation = joined.generationId;
    this.#memberUntilMs = beganMs + SESSION_MS;
    this.#has = decodePartitions(synced.assignment);
    onAssigned(this.#has);
  }

  async #beat(): Promise<void> {
    const beganMs = performance.now();
    await this.#ask((connection) =>
      heartbeatV4.api.async(
        connection,
        ...([this.#options.group, this.#generation, this.#memberId, null] as const),
      ),
    );
    this.#memberUntilMs = beganMs + SESSION_MS;
  }

  async #ask<T>(
    ask: (connection: Connection) => Promise<T>,
    timeoutMs: number = ANSWER_MS,
  ): Promise<T> {
    this.#link ??= await this.#findCoordinator();
    return await this.#link.call(ask, timeoutMs);
  }

  async #findCoordinator(): Promise<BrokerLink> {
    const { cluster, group } = this.#options;
    const { coordinators } = await cluster.askAny((connection) =>
      findCoordinatorV4.api.async(connection, OF_GROUP, [group]),
    );
    const found = coordinators.find(({ key }) => key === group);
    if (found === undefined || found.port <= 0) throw new Error("there is no coordinator now");
    return cluster.link({ host: found.host, port: found.port }, this.#purpose);
  }

  #pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

/** Answers after which the group is joined again. */
const REJOIN: ReadonlySet<number> = new Set([
  KAFKA_ERROR.illegalGeneration,
  KAFKA_ERROR.unknownMemberId,
  KAFKA_ERROR.rebalanceInProgress,
]);
/** Answers that say that the group went on without this member. */
const FORGOTTEN: ReadonlySet<number> = new Set([
  KAFKA_ERROR.illegalGeneration,
  KAFKA_ERROR.unknownMemberId,
]);
const AT_ONCE: ReadonlySet<number> = new Set([...REJOIN, KAFKA_ERROR.memberIdRequired]);

/** The id that the group gives to a new member, which joins again under it. */
function memberIdOf(error: unknown): string {
  const { response } = error as { readonly response?: { readonly memberId?: string | null } };
  return response?.memberId ?? "";
}
