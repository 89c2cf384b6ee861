import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { LiveAssets } from "../../ingest/asset-state/asset-state.ts";
import { followAssets } from "../../ingest/asset-state/followed-assets.ts";
import { LinkLog } from "../../ingest/broker/link-log.ts";
import { aloneSince } from "../../ingest/cluster/alone-since.ts";
import { IngestNode } from "../../ingest/cluster/ingest-node.ts";
import { NodePipeline } from "../../ingest/cluster/node-pipeline.ts";
import { shardOf } from "../../ingest/cluster/shards.ts";
import { UnarchivedHandover } from "../../ingest/cluster/unarchived-handover.ts";
import { createIntake, type Intake } from "../../ingest/intake/intake.ts";
import { createCounters } from "../../ingest/intake/readings/counters.ts";
import { registerIngestMetrics } from "../../ingest/metrics.ts";
import { brokerAddress } from "../../ingest/remote-broker/address.ts";
import { REMOTE_COUNTERS } from "../../ingest/remote-broker/counters.ts";
import { EventPublisher } from "../../ingest/remote-broker/event-publisher.ts";
import {
  ShardSessions,
  type ShardSessionsOptions,
} from "../../ingest/remote-broker/shard-sessions.ts";
import { createReplay } from "../../ingest/replay/replay.ts";
import type { Stores } from "../../storage/open.ts";
import { openTenures } from "../../storage/tenures.ts";
import type { Common, Devices, Ingest, Start } from "../process/common.ts";
import { startDeviceLog } from "./device-log.ts";
import { DeviceParts } from "./device-parts.ts";
import { startEventPublication } from "./event-publication.ts";
import { startFleetSources } from "./fleet-sources.ts";
import { startHttpIngest } from "./http-ingest.ts";
import type { JournalReaders } from "./journal-readers.ts";
import { pipelineParts } from "./pipeline-parts.ts";

/**
 * The external broker as the fleet's limit: what one device sends too fast would hold up the
 * acknowledgements of its whole shard, so rates are the broker's business.
 */
const UNLIMITED = { deviceReadingsPerS: 1_000_000, deviceBurstReadings: 10_000_000 };

/** The stores of one ingest node of several. */
type NodeStores = Stores & { readonly nodeId: string };

/** What one ingest node of several consists of. */
interface NodeIngestParts {
  readonly readers: JournalReaders;
  readonly cluster: ClusterNode;
  /** Of the assets of all nodes. */
  readonly live: LiveAssets;
  readonly devices: Devices;
  /** Whether every node can read the telemetry of the others. */
  readonly hasArchive: boolean;
}

/** One ingest node of several: shards by lease, messages from the external broker. */
export class NodeIngest implements Ingest {
  readonly #parts: NodeIngestParts;

  static async start(
    start: Start,
    common: Common,
    stores: NodeStores,
    readers: JournalReaders,
  ): Promise<NodeIngest> {
    const { settings, log, closers, metrics } = start;
    const { records, directory } = common;
    const { journal, nodeId, tier } = stores;
    const address = await brokerAddress(settings);
    if (address === undefined) throw new Error("an ingest node without MQTT_URL");
    const counters = createCounters(REMOTE_COUNTERS);

    const publisher = new EventPublisher({ address, nodeId, log });
    closers.push(() => publisher.close());
    // What a gateway says of its devices and of itself; of other assets nothing is known.
    const links = new LinkLog({ journal, directory, now: Date.now, outliveUs: true });
    closers.push(() => links.close());
    // Log-ins over MQTT are the external broker's; the API notes those that it is asked about.
    const deviceLog = startDeviceLog(start, common);
    const intake = await createIntake({
      journal,
      directory,
      messages: deviceLog.messages,
      settings: { ...settings, ...UNLIMITED },
      pepper: common.pepper,
      outlet: {
        links,
        followsSessions: false,
        command: (topic, payload) => publisher.command(topic, payload),
      },
    });
    closers.push(() => intake.close());
    const connections = { address, intake, counters };
    const cluster = await openClusterNode(start, common, stores, readers, connections);
    publisher.start();
    await cluster.node.start();

    startEventPublication(start, common, { publisher, nodeId });
    const fleets = startFleetSources(start, common, { intake, holder: nodeId });
    const httpIngest = startHttpIngest(start, common, intake, deviceLog);
    // Assets of the other nodes too.
    const live = await followAssets({ changes: records.stateChanges, log });
    closers.push(() => live.stop());
    const replay = createReplay(journal, directory, settings);
    const devices = new DeviceParts({ intake, deviceLog, httpIngest, fleets, replay });
    registerIngestMetrics(metrics, {
      journal,
      pipeline: cluster.pipeline,
      writer: readers.writer,
      counts: () => ({
        ...devices.counts(),
        ...counters,
        ...cluster.sessions.gauges(),
        remote_shards: cluster.node.heldShards,
      }),
      gauges: GAUGES,
    });
    readers.useLive(live);
    return new NodeIngest({ readers, cluster, live, devices, hasArchive: tier !== undefined });
  }

