import type { AssetId } from "../../domain/ids.ts";
import { LinkLog } from "../../ingest/broker/link-log.ts";
import type { BrokerPorts } from "../../ingest/broker/listeners.ts";
import type { LinkFollower } from "../../ingest/broker/live-sessions.ts";
import type { ClientSessionClaims } from "../../ingest/client-sessions/client-session-claims.ts";
import type { HttpIngest } from "../../ingest/http/http-ingest.ts";
import type { Intake } from "../../ingest/intake/intake.ts";
import type { SharedIntakeOptions } from "../../ingest/intake/intake-options.ts";
import type { OsmandServer } from "../../ingest/osmand/server.ts";
import { brokerAddress } from "../../ingest/remote-broker/address.ts";
import { createReplay, type Replay } from "../../ingest/replay/replay.ts";
import type { TeltonikaServer } from "../../ingest/teltonika/server.ts";
import type { MessageView } from "../../storage/ports/equipment/device-log.ts";
import type { JournalWriter } from "../../storage/ports/journal.ts";
import type { Common, DevicePorts, Devices, Start } from "../process/common.ts";
import { BrokerOutlet, type MqttFront, openOwnBroker } from "./broker-parts.ts";
import type { Commands } from "./commands.ts";
import { type DeviceLog, startDeviceLog } from "./device-log.ts";
import { type FleetSources, startFleetSources } from "./fleet-sources.ts";
import { startHttpIngest } from "./http-ingest.ts";
import { startOsmand } from "./osmand.ts";
import { type OwnPartitions, RemoteBroker, UNLIMITED } from "./remote-broker.ts";
import { startTeltonika } from "./teltonika.ts";

interface Parts {
  readonly intake: Intake;
  readonly deviceLog: DeviceLog;
  readonly httpIngest: HttpIngest;
  readonly fleets: FleetSources;
  readonly replay: Replay;
  readonly commands: Commands;
  readonly sessionClaims: ClientSessionClaims | undefined;
  readonly mqtt: MqttFront;
  /** `undefined`: the settings name no port for it. */
  readonly teltonika: TeltonikaServer | undefined;
  readonly osmand: OsmandServer | undefined;
}

/** What differs between the only ingest process and one of several that share a journal. */
interface ListeningOptions {
  readonly journal: JournalWriter;
  readonly commands: Commands;
  /** Starts intake into the journal. */
  readonly openIntake: (options: Omit<SharedIntakeOptions, "journal">) => Intake | Promise<Intake>;
  /** Makes what follows the sessions at our broker; `links` journals which assets have one. */
  readonly followSessions: (links: LinkFollower, intake: Intake) => LinkFollower;
  /** Receives the log of links. */
  readonly onLinks?: (links: LinkLog) => void;
  /** Whether links stay up however this process ends; those of devices at an external broker do. */
  readonly linksOutliveUs: boolean;
  /** Which process this is; the same after a restart. */
  readonly name: string;
  /** Which process has which client's session; `undefined`: it is the only one. */
  readonly sessionClaims: ClientSessionClaims | undefined;
  /** What is this process's own as one of several; `undefined`: it is the only one. */
  readonly partitions: OwnPartitions | undefined;
}

/** What brings the messages of devices to the journal of a process, and what is known of the devices. */
export class DeviceParts implements Devices {
  readonly #parts: Parts;

  /** Starts everything that devices connect to; it ends in reverse. */
  static async listen(
    start: Start,
    common: Common,
    options: ListeningOptions,
  ): Promise<DeviceParts> {
    const { settings, closers } = start;
    const { pepper, directory, feed } = common;
    const { journal, commands, name, partitions, sessionClaims } = options;
    const address = await brokerAddress(settings);
    const deviceLog = startDeviceLog(start, common);
    const { messages } = deviceLog;
    const outliveUs = options.linksOutliveUs || address !== undefined;
    const elsewhere = sessionClaims?.elsewhere;
    const links = new LinkLog({ journal, directory, now: Date.now, outliveUs, elsewhere });
    closers.push(() => links.close());
    options.onLinks?.(links);
    const remote = address && new RemoteBroker(start, { address, name, links });
    const own = new BrokerOutlet(links, commands);
    const eventsFrom = feed.lastSequence;
    const intake = await options.openIntake({
      directory,
      settings: remote === undefined ? settings : { ...settings, ...UNLIMITED },
      pepper,
      outlet: remote?.outlet ?? own,
      messages,
      answers: commands.answers,
    });
    closers.push(() => intake.close());
    const mqtt: MqttFront =
      remote ??
      (await openOwnBroker(start, common, {
        ...{ intake, deviceLog, commands, outlet: own, eventsFrom, sessionClaims },
        links: options.followSessions(links, intake),
      }));
    remote?.start(start, common, { intake, journal, partitions });
    const trackers = { commands: commands.codec12, sessionClaims };
    const teltonika = await startTeltonika(start, common, intake, deviceLog, trackers);
    const osmand = await startOsmand(start, common, intake, deviceLog);
    const httpIngest = startHttpIngest(start, common, intake, deviceLog);
    const holder = partitions && name;
    const fleets = startFleetSources(start, common, { intake, holder });
    const replay = createReplay(journal, directory, settings);
    const listeners = { mqtt, teltonika, osmand, httpIngest };
    const parts = { intake, deviceLog, fleets, replay, commands, sessionClaims };
    return new DeviceParts({ ...parts, ...listeners });
  }

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get replay(): Replay {
    return this.#parts.replay;
  }

  get httpIngest(): HttpIngest {
    return this.#parts.httpIngest;
  }

  get brokerPorts(): BrokerPorts | undefined {
    return this.#parts.mqtt.ports;
  }

  get devicePorts(): DevicePorts {
    const { teltonika, osmand } = this.#parts;
    return { teltonika: teltonika?.port, osmand: osmand?.port };
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

  /** Counters since the start, and gauges, for metrics. */
  counts(): Readonly<Record<string, number>> {
    const { intake, deviceLog, mqtt, teltonika, osmand, httpIngest, fleets, commands } =
      this.#parts;
    const { sessionClaims } = this.#parts;
    return {
      ...intake.stats(),
      ...mqtt.stats(),
      ...teltonika?.stats(),
      ...osmand?.stats(),
      ...httpIngest.stats(),
      ...fleets.stats(),
      ...deviceLog.stats(),
      ...commands.courier.stats(),
      ...sessionClaims?.stats(),
    };
  }

  /** Why messages do not come in; empty when they do. */
  troubles(): readonly string[] {
    return this.#parts.mqtt.troubles();
  }
}
