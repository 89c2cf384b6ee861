import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { LiveAssets } from "../../ingest/asset-state/asset-state.ts";
import { followAssets } from "../../ingest/asset-state/followed-assets.ts";
import { Broker } from "../../ingest/broker/broker.ts";
import { LinkLog } from "../../ingest/broker/link-log.ts";
import type { BrokerPorts } from "../../ingest/broker/listeners.ts";
import type { LinkFollower } from "../../ingest/broker/live-sessions.ts";
import { shardOf } from "../../ingest/cluster/shards.ts";
import { startMqttEvents } from "../../ingest/delivery/mqtt-events.ts";
import { registerForwardingMetrics } from "../../ingest/forwarding/metrics.ts";
import type { HttpIngest } from "../../ingest/http/http-ingest.ts";
import { createSharedIntake } from "../../ingest/intake/intake.ts";
import {
  registerCommitTimes,
  registerEventCounts,
  registerJournalLag,
  registerPipelineMetrics,
} from "../../ingest/metrics.ts";
import { PartitionOwner } from "../../ingest/partitions/partition-owner.ts";
import { PartitionWorker } from "../../ingest/partitions/partition-worker.ts";
import { createRecordRouter } from "../../ingest/partitions/record-router.ts";
import { SharedFences } from "../../ingest/partitions/shared-fences.ts";
import { createReplay, type Replay } from "../../ingest/replay/replay.ts";
import { createPipelineCounters, type PipelineCounters } from "../../ingest/stages/stage.ts";
import type { SharedStores } from "../../storage/open-shared.ts";
import type { MessageView } from "../../storage/ports/equipment/device-log.ts";
import type { Common, DevicePorts, Ingest, Start } from "../process/common.ts";
import { BROKER_GAUGES, BrokerOutlet, brokerParts } from "./broker-parts.ts";
import { type Commands, startCommands } from "./commands.ts";
import { type DeviceLog, startDeviceLog } from "./device-log.ts";
import { type FleetSources, startFleetSources } from "./fleet-sources.ts";
import { forwardingParts } from "./forwarding.ts";
import { startHttpIngest } from "./http-ingest.ts";
import { startOsmand } from "./osmand.ts";
import { progressOfAll } from "./partition-forwarding.ts";
import { startTeltonika } from "./teltonika.ts";

/**
 * A device's session says nothing of those that it has at other processes: when it moves from one to another, the
 * end of the old one is noticed after the beginning of the new one.
 */
const NOT_FOLLOWED: LinkFollower = { opened: () => undefined, closed: () => undefined };

/** What one of several alike ingest processes consists of. */
interface SharedIngestParts {
  readonly journal: SharedStores["journal"];
  readonly owner: PartitionOwner;
  readonly commands: Commands;
  /** Of the assets of all processes. */
  readonly live: LiveAssets;
  readonly replay: Replay;
  readonly deviceLog: DeviceLog;
  readonly broker: Broker;
  readonly devicePorts: DevicePorts;
  readonly httpIngest: HttpIngest;
  readonly fleets: FleetSources;
}

/** One of several processes that take messages in for a journal that they share: devices connect to any of them. */
export class SharedIngest implements Ingest {
  readonly #parts: SharedIngestParts;

