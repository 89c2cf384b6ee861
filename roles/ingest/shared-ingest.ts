import type { AssetId } from "../../domain/ids.ts";
import type { LiveAssets } from "../../ingest/asset-state/asset-state.ts";
import { followAssets } from "../../ingest/asset-state/followed-assets.ts";
import { withReachable } from "../../ingest/broker/reachable-links.ts";
import { registerForwardingMetrics } from "../../ingest/forwarding/metrics.ts";
import { createSharedIntake } from "../../ingest/intake/intake.ts";
import {
  registerCommitTimes,
  registerEventCounts,
  registerJournalLag,
  registerPipelineMetrics,
} from "../../ingest/metrics.ts";
import { LogLayout } from "../../ingest/partitions/log-layout.ts";
import { PartitionOwner } from "../../ingest/partitions/partition-owner.ts";
import { PartitionWorker } from "../../ingest/partitions/partition-worker.ts";
import { createRecordRouter } from "../../ingest/partitions/record-router.ts";
import { SharedFences } from "../../ingest/partitions/shared-fences.ts";
import { createPipelineCounters, type PipelineCounters } from "../../ingest/stages/stage.ts";
import type { SharedStores } from "../../storage/open-shared.ts";
import type { Common, Devices, Ingest, Start } from "../process/common.ts";
import { SHARED_GAUGES } from "./broker-parts.ts";
import { claimSessions, giveUpSilentNodes } from "./client-sessions.ts";
import { startCommands } from "./commands.ts";
import { DeviceParts } from "./device-parts.ts";
import { forwardingParts } from "./forwarding.ts";
import { progressOfAll } from "./partition-forwarding.ts";
import type { OwnPartitions } from "./remote-broker.ts";

/**
 * How long a process may not reach the records before others are to have its partitions, ms: five beats. Longer leaves
 * records unevaluated; shorter moves partitions for a database that is slow.
 */
const UNABLE_MS = 10_000;

/** What one of several alike ingest processes consists of. */
interface SharedIngestParts {
  readonly journal: SharedStores["journal"];
  readonly owner: PartitionOwner;
  readonly layout: LogLayout;
  /** Of the assets of all processes. */
  readonly live: LiveAssets;
  readonly devices: DeviceParts;
}

/**
 * One of several processes that take messages in for a journal that they share: devices connect to any of them, or
 * publish to a broker of others, where the sessions go with the partitions.
 */
export class SharedIngest implements Ingest {
  readonly #parts: SharedIngestParts;

  static async start(start: Start, common: Common, stores: SharedStores): Promise<SharedIngest> {
    const { log, closers, metrics } = start;
    const layout = await LogLayout.open({
      journal: stores.journal,
      layouts: common.records.logLayouts,
      writer: stores.nodeId,
      log,
    });
    closers.push(() => layout.close());
    const journal = createRecordRouter(stores.journal, layout);
    const sessionClaims = await claimSessions(start, common, stores);
    const { isNewest } = sessionClaims;
    const commands = await startCommands(start, common, { isNewest });
    // Assets of the other processes, too.
    const live = await followAssets({ changes: common.records.stateChanges, log });
    closers.push(() => live.stop());
    const counters = createPipelineCounters();
    const isAble = () => sessionClaims.silentMs < UNABLE_MS;
    const owner = ownPartitions(start, common, stores, { live, counters, layout, isAble });
    closers.push(() => owner.stop());
    const devices = await DeviceParts.listen(start, common, {
      journal,
      commands,
      openIntake: (options) => createSharedIntake({ ...options, journal }),
      followSessions: withReachable,
      // Another process journals their ends.
      linksOutliveUs: true,
      onLinks: (links) => giveUpSilentNodes(start, common, { claims: sessionClaims, links }),
      name: stores.nodeId,
      sessionClaims,
      partitions: sessionsOf(owner, layout),
    });
    const counts = () => ({ ...devices.counts(), partitions: owner.workers.length });
    registerEventCounts(metrics, { counts, gauges: SHARED_GAUGES });
    registerWorkerMetrics(start, stores, owner, counters);
    return new SharedIngest({ journal: stores.journal, owner, layout, live, devices });
  }

  private constructor(parts: SharedIngestParts) {
    this.#parts = parts;
  }

  get live(): LiveAssets {
    return this.#parts.live;
  }

  get devices(): Devices {
    return this.#parts.devices;
  }

  async refreshForwarders(): Promise<void> {
    const { workers } = this.#parts.owner;
    await Promise.all(workers.map(({ forwarding }) => forwarding.refresh()));
  }

  health(): readonly string[] {
    const { journal, owner, layout, devices } = this.#parts;
    const shared = [journal.trouble, layout.trouble];
    return [
      ...shared.flatMap((trouble) => trouble ?? []),
      ...owner.troubles(),
      ...devices.troubles(),
    ];
  }
}

/**
 * The sessions at a broker of others are those of the partitions that the log began with, and each project stays in
 * its own: a session cannot be handed over in part, without messages that come twice or in another order.
 */
const sessionsOf = (owner: PartitionOwner, layout: LogLayout): OwnPartitions => ({
  partitionOf: (projectId) => layout.firstOf(projectId),
  follow: (listener) =>
    owner.follow((partitions) => listener(partitions.filter((one) => one < layout.first))),
});

/** Joins those that work on partitions. */
function ownPartitions(
  start: Start,
  common: Common,
  { journal, archive, nodeId }: SharedStores,
  parts: {
    readonly live: LiveAssets;
    readonly counters: PipelineCounters;
    readonly layout: LogLayout;
    readonly isAble: () => boolean;
  },
): PartitionOwner {
  const { log } = start;
  const { records, directory, fences, plans, feed } = common;
  const { live, counters, layout, isAble } = parts;
  const worker = {
    journal,
    leases: records.leases,
    holder: nodeId,
    layout,
    fences: new SharedFences(fences),
    pipeline: {
      records: records.pipeline,
      visits: records.visits,
      telemetry: archive,
      directory,
      plans,
      onEvents: () => feed.poke(),
      counters,
      log,
    },
    archiving: { archive, deadLetters: records.telemetryDeadLetters },
    forwarding: {
      ...forwardingParts(start, common),
      lastFix: (id: AssetId) => live.state(id)?.fix,
    },
    log,
  };
  return new PartitionOwner({
    journal,
    startWorker: (partition, onLost) => PartitionWorker.start(partition, worker, onLost),
    layout,
    directory,
    isAble,
    log,
  });
}

function registerWorkerMetrics(
  { metrics }: Pick<Start, "metrics">,
  { journal }: Pick<SharedStores, "journal">,
  owner: PartitionOwner,
  counters: PipelineCounters,
): void {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  registerJournalLag(metrics, () => {
    const behind = owner.workers.map((worker) => worker.behind);
    return {
      pipeline: sum(behind.map(({ pipeline }) => pipeline)),
      archive: sum(behind.map(({ archive }) => archive)),
    };
  });
  registerPipelineMetrics(metrics, {
    counters,
    live: { late: () => owner.workers.flatMap(({ pipeline }) => [...pipeline.live.late()]) },
  });
  registerCommitTimes(metrics, journal);
  const forwarding = {
    get progress() {
      return progressOfAll(owner.workers.map((worker) => worker.forwarding));
    },
  };
  registerForwardingMetrics(metrics, forwarding, Date.now);
}
