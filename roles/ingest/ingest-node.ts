import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { ArchiveWriter } from "../../ingest/archive/archive-writer.ts";
import type { TelemetryWriter } from "../../ingest/archive/telemetry-writer.ts";
import { followAssets } from "../../ingest/asset-state/followed-assets.ts";
import { LinkLog } from "../../ingest/broker/link-log.ts";
import { aloneSince } from "../../ingest/cluster/alone-since.ts";
import { IngestNode } from "../../ingest/cluster/ingest-node.ts";
import { NodePipeline } from "../../ingest/cluster/node-pipeline.ts";
import { shardOf } from "../../ingest/cluster/shards.ts";
import { UnarchivedHandover } from "../../ingest/cluster/unarchived-handover.ts";
import { createIntake } from "../../ingest/intake/intake.ts";
import { createCounters } from "../../ingest/intake/readings/counters.ts";
import { registerIngestMetrics } from "../../ingest/metrics.ts";
import { brokerAddress } from "../../ingest/remote-broker/address.ts";
import { REMOTE_COUNTERS } from "../../ingest/remote-broker/counters.ts";
import { EventPublisher } from "../../ingest/remote-broker/event-publisher.ts";
import { ShardSessions } from "../../ingest/remote-broker/shard-sessions.ts";
import { createReplay } from "../../ingest/replay/replay.ts";
import type { Stores } from "../../storage/open.ts";
import { openTenures } from "../../storage/tenures.ts";
import type { Common, Ingest, Start } from "../process/common.ts";
import { startDeviceLog } from "./device-log.ts";
import { startEventPublication } from "./event-publication.ts";
import { startFleetSources } from "./fleet-sources.ts";
import { startHttpIngest } from "./http-ingest.ts";
import { pipelineParts } from "./pipeline-parts.ts";

/**
 * The external broker as the fleet's limit: what one device sends too fast would hold up the
 * acknowledgements of its whole shard, so rates are the broker's business.
 */
const UNLIMITED = { deviceReadingsPerS: 1_000_000, deviceBurstReadings: 10_000_000 };

type NodeIngest = Pick<
  Ingest,
  "live" | "replay" | "messageView" | "health" | "fleetSourcesChanged" | "httpIngest"
>;

/** One ingest node of several: shards by lease, messages from the external broker. */
export async function startIngestNode(
  start: Start,
  common: Common,
  stores: Stores & { readonly nodeId: string },
  {
    writer,
    archiving,
  }: {
    readonly writer: TelemetryWriter;
    readonly archiving: Pick<ArchiveWriter, "archivedSequence"> | undefined;
  },
): Promise<NodeIngest> {
  const { settings, log, closers, metrics } = start;
  const { records, directory, fences } = common;
  const { journal, nodeId, tier } = stores;
  const address = await brokerAddress(settings);
  if (address === undefined) throw new Error("an ingest node without MQTT_URL");
  const counters = createCounters(REMOTE_COUNTERS);
  const shard = (projectId: ProjectId): number => shardOf(projectId, settings.shards);

  const publisher = new EventPublisher({ address, nodeId, log });
  closers.push(() => publisher.close());
  // What a gateway says of its devices and of itself; of other assets nothing is known.
  const links = new LinkLog({ journal, directory, now: Date.now, outliveUs: true });
  closers.push(() => links.close());
  // Log-ins over MQTT are the external broker's; the API notes those that it is asked about.
  const deviceLog = startDeviceLog(start, common);
  const { messages } = deviceLog;
  const intake = await createIntake({
    journal,
    directory,
    messages,
    settings: { ...settings, ...UNLIMITED },
    pepper: common.pepper,
    outlet: {
      links,
      followsSessions: false,
      command: (topic, payload) => publisher.command(topic, payload),
    },
  });
  closers.push(() => intake.close());
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
    address,
    intake,
    directory,
    journal,
    counters,
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
  publisher.start();
  await node.start();

  startEventPublication(start, common, { publisher, nodeId });
  const fleets = startFleetSources(start, common, { intake, holder: nodeId });
  const httpIngest = startHttpIngest(start, common, intake, deviceLog);
  // Assets of the other nodes too.
  const live = await followAssets({ changes: records.stateChanges, log });
  closers.push(() => live.stop());
  registerIngestMetrics(metrics, {
    journal,
    pipeline,
    writer,
    counts: () => ({
      ...intake.stats(),
      ...counters,
      ...sessions.gauges(),
      ...fleets.stats(),
      ...httpIngest.stats(),
      ...deviceLog.stats(),
      remote_shards: node.heldShards,
    }),
    gauges: [
      "held_bytes",
      "remote_sessions",
      "remote_sessions_ready",
      "remote_shards",
      "http_sessions",
      "http_unsettled",
      "connection_log_waiting",
    ],
  });
  return {
    live,
    replay: createReplay(journal, directory, settings),
    messageView: (assetId) => messages.view(assetId),
    fleetSourcesChanged: () => fleets.changed(),
    httpIngest,
    health: () => [
      ...(pipeline.stalled === undefined ? [] : [pipeline.stalled]),
      ...(node.nodes > 1 && tier === undefined
        ? ["several ingest nodes need INFLUX_URL: each keeps only what it received itself"]
        : []),
      ...sessions.troubles(),
    ],
  };
}