  static async start(start: Start, common: Common, stores: SharedStores): Promise<SharedIngest> {
    const { settings, log, closers, metrics } = start;
    const { records, pepper, directory, feed } = common;
    const { journal: shared, nodeId } = stores;
    const journal = createRecordRouter(shared);
    const commands = await startCommands(start, common);
    // Assets of the other processes, too.
    const live = await followAssets({ changes: records.stateChanges, log });
    closers.push(() => live.stop());
    const counters = createPipelineCounters();
    const owner = ownPartitions(start, common, stores, { live, counters });
    closers.push(() => owner.stop());

    const deviceLog = startDeviceLog(start, common);
    const { messages } = deviceLog;
    // What a gateway reports of the devices behind it.
    const links = new LinkLog({ journal, directory, now: Date.now, outliveUs: true });
    closers.push(() => links.close());
    const eventsFrom = feed.lastSequence;
    const outlet = new BrokerOutlet(links, commands);
    const { answers } = commands;
    const intake = createSharedIntake({
      journal,
      directory,
      settings,
      pepper,
      outlet,
      messages,
      answers,
    });
    closers.push(() => intake.close());
    const broker = await Broker.open({
      ...brokerParts(start, common, { intake, links: NOT_FOLLOWED, deviceLog, commands }),
      onCommands: (send) => outlet.sendBy(send),
    });
    closers.push(() => broker.close());
    const teltonika = await startTeltonika(start, common, intake, deviceLog, commands.codec12);
    const osmand = await startOsmand(start, common, intake, deviceLog);
    const httpIngest = startHttpIngest(start, common, intake, deviceLog);
    const fleets = startFleetSources(start, common, { intake, holder: nodeId });
    const publish = (topic: string, payload: string) => broker.publish(topic, payload);
    closers.push(startMqttEvents({ from: eventsFrom, feed, events: records.events, publish, log }));
    const counts = () => ({
      ...intake.stats(),
      ...broker.stats(),
      ...teltonika?.stats(),
      ...osmand?.stats(),
      ...httpIngest.stats(),
      ...fleets.stats(),
      ...deviceLog.stats(),
      ...commands.courier.stats(),
      partitions: owner.workers.length,
    });
    registerEventCounts(metrics, { counts, gauges: [...BROKER_GAUGES, "partitions"] });
    registerWorkerMetrics(start, stores, owner, counters);
    return new SharedIngest({
      journal: shared,
      owner,
      commands,
      live,
      replay: createReplay(journal, directory, settings),
      deviceLog,
      broker,
      devicePorts: {
        ...(teltonika === undefined ? {} : { teltonika: teltonika.port }),
        ...(osmand === undefined ? {} : { osmand: osmand.port }),
      },
      httpIngest,
      fleets,
    });
  }

  private constructor(parts: SharedIngestParts) {
    this.#parts = parts;
  }

  get live(): LiveAssets {
    return this.#parts.live;
  }

  get replay(): Replay {
    return this.#parts.replay;
  }

  get brokerPorts(): BrokerPorts {
    return this.#parts.broker.ports;
  }

  get devicePorts(): DevicePorts {
    return this.#parts.devicePorts;
  }

  get httpIngest(): HttpIngest {
    return this.#parts.httpIngest;
  }

  messageView(assetId: AssetId): MessageView {
    return this.#parts.deviceLog.messages.view(assetId);
  }

  fleetSourcesChanged(): void {
    this.#parts.fleets.changed();
  }

  commandAdded(assetId: AssetId): void {
    this.#parts.commands.courier.wake(assetId);
  }

  async refreshForwarders(): Promise<void> {
    const { workers } = this.#parts.owner;
    await Promise.all(workers.map(({ forwarding }) => forwarding.refresh()));
  }

  health(): readonly string[] {
    const { journal, owner } = this.#parts;
    return [...(journal.trouble === undefined ? [] : [journal.trouble]), ...owner.troubles()];
  }
}

/** Joins those that work on partitions. */
function ownPartitions(
  start: Start,
  common: Common,
  { journal, archive, nodeId }: SharedStores,
  { live, counters }: { readonly live: LiveAssets; readonly counters: PipelineCounters },
): PartitionOwner {
  const { log } = start;
  const { records, directory, fences, plans, feed } = common;
  const shard = (projectId: ProjectId): number => shardOf(projectId, journal.partitions);
  const parts = {
    journal,
    leases: records.leases,
    holder: nodeId,
    shardOf: shard,
    stranded: records.stranded,
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
    startWorker: (partition, onLost) => PartitionWorker.start(partition, parts, onLost),
    shardOf: shard,
    directory,
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
