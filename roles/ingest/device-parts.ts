import type { AssetId } from "../../domain/ids.ts";
import { Broker } from "../../ingest/broker/broker.ts";
import { LinkLog } from "../../ingest/broker/link-log.ts";
import type { BrokerPorts } from "../../ingest/broker/listeners.ts";
import type { LinkFollower } from "../../ingest/broker/live-sessions.ts";
import { startMqttEvents } from "../../ingest/delivery/mqtt-events.ts";
import type { HttpIngest } from "../../ingest/http/http-ingest.ts";
import type { Intake } from "../../ingest/intake/intake.ts";
import type { SharedIntakeOptions } from "../../ingest/intake/intake-options.ts";
import type { OsmandServer } from "../../ingest/osmand/server.ts";
import { createReplay, type Replay } from "../../ingest/replay/replay.ts";
import type { TeltonikaServer } from "../../ingest/teltonika/server.ts";
import type { MessageView } from "../../storage/ports/equipment/device-log.ts";
import type { JournalWriter } from "../../storage/ports/journal.ts";
import type { Common, DevicePorts, Devices, Start } from "../process/common.ts";
import { BrokerOutlet, brokerParts } from "./broker-parts.ts";
import type { Commands } from "./commands.ts";
import { type DeviceLog, startDeviceLog } from "./device-log.ts";
import { type FleetSources, startFleetSources } from "./fleet-sources.ts";
import { startHttpIngest } from "./http-ingest.ts";
import { startOsmand } from "./osmand.ts";
import { startTeltonika } from "./teltonika.ts";

/** What devices connect to, beside HTTP. */
interface DeviceListeners {
  readonly commands: Commands;
  readonly broker: Broker;
  /** `undefined`: the settings name no port for it. */
  readonly teltonika: TeltonikaServer | undefined;
  readonly osmand: OsmandServer | undefined;
}

interface Parts {
  readonly intake: Intake;
  readonly deviceLog: DeviceLog;
  readonly httpIngest: HttpIngest;
  readonly fleets: FleetSources;
  readonly replay: Replay;
  /** Absent: devices connect to an external broker. */
  readonly listeners?: DeviceListeners;
}

/** What differs between the only ingest process and one of several that share a journal. */
interface ListeningOptions {
  readonly journal: JournalWriter;
  readonly commands: Commands;
  /** Starts intake into the journal. */
  readonly openIntake: (options: Omit<SharedIntakeOptions, "journal">) => Intake | Promise<Intake>;
  /** Makes what follows the sessions at our broker; `links` journals which assets have one. */
  readonly followSessions: (links: LinkFollower, intake: Intake) => LinkFollower;
  /** Whether links stay up however this process ends. */
  readonly linksOutliveUs: boolean;
  /** Name among several processes, of which one polls fleet sources; `undefined`: this one does. */
  readonly holder: string | undefined;
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
    const { settings, log, closers } = start;
    const { records, pepper, directory, feed } = common;
    const { journal, commands, linksOutliveUs: outliveUs, holder } = options;
    const { answers, codec12 } = commands;
    const deviceLog = startDeviceLog(start, common);
    const { messages } = deviceLog;
    const links = new LinkLog({ journal, directory, now: Date.now, outliveUs });
    closers.push(() => links.close());
    const eventsFrom = feed.lastSequence;
    const outlet = new BrokerOutlet(links, commands);
    const parts = { directory, settings, pepper, outlet, messages, answers };
    const intake = await options.openIntake(parts);
    closers.push(() => intake.close());
    const sessions = options.followSessions(links, intake);
    const broker = await Broker.open({
      ...brokerParts(start, common, { intake, links: sessions, deviceLog, commands }),
      onCommands: (send) => outlet.sendBy(send),
    });
    closers.push(() => broker.close());
    const teltonika = await startTeltonika(start, common, intake, deviceLog, codec12);
    const osmand = await startOsmand(start, common, intake, deviceLog);
    const httpIngest = startHttpIngest(start, common, intake, deviceLog);
    const fleets = startFleetSources(start, common, { intake, holder });
    const publish = (topic: string, payload: string) => broker.publish(topic, payload);
    closers.push(startMqttEvents({ from: eventsFrom, feed, events: records.events, publish, log }));
    const replay = createReplay(journal, directory, settings);
    const listeners = { commands, broker, teltonika, osmand };
    return new DeviceParts({ intake, deviceLog, httpIngest, fleets, replay, listeners });
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
    return this.#parts.listeners?.broker.ports;
  }

  get devicePorts(): DevicePorts {
    const { teltonika, osmand } = this.#parts.listeners ?? {};
    return { teltonika: teltonika?.port, osmand: osmand?.port };
  }

  messageView(assetId: AssetId): MessageView {
    return this.#parts.deviceLog.messages.view(assetId);
  }

  fleetSourcesChanged(): void {
    this.#parts.fleets.changed();
  }

  commandAdded(assetId: AssetId): void {
    this.#parts.listeners?.commands.courier.wake(assetId);
  }

  /** Counters since the start, and gauges, for metrics. */
  counts(): Readonly<Record<string, number>> {
    const { intake, deviceLog, httpIngest, fleets, listeners } = this.#parts;
    return {
      ...intake.stats(),
      ...listeners?.broker.stats(),
      ...listeners?.teltonika?.stats(),
      ...listeners?.osmand?.stats(),
      ...httpIngest.stats(),
      ...fleets.stats(),
      ...deviceLog.stats(),
      ...listeners?.commands.courier.stats(),
    };
  }
}
