import type { Logger } from "pino";
import type { Leases } from "../../storage/ports/platform/leases.ts";
import type { PartitionJournal, SharedJournal } from "../../storage/ports/shared-journal.ts";
import { ArchiveWriter, type ArchiveWriterOptions } from "../archive/archive-writer.ts";
import { startingSequence } from "../events/journal-gap.ts";
import { Forwarding, type ForwardingOptions } from "../forwarding/forwarding.ts";
import { Pipeline, type PipelineOptions } from "../pipeline/runner.ts";
import { partitionPrefix } from "../pipeline/territory.ts";
import type { LogLayout } from "./log-layout.ts";
import { partitionPipeline } from "./partition-pipeline.ts";
import { createPassOn } from "./pass-on.ts";
import type { FenceView, SharedFences } from "./shared-fences.ts";

/** Requests at the same time to the archive: other partitions send as well. */
const LANES = 1;

export interface PartitionWorkerOptions {
  readonly journal: Pick<SharedJournal, "openPartition" | "append" | "state" | "partitions">;
  readonly leases: Pick<Leases, "seize">;
  /** Who this process is. */
  readonly holder: string;
  readonly layout: Pick<LogLayout, "enter" | "isDue" | "put">;
  readonly fences: SharedFences;
  readonly pipeline: Omit<
    PipelineOptions,
    "journal" | "share" | "onLeaseLost" | "telemetryWritten" | "fences"
  >;
  readonly archiving: Pick<ArchiveWriterOptions, "archive" | "deadLetters">;
  readonly forwarding: Omit<ForwardingOptions, "journal">;
  readonly log: Logger;
  readonly now?: () => number;
}

/**
 * All that one process does with one partition that is its own: the pipeline, the transfer to the archive, and
 * forwarding. What the pipeline commits is fenced: a process that does not know yet that it lost the partition
 * stores nothing.
 */
export class PartitionWorker {
  readonly partition: number;
  readonly pipeline: Pipeline;
  readonly archiving: ArchiveWriter;
  readonly forwarding: Forwarding;
  /** Whether it is to be stopped and started again to hand the partition over to the newest layout. */
  readonly isDue: () => boolean;
  readonly #journal: PartitionJournal;
  readonly #fences: FenceView;

  /**
   * Takes the partition from whoever had it and goes on where the last commit ended. `onLost` is called when a
   * commit is refused because another process has taken it: nothing more is stored then.
   * @throws DomainError `STORE_UNAVAILABLE`.
   */
  static async start(
    partition: number,
    options: PartitionWorkerOptions,
    onLost: () => void,
  ): Promise<PartitionWorker> {
    const { journal: shared, leases, holder, layout, log } = options;
    const { now = Date.now } = options;
    const journal = await shared.openPartition(partition);
    const fences = options.fences.openView();
    let archiving: ArchiveWriter | undefined;
    try {
      const id = partitionPipeline(journal.id);
      // First: what the former owner commits later is refused, so that what is loaded next is the newest.
      const lease = await leases.seize(id, holder);
      const checkpoint = await options.pipeline.records.checkpoint(id);
      const { sequence } = startingSequence(journal, checkpoint, "records");
      const prefix = partitionPrefix(partition);
      const owned = { partition, lease, journal, committed: sequence - 1, prefix };
      const { version, partitionOf, inherited } = await layout.enter(owned);
      const archive = new ArchiveWriter({
        ...options.archiving,
        journal,
        onArchived: () => undefined,
        log,
        lanes: LANES,
      });
      archiving = archive;
      const put: LogLayout["put"] = (projectId) => layout.put(projectId, version);
      const passOn = createPassOn({ journal: shared, put, journalId: journal.id, now });
      const pipeline = await Pipeline.start({
        ...options.pipeline,
        journal,
        fences,
        telemetryWritten: () => archive.archivedSequence,
        share: { id, leases: [lease], partition, partitionOf, passOn, inherited },
        onLeaseLost: onLost,
      });
      const forwarding = new Forwarding({ ...options.forwarding, journal });
      const followed = { journal, fences };
      const isDue = () =>
        layout.isDue(version, { partition, journal, committed: pipeline.committedSequence });
      return new PartitionWorker({
        partition,
        pipeline,
        archiving,
        forwarding,
        isDue,
        ...followed,
      });
    } catch (error) {
      fences.end();
      await archiving?.stop();
      await journal.close();
      throw error;
    }
  }

  private constructor(parts: {
    readonly partition: number;
    readonly journal: PartitionJournal;
    readonly fences: FenceView;
    readonly pipeline: Pipeline;
    readonly archiving: ArchiveWriter;
    readonly forwarding: Forwarding;
    readonly isDue: () => boolean;
  }) {
    this.partition = parts.partition;
    this.pipeline = parts.pipeline;
    this.archiving = parts.archiving;
    this.forwarding = parts.forwarding;
    this.isDue = parts.isDue;
    this.#journal = parts.journal;
    this.#fences = parts.fences;
  }

  /** Records that are not evaluated yet, and those that are not in the archive. */
  get behind(): { readonly pipeline: number; readonly archive: number } {
    const { syncedSequence } = this.#journal;
    return {
      pipeline: syncedSequence - this.pipeline.committedSequence,
      archive: syncedSequence - this.archiving.archivedSequence,
    };
  }

  /** Why its records are not evaluated or stored now; empty when they are. */
  troubles(): readonly string[] {
    const found = [this.#journal.trouble, this.pipeline.stalled, this.archiving.alarm];
    return found.flatMap((text) =>
      text === undefined ? [] : [`partition ${this.partition}: ${text}`],
    );
  }

  /** Commits what was evaluated, and stops. */
  async stop(): Promise<void> {
    const stopping = [this.forwarding.stop(), this.archiving.stop(), this.pipeline.stop()];
    // While the brokers are away, reads in flight would wait for them.
    await this.#journal.close();
    await Promise.all(stopping);
    this.#fences.end();
  }
}
