import type { AssetId } from "../../domain/ids.ts";
import type { LiveAssets } from "../../ingest/asset-state/asset-state.ts";
import { Broker } from "../../ingest/broker/broker.ts";
import { LinkLog } from "../../ingest/broker/link-log.ts";
import type { BrokerPorts } from "../../ingest/broker/listeners.ts";
import { withReachable } from "../../ingest/broker/reachable-links.ts";
import { startMqttEvents } from "../../ingest/delivery/mqtt-events.ts";
import type { HttpIngest } from "../../ingest/http/http-ingest.ts";
import { createIntake } from "../../ingest/intake/intake.ts";
import { registerIngestMetrics } from "../../ingest/metrics.ts";
import { Pipeline } from "../../ingest/pipeline/runner.ts";
import { createReplay, type Replay } from "../../ingest/replay/replay.ts";
import type { Stores } from "../../storage/open.ts";
import type { MessageView } from "../../storage/ports/equipment/device-log.ts";
import type { Common, DevicePorts, Ingest, Start } from "../process/common.ts";
import { BROKER_GAUGES, BrokerOutlet, brokerParts } from "./broker-parts.ts";
import type { Commands } from "./commands.ts";
import { type DeviceLog, startDeviceLog } from "./device-log.ts";
import { type FleetSources, startFleetSources } from "./fleet-sources.ts";
import { startHttpIngest } from "./http-ingest.ts";
import type { JournalReaders } from "./journal-readers.ts";
import { claimIngest } from "./only-ingest.ts";
import { startOsmand } from "./osmand.ts";
import { pipelineParts } from "./pipeline-parts.ts";
import { startTeltonika } from "./teltonika.ts";

/** What the only ingest of a deployment consists of. */
interface BrokerIngestParts {
  readonly readers: JournalReaders;
  readonly commands: Commands;
  readonly pipeline: Pipeline;
  readonly replay: Replay;
  readonly deviceLog: DeviceLog;
  readonly broker: Broker;
  readonly devicePorts: DevicePorts;
  readonly httpIngest: HttpIngest;
  readonly fleets: FleetSources;
}

/** The only process that takes messages in: devices connect to its own broker. */
export class BrokerIngest implements Ingest {
  readonly #parts: BrokerIngestParts;

  static async start(
    start: Start,
    common: Common,
    stores: Stores,
    { readers, commands }: Pick<BrokerIngestParts, "readers" | "commands">,
  ): Promise<BrokerIngest> {
    const { settings, log, closers, metrics } = start;
    const { records, pepper, directory, feed } = common;
    const { journal } = stores;
    if (settings.databaseUrl !== undefined) await claimIngest(start, records, journal.id);
    const pipeline = await Pipeline.start(pipelineParts(start, common, stores, readers.writer));
    closers.push(() => pipeline.stop());
    readers.useLive(pipeline.live);

    const deviceLog = startDeviceLog(start, common);
    const { messages } = deviceLog;
    const links = new LinkLog({ journal, directory, now: Date.now });
    closers.push(() => links.close());
    const eventsFrom = feed.lastSequence;
    const outlet = new BrokerOutlet(links, commands);
    const { answers } = commands;
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
      ...brokerParts(start, common, {
        intake,
        links: withReachable(links, intake),
        deviceLog,
        commands,
      }),
      onCommands: (send) => outlet.sendBy(send),
    });
    closers.push(() => broker.close());
    const teltonika = await startTeltonika(start, common, intake, deviceLog, commands.codec12);
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
      writer: readers.writer,
      counts: () => ({
        ...intake.stats(),
        ...broker.stats(),
        ...teltonika?.stats(),
        ...osmand?.stats(),
        ...httpIngest.stats(),
        ...fleets.stats(),
        ...deviceLog.stats(),
        ...commands.courier.stats(),
      }),
      gauges: BROKER_GAUGES,
    });
    return new BrokerIngest({
      readers,
      commands,
      pipeline,
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

  private constructor(parts: BrokerIngestParts) {
    this.#parts = parts;
  }

  get live(): LiveAssets {
    return this.#parts.pipeline.live;
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

  refreshForwarders(): Promise<void> {
    return this.#parts.readers.refreshForwarders();
  }

  health(): readonly string[] {
    const { readers, pipeline } = this.#parts;
    return [...readers.health(), ...(pipeline.stalled === undefined ? [] : [pipeline.stalled])];
  }
}
