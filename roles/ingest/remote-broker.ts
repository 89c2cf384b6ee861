import type { ProjectId } from "../../domain/ids.ts";
import type { LinkLog } from "../../ingest/broker/link-log.ts";
import type { Intake } from "../../ingest/intake/intake.ts";
import type { ConversationOutlet } from "../../ingest/intake/readings/conversation-outlet.ts";
import { createCounters } from "../../ingest/intake/readings/counters.ts";
import type { BrokerAddress } from "../../ingest/remote-broker/address.ts";
import { REMOTE_COUNTERS, type RemoteCounters } from "../../ingest/remote-broker/counters.ts";
import { EventPublisher } from "../../ingest/remote-broker/event-publisher.ts";
import { InboundSessions } from "../../ingest/remote-broker/inbound-sessions.ts";
import type { JournalWriter } from "../../storage/ports/journal.ts";
import type { Common, Start } from "../process/common.ts";
import type { MqttFront } from "./broker-parts.ts";
import { startEventPublication } from "./event-publication.ts";

/**
 * What one device sends too fast would hold up the acknowledgements of its whole session, so rates beside an external
 * broker are that broker's business.
 */
export const UNLIMITED = { deviceReadingsPerS: 1_000_000, deviceBurstReadings: 10_000_000 };

/** The partitions of one of several processes. */
export interface OwnPartitions {
  readonly partitionOf: (projectId: ProjectId) => number;
  /** Calls with the partitions that are this process's now, and at each change. */
  follow(listener: (partitions: readonly number[]) => void): void;
}

/** The broker of others that devices publish to, and that events are published to. */
export class RemoteBroker implements MqttFront {
  readonly ports = undefined;
  /** Where answers to what gateways say go; links of their devices are journalled by `links`. */
  readonly outlet: ConversationOutlet;
  readonly #address: BrokerAddress;
  readonly #publisher: EventPublisher;
  readonly #name: string;
  readonly #counters: RemoteCounters = createCounters(REMOTE_COUNTERS);
  #sessions: InboundSessions | undefined;

  /** `name`: which process this is; the same after a restart. */
  constructor(
    { log, closers }: Pick<Start, "log" | "closers">,
    parts: {
      readonly address: BrokerAddress;
      readonly name: string;
      readonly links: LinkLog;
    },
  ) {
    const { address, name, links } = parts;
    const publisher = new EventPublisher({ address, name, log });
    closers.push(() => publisher.close());
    this.outlet = {
      links,
      followsSessions: false,
      command: (topic, payload) => publisher.command(topic, payload),
    };
    this.#address = address;
    this.#publisher = publisher;
    this.#name = name;
  }

  /** Begins to take messages in and to publish events. `partitions` absent: this process takes all messages. */
  start(
    start: Start,
    common: Common,
    parts: {
      readonly intake: Intake;
      readonly journal: JournalWriter;
      readonly partitions: OwnPartitions | undefined;
    },
  ): void {
    const { log, closers } = start;
    const { intake, journal, partitions } = parts;
    const sessions = new InboundSessions({
      address: this.#address,
      counters: this.#counters,
      intake,
      directory: common.directory,
      journal,
      ...(partitions === undefined ? {} : { partitionOf: partitions.partitionOf }),
      mayConnect: () => intake.accepting,
      now: Date.now,
      log,
    });
    closers.push(() => sessions.close());
    this.#sessions = sessions;
    this.#publisher.start();
    startEventPublication(start, common, { publisher: this.#publisher, name: this.#name });
    if (partitions === undefined) sessions.holdOnly();
    else partitions.follow((own) => sessions.hold(own));
  }

  /** Why messages do not come in; empty when they do. */
  troubles(): readonly string[] {
    return this.#sessions?.troubles() ?? [];
  }

  /** For metrics. */
  stats(): Readonly<Record<string, number>> {
    return { ...this.#counters, ...this.#sessions?.gauges() };
  }
}
