import { hasScope, seesProject } from "../../api/auth/principal.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { isSecretOf } from "../../domain/platform/secret-hash.ts";
import { Broker, type BrokerOptions } from "../../ingest/broker/broker.ts";
import { createKeptSessions, type KeptSessions } from "../../ingest/broker/kept-sessions.ts";
import type { LinkLog } from "../../ingest/broker/link-log.ts";
import type { BrokerPorts } from "../../ingest/broker/listeners.ts";
import type { LinkFollower } from "../../ingest/broker/live-sessions.ts";
import type { ClientSessionClaims } from "../../ingest/client-sessions/client-session-claims.ts";
import { startMqttEvents } from "../../ingest/delivery/mqtt-events.ts";
import { startReaderPlaces } from "../../ingest/delivery/reader-places.ts";
import type { Intake } from "../../ingest/intake/intake.ts";
import type { ConversationOutlet } from "../../ingest/intake/readings/conversation-outlet.ts";
import type { LinkEnd } from "../../ingest/journal-record/link-change.ts";
import type { Common, Start } from "../process/common.ts";
import type { Commands } from "./commands.ts";
import type { DeviceLog } from "./device-log.ts";

/** The counts of an ingest process that go up and down. */
export const INGEST_GAUGES = [
  "command_links",
  "connection_log_waiting",
  "sessions",
  "readers",
  "held_bytes",
  "teltonika_sessions",
  "osmand_sessions",
  "http_sessions",
  "http_unsettled",
  "remote_sessions",
  "remote_sessions_ready",
];

/** The same of one of several processes that share a journal. */
export const SHARED_GAUGES = [...INGEST_GAUGES, "claimed_sessions", "partitions"];

/** Where the MQTT messages of devices come in: our own broker, or the connections to one of others. */
export interface MqttFront {
  /** Where our own broker listens; `undefined`: devices publish to another one. */
  readonly ports: BrokerPorts | undefined;
  /** For metrics. */
  stats(): Readonly<Record<string, number>>;
  /** Why messages do not come in; empty when they do. */
  troubles(): readonly string[];
}

/** Brings what follows from conversations to the broker, which opens later, and to the log of links. */
export class BrokerOutlet implements ConversationOutlet {
  readonly followsSessions = true;
  readonly links: ConversationOutlet["links"];
  readonly #sparkplug: Commands["sparkplug"];
  #send: ConversationOutlet["command"] = () => undefined;

  constructor(links: LinkLog, { sparkplug }: Pick<Commands, "sparkplug">) {
    this.#sparkplug = sparkplug;
    this.links = {
      opened: (assetId: AssetId) => links.opened(assetId),
      closed(assetId: AssetId, end: LinkEnd) {
        links.closed(assetId, end);
        sparkplug.gone(assetId);
      },
    };
  }

  /** Sets the function by which commands are sent; until then there is nobody to send them to. */
  sendBy(send: ConversationOutlet["command"]): void {
    this.#send = send;
  }

  command(topic: string, payload: Uint8Array): void {
    this.#send(topic, payload);
  }

  reported(...[nodeId, report]: Parameters<NonNullable<ConversationOutlet["reported"]>>): void {
    this.#sparkplug.reported(nodeId, report);
  }
}

interface OwnBrokerParts {
  readonly intake: Intake;
  /** Follows which assets have a session. */
  readonly links: LinkFollower;
  readonly deviceLog: DeviceLog;
  readonly commands: Commands;
  /** Which process has which session; `undefined`: this is the only one. */
  readonly sessionClaims: ClientSessionClaims | undefined;
}

/** Opens the broker that devices connect to, and publishes events after `eventsFrom` to its readers. */
export async function openOwnBroker(
  start: Start,
  common: Common,
  parts: OwnBrokerParts & { readonly outlet: BrokerOutlet; readonly eventsFrom: number },
): Promise<MqttFront> {
  const { log, closers } = start;
  const { feed, records } = common;
  const broker = await Broker.open({
    ...brokerParts(start, common, parts),
    onCommands: (send) => parts.outlet.sendBy(send),
  });
  closers.push(() => broker.close());
  const publish = (topic: string, payload: string) => broker.publish(topic, payload);
  const from = parts.eventsFrom;
  closers.push(startMqttEvents({ from, feed, events: records.events, publish, log }));
  return { ports: broker.ports, stats: () => broker.stats(), troubles: () => [] };
}

/** What the broker needs of the other parts. */
function brokerParts(start: Start, common: Common, parts: OwnBrokerParts): BrokerOptions {
  const { settings, log, tls, proxyProtocol } = start;
  const { directory, keyring, pepper } = common;
  const { intake, links, deviceLog, commands, sessionClaims } = parts;
  return {
    settings,
    tls,
    proxyProtocol,
    intake,
    directory,
    links,
    onConnection: deviceLog.onMqttConnection,
    verifySecret: (secret, hash) => isSecretOf(pepper, secret, hash),
    async authenticateReader(key) {
      const principal = await keyring.authenticate(key);
      if (principal === undefined || !hasScope(principal, "events:read")) return undefined;
      const { keyId } = principal;
      return { keyId, allows: (projectId) => seesProject(principal, projectId as ProjectId) };
    },
    keptSessions: openKeptSessions(start, common),
    commands: commands.mqtt,
    ...(sessionClaims === undefined ? {} : { sessionClaims }),
    log,
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