  private constructor(parts: NodeIngestParts) {
    this.#parts = parts;
  }

  get live(): LiveAssets {
    return this.#parts.live;
  }

  get devices(): Devices {
    return this.#parts.devices;
  }

  refreshForwarders(): Promise<void> {
    return this.#parts.readers.refreshForwarders();
  }

  health(): readonly string[] {
    const { readers, hasArchive } = this.#parts;
    const { node, pipeline, sessions } = this.#parts.cluster;
    return [
      ...readers.health(),
      ...(pipeline.stalled === undefined ? [] : [pipeline.stalled]),
      ...(node.nodes > 1 && !hasArchive
        ? ["several ingest nodes need INFLUX_URL: each keeps only what it received itself"]
        : []),
      ...sessions.troubles(),
    ];
  }
}

/** The counts of a node that go up and down. */
const GAUGES = [
  "held_bytes",
  "remote_sessions",
  "remote_sessions_ready",
  "remote_shards",
  "http_sessions",
  "http_unsettled",
  "connection_log_waiting",
];

/** The shards of a node: who has them, what processes them, and what brings their messages. */
interface ClusterNode {
  readonly node: IngestNode;
  readonly pipeline: NodePipeline;
  readonly sessions: ShardSessions;
}

/** Makes the node that takes leases, once it is started, and what follows its shards. */
async function openClusterNode(
  start: Start,
  common: Common,
  stores: NodeStores,
  { writer, archiving }: Pick<JournalReaders, "writer" | "archiving">,
  connections: Pick<ShardSessionsOptions, "address" | "counters"> & { readonly intake: Intake },
): Promise<ClusterNode> {
  const { settings, log, closers } = start;
  const { records, directory, fences } = common;
  const { journal, nodeId, tier } = stores;
  const { intake } = connections;
  const shard = (projectId: ProjectId): number => shardOf(projectId, settings.shards);
  const archived = () => archiving?.archivedSequence;
  const pipeline = new NodePipeline({
    nodeId,
    shardOf: shard,
    stranded: records.stranded,
    archived,
    onLeaseLost: () => node.leaseLost(),
    ...pipelineParts(start, common, stores, writer),
  });
  const sessions = new ShardSessions({
    ...connections,
    directory,
    journal,
    shardOf: shard,
    mayConnect: () => node.holdsLeases && intake.accepting,
    now: Date.now,
    log,
  });
  const aloneSinceMs = (assetId: AssetId): number | undefined =>
    aloneSince(assetId, { node, directory, timeline: fences.timeline });
  const unarchived = new UnarchivedHandover({
    journal,
    archived,
    stranded: records.stranded,
    shardOf: (assetId, projectId) => shard(directory.find(assetId)?.project.id ?? projectId),
    aloneSinceMs,
    log,
  });
  closers.push(() => unarchived.stop());
  const node: IngestNode = new IngestNode({
    leases: records.leases,
    tenures: await openTenures(settings.dataDir),
    nodeId,
    shards: settings.shards,
    shardOf: shard,
    directory,
    unarchived,
    pipeline,
    sessions,
    log,
  });
  closers.push(() => node.stop());
  tier?.store.followAloneSince(aloneSinceMs);
  return { node, pipeline, sessions };
}
