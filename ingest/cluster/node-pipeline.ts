import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { ProjectId } from "../../domain/ids.ts";
import type { StrandedRecords } from "../../storage/ports/equipment/stranded.ts";
import type { Lease } from "../../storage/ports/platform/leases.ts";
import { Pipeline, type PipelineOptions } from "../pipeline/runner.ts";
import { createPipelineCounters, type PipelineCounters } from "../stages/stage.ts";
import { type StrandedFollower, startStrandedFollower } from "./stranded-follower.ts";

/**
 * Longest wait for what was acknowledged to be committed before shards are handed over, ms. Longer delays the next
 * owner of the shard; shorter leaves it more records to take over.
 */
const DRAIN_MS = 3_000;
const DRAIN_POLL_MS = 10;
/** Longest wait for the archive at the start, ms. Chosen: half a million readings. */
const ARCHIVE_MS = 30_000;

export interface NodePipelineOptions
  extends Omit<PipelineOptions, "node" | "onLeaseLost" | "counters" | "isRestart"> {
  readonly nodeId: string;
  readonly shardOf: (projectId: ProjectId) => number;
  readonly stranded: StrandedRecords;
  /**
   * Journal place up to which every node can read the telemetry: a re-run there must find what was
   * processed here. `undefined`: this node is the only one that can.
   */
  readonly archived: () => number | undefined;
  /** A commit was refused: leases are to be read now. Must not throw. */
  readonly onLeaseLost: () => void;
  readonly log: Logger;
}

/**
 * The pipeline of one of several nodes. A pipeline has its shards for life, so a change of shards is a
 * stop and a start; to everybody else it is one pipeline all the time.
 */
export class NodePipeline {
  readonly counters: PipelineCounters = createPipelineCounters();
  readonly #options: NodePipelineOptions;
  #pipeline: Pipeline | undefined;
  #follower: StrandedFollower | undefined;
  #committed = 0;
  #isLost = false;
  #wasStarted = false;
  #leases: readonly Lease[] = [];

  constructor(options: NodePipelineOptions) {
    this.#options = options;
  }

  /** Assets that wait for a re-run; the live state of all nodes' assets is in the record store. */
  get live(): Pick<Pipeline["live"], "late"> {
    return this.#pipeline?.live ?? { late: () => [] };
  }

  get committedSequence(): number {
    return this.#pipeline?.committedSequence ?? this.#committed;
  }

  get stalled(): string | undefined {
    if (this.#pipeline === undefined) return "pipeline waits for its shards";
    return this.#isLost ? "pipeline lost a shard and starts again" : this.#pipeline.stalled;
  }

  /** Whether it runs under exactly these leases. */
  runsUnder(leases: readonly Lease[]): boolean {
    if (this.#pipeline === undefined || this.#isLost) return false;
    const known = new Set(this.#leases);
    return known.size === leases.length && leases.every((lease) => known.has(lease));
  }

  /**
   * Waits until everything that was acknowledged up to now is committed, and readable by other nodes;
   * gives up after 3 s.
   */
  async drain(): Promise<void> {
    const target = this.#options.journal.syncedSequence;
    const untilMs = performance.now() + DRAIN_MS;
    while (this.#pipeline !== undefined && !this.#isLost && performance.now() < untilMs) {
      const isArchived = (this.#options.archived() ?? target) >= target;
      if (isArchived && this.#pipeline.committedSequence >= target) return;
      await delay(DRAIN_POLL_MS);
    }
  }

  /**
   * Before the first start: waits until other nodes can read what this one received before it died. What
   * it is about to hand over is late there, and a re-run must find all that was on time. Gives up after
   * 30 s: the archive may be away for long.
   */
  async waitForArchive(): Promise<void> {
    const { journal, archived, log } = this.#options;
    const target = journal.syncedSequence;
    const untilMs = performance.now() + ARCHIVE_MS;
    while ((archived() ?? target) < target) {
      if (performance.now() >= untilMs) {
        log.warn("telemetry of the last run is not in the archive yet; starting all the same");
        return;
      }
      await delay(DRAIN_POLL_MS);
    }
  }

  /** Commits what is under way and stops. */
  async stop(): Promise<void> {
    const pipeline = this.#pipeline;
    // First: what it takes over must be in the journal and out of the record store, or neither, before
    // anybody may put it aside again.
    await this.#follower?.stop();
    this.#follower = undefined;
    await pipeline?.stop();
    this.#committed = pipeline?.committedSequence ?? this.#committed;
    this.#pipeline = undefined;
  }

  /** Starts from this node's checkpoint with what the record store has of these shards. */
  async start(held: ReadonlyMap<number, Lease>): Promise<void> {
    const { nodeId, shardOf, stranded, onLeaseLost, archived: _, ...options } = this.#options;
    const leases = [...held.values()];
    const shards = [...held.keys()];
    this.#isLost = false;
    this.#leases = leases;
    const pipeline = await Pipeline.start({
      ...options,
      counters: this.counters,
      isRestart: this.#wasStarted,
      node: { id: nodeId, leases, shards, shardOf },
      onLeaseLost: () => {
        this.#isLost = true;
        onLeaseLost();
      },
    });
    this.#pipeline = pipeline;
    this.#wasStarted = true;
    this.#follower = startStrandedFollower({
      records: stranded,
      journal: options.journal,
      shards,
      log: options.log,
      now: options.now ?? Date.now,
    });
  }
}
