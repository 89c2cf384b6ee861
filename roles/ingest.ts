import { hasScope, seesProject } from "../api/auth/principal.ts";
import type { AssetId, ProjectId } from "../domain/ids.ts";
import { isSecretOf } from "../domain/platform/secret-hash.ts";
import { ArchiveWriter } from "../ingest/archive/archive-writer.ts";
import { registerArchiveMetrics } from "../ingest/archive/metrics.ts";
import { startTelemetryWriter } from "../ingest/archive/telemetry-writer.ts";
import type { LiveAssets } from "../ingest/asset-state/asset-state.ts";
import { Broker } from "../ingest/broker/broker.ts";
import { createKeptSessions, type KeptSessions } from "../ingest/broker/kept-sessions.ts";
import { LinkLog } from "../ingest/broker/link-log.ts";
import { withReachable } from "../ingest/broker/reachable-links.ts";
import { startMqttEvents } from "../ingest/delivery/mqtt-events.ts";
import { startReaderPlaces } from "../ingest/delivery/reader-places.ts";
import { createIntake } from "../ingest/intake/intake.ts";
import type { ConversationOutlet } from "../ingest/intake/readings/conversation-outlet.ts";
import type { LinkEnd } from "../ingest/journal-record/link-change.ts";
import { registerIngestMetrics } from "../ingest/metrics.ts";
import { Pipeline } from "../ingest/pipeline/runner.ts";
import { createReplay } from "../ingest/replay/replay.ts";
import type { Stores } from "../storage/open.ts";
import type { Journal } from "../storage/ports/journal.ts";
import { startCommands } from "./ingest/commands.ts";
import { startDeviceLog } from "./ingest/device-log.ts";
import { startFleetSources } from "./ingest/fleet-sources.ts";
import { startReadingForwarders } from "./ingest/forwarding.ts";
import { startHttpIngest } from "./ingest/http-ingest.ts";
import { startIngestNode } from "./ingest/ingest-node.ts";
import { claimIngest } from "./ingest/only-ingest.ts";
import { startOsmand } from "./ingest/osmand.ts";
import { pipelineParts } from "./ingest/pipeline-parts.ts";
import { startTeltonika } from "./ingest/teltonika.ts";
import type { Common, Ingest, Start } from "./process/common.ts";

/** Starts the readers of the journal, then intake and what brings messages to it. */
export async function startIngest(start: Start, common: Common, stores: Stores): Promise<Ingest> {
  const { settings, log, closers, metrics, tls } = start;
  const { records, pepper, directory, feed, keyring } = common;
  const { journal, telemetry } = stores;
  if (journal.recovery.cutBytes > 0) log.warn(journal.recovery, "journal tail was cut");
  const writer = startTelemetryWriter({
    journal,
    telemetry,
    retentionDays: settings.retentionDays,
    log,
  });
  closers.push(() => writer.stop());
  const archiving = startArchiving(start, stores, () => writer.writtenSequence);
  const storeTroubles = (): readonly string[] => [
    ...journalTrouble(journal),
    ...(writer.stalled === undefined ? [] : [writer.stalled]),
    ...(archiving?.alarm === undefined ? [] : [archiving.alarm]),
  ];
  let live: LiveAssets | undefined;
  // Before anything is taken in: it notes where the journal ends.
  const forwarding = startReadingForwarders(start, common, journal, (id) => live?.state(id)?.fix);
  const refreshForwarders = () => forwarding.refresh();
  // Beside an external broker it has no connections, and ends the commands whose time is over.
  const back = await startCommands(start, common);
  const { nodeId } = stores;
  if (nodeId !== undefined) {
    const node = await startIngestNode(start, common, { ...stores, nodeId }, { writer, archiving });
    live = node.live;
    const health = () => [...storeTroubles(), ...node.health()];
    const none = { brokerPorts: undefined, devicePorts: {}, commandAdded: () => undefined };
    return { ...node, ...none, refreshForwarders, health };
  }
  if (settings.databaseUrl !== undefined) await claimIngest(start, records, journal.id);
  const pipeline = await Pipeline.start(pipelineParts(start, common, stores, writer));
  closers.push(() => pipeline.stop());
  live = pipeline.live;

  const deviceLog = startDeviceLog(start, common);
  const links = new LinkLog({ journal, directory, now: Date.now });
  closers.push(() => links.close());
  const eventsFrom = feed.lastSequence;
  const commands = { send: (_topic: string, _payload: Uint8Array): void => undefined };
  const command = (topic: string, payload: Uint8Array) => commands.send(topic, payload);
  const outlet: ConversationOutlet = {
    links: {
      opened: (assetId: AssetId) => links.opened(assetId),
      closed(assetId: AssetId, end: LinkEnd) {
        links.closed(assetId, end);
        back.sparkplug.gone(assetId);
      },
    },
    followsSessions: true,
    command,
    reported: (nodeId, report) => back.sparkplug.reported(nodeId, report),
  };
  const { messages } = deviceLog;
  const { answers } = back;
  const intake = await createIntake({
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
    settings,
    tls,
    intake,
    directory,
    links: withReachable(links, intake),
    onConnection: deviceLog.onMqttConnection,
    verifySecret: (secret, hash) => isSecretOf(pepper, secret, hash),
    async authenticateReader(key) {
      const principal = await keyring.authenticate(key);
      if (principal === undefined || !hasScope(principal, "events:read")) return undefined;
      const { keyId } = principal;
      return { keyId, allows: (projectId) => seesProject(principal, projectId as ProjectId) };
    },
    keptSessions: openKeptSessions(start, common),
    commands: back.mqtt,
    onCommands(send) {
      commands.send = send;
    },
    log,
  });
  closers.push(() => broker.close());
  const teltonika = await startTeltonika(start, common, intake, deviceLog, back.codec12);
  const osmand = await startOsmand(start, common, intake, deviceLog);
  const httpIngest = startHttpIngest(start, common, intake, deviceLog);
  const fleets = startFleetSources(start, common, { intake, holder: undefined });
  closers.push(
    startMqttEvents({
      from: eventsFrom,
      feed,
      events: records.events,
      publish: (topic, payload) => broker.publish(topic, payload),
      log,
    }),
  );
  registerIngestMetrics(metrics, {
    journal,
    pipeline,
    writer,
    counts: () => ({
      ...intake.stats(),
      ...broker.stats(),
      ...teltonika?.stats(),
      ...osmand?.stats(),
      ...httpIngest.stats(),
      ...fleets.stats(),
      ...deviceLog.stats(),
      ...back.courier.stats(),
    }),
    gauges: [
      "command_links",
      "connection_log_waiting",
      "sessions",
      "readers",
      "held_bytes",
      "teltonika_sessions",
      "osmand_sessions",
      "http_sessions",
      "http_unsettled",
    ],
  });
  return {
    live: pipeline.live,
    replay: createReplay(journal, directory, settings),
    messageView: (assetId) => messages.view(assetId),
    fleetSourcesChanged: () => fleets.changed(),
    commandAdded: (assetId) => back.courier.wake(assetId),
    brokerPorts: broker.ports,
    devicePorts: {
      ...(teltonika === undefined ? {} : { teltonika: teltonika.port }),
      ...(osmand === undefined ? {} : { osmand: osmand.port }),
    },
    httpIngest,
    refreshForwarders,
    health: () => [
      ...storeTroubles(),
      ...(pipeline.stalled === undefined ? [] : [pipeline.stalled]),
    ],
  };
}

/** Keeps the places of MQTT readers that asked for a kept session. */
function openKeptSessions(
  { log, closers }: Pick<Start, "log" | "closers">,
  { records, feed, directory }: Pick<Common, "records" | "feed" | "directory">,
): KeptSessions {
  const { eventReaders, events } = records;
  const places = startReaderPlaces({ records: eventReaders, now: Date.now, log });
  closers.push(() => places.stop());
  return createKeptSessions({
    records: eventReaders,
    events,
    feed,
    directory,
    places,
    onError: (error) => log.warn({ err: error }, "events cannot be read for an MQTT session"),
    now: Date.now,
    log,
  });
}

/** Starts the transfer to InfluxDB where the settings name one. */
function startArchiving(
  { log, closers, metrics }: Start,
  { journal, records, tier }: Stores,
  localWritten: () => number,
): ArchiveWriter | undefined {
  if (tier === undefined) return undefined;
  const writer = new ArchiveWriter({
    journal,
    archive: tier.archive,
    local: tier.local,
    localWritten,
    deadLetters: records.telemetryDeadLetters,
    onArchived: (timeMs) => tier.store.archivedThrough(timeMs),
    log,
  });
  closers.push(() => writer.stop());
  registerArchiveMetrics(metrics, { journal, writer });
  return writer;
}

/** Why the journal takes no records now; nothing when it does. */
function journalTrouble(journal: Journal): readonly string[] {
  const { state } = journal;
  if (state === "open") return [];
  if (state !== "full") return [`journal has ${state}`];
  const freeMib = Math.floor(journal.stats().freeBytes / 1024 ** 2);
  return [
    `journal is full: ${freeMib} MiB free on its disk, less than the reserve and the next file need`,
  ];
}
