import {
  type DeviceTopic,
  isReservedTopic,
  parseDeviceTopic,
} from "../../domain/equipment/topics.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { JournalWriter } from "../../storage/ports/journal.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { InboundMessage } from "../intake/inbound-message.ts";
import type { Intake } from "../intake/intake.ts";
import { ForeignReports, type ForeignSubject } from "../intake/repeats/foreign-reports.ts";
import type { IntakeSession } from "../intake/session.ts";
import type { BrokerMessage } from "../mqtt-client/connection.ts";
import type { RemoteCounters } from "./counters.ts";
import type { VendorTopicIndex } from "./vendor-topic-index.ts";

/**
 * Least time between two polls for assets that were registered just now, ms. Longer holds the first message of a
 * new asset back; shorter asks the store for every stranger.
 */
const POLL_MS = 250;
/**
 * Unknown assets of one session that are reported in a minute; messages of others are only counted.
 * Topics can name any number of assets that do not exist, and each report is a durable event.
 */
const REPORTED_PER_MINUTE = 100;

export interface InboundFeedOptions {
  readonly clientId: string;
  readonly intake: Pick<Intake, "openSession" | "offer">;
  readonly directory: Pick<AssetDirectory, "find" | "refresh">;
  readonly vendorTopics: Pick<VendorTopicIndex, "find">;
  readonly journal: Pick<JournalWriter, "append" | "state">;
  readonly counters: RemoteCounters;
  /** Intake could not take what was offered: the broker is to send it again. */
  readonly failed: (reason: string) => void;
  readonly now: () => number;
}

/** A message whose asset is not known yet. */
interface Stranger {
  readonly message: BrokerMessage;
  /** `undefined`: a vendor's. */
  readonly topic: DeviceTopic | undefined;
  readonly done: () => void;
}

/**
 * Brings the messages of one session into intake. The topic is the identity, because the broker's ACL lets a
 * device publish under its own names only: each asset has an intake session of its own.
 */
export class InboundFeed {
  readonly #options: InboundFeedOptions;
  #sessions = new Map<AssetId, IntakeSession>();
  #strangers: Stranger[] = [];
  #pollTimer: NodeJS.Timeout | undefined;
  readonly #foreign: ForeignReports;
  /** Rises with every connection: what an earlier one brought is not answered any more. */
  #generation = 0;

  constructor(options: InboundFeedOptions) {
    this.#options = options;
    this.#foreign = new ForeignReports(options.journal, options.now, REPORTED_PER_MINUTE);
  }

  /** Takes one message; `done` is called when it need not be sent again. */
  take(message: BrokerMessage, done: () => void): void {
    const { counters } = this.#options;
    if (message.retained) {
      counters.remote_retained += 1;
      done();
      return;
    }
    const topic = parseDeviceTopic(message.topic);
    if (topic === undefined && isReservedTopic(message.topic)) {
      counters.remote_unreadable_topic += 1;
      done();
      return;
    }
    const publishers = this.#publishersOf(message, topic);
    if (publishers.length === 0) this.#wait({ message, topic, done });
    else this.#give(publishers, message, done);
  }

  /** The connection is gone: nothing of it is acknowledged any more, and the broker sends it again. */
  reset(): void {
    this.#generation += 1;
    for (const session of this.#sessions.values()) session.close();
    this.#sessions = new Map();
    this.#strangers = [];
    clearTimeout(this.#pollTimer);
    this.#pollTimer = undefined;
  }

  /** Stops for good; what was counted of unknown assets is reported first. */
  close(): void {
    this.reset();
    this.#foreign.close();
  }

  /** The assets that can have published on the topic, as they are registered now. */
  #publishersOf(message: BrokerMessage, topic: DeviceTopic | undefined): readonly AssetId[] {
    const { directory, vendorTopics } = this.#options;
    if (topic === undefined) return vendorTopics.find(message.topic);
    const assetId = topic.assetId as AssetId;
    return directory.find(assetId) === undefined ? [] : [assetId];
  }

  /** To the asset that it is of; of several, the sender is unknown. */
  #give(publishers: readonly AssetId[], message: BrokerMessage, done: () => void): void {
    const [assetId, ...others] = publishers;
    if (assetId !== undefined && others.length === 0) {
      this.#offer(assetId, message, done);
      return;
    }
    const { counters, directory } = this.#options;
    counters.remote_ambiguous += 1;
    const claims = publishers
      .flatMap((id) => directory.find(id) ?? [])
      .map(({ asset, project }) => ({ assetId: asset.id, projectId: project.id }));
    this.#report(claims, message, done);
  }

  #offer(assetId: AssetId, message: BrokerMessage, done: () => void): void {
    const { intake, now } = this.#options;
    let session = this.#sessions.get(assetId);
    if (session === undefined || session.closed) {
      session = this.#openSession(assetId);
      this.#sessions.set(assetId, session);
    }
    const reply = (error?: Error): void => {
      if (error === undefined) done();
    };
    intake.offer(session, new InboundMessage(message, now(), reply));
  }

  #openSession(assetId: AssetId): IntakeSession {
    const { intake, clientId, failed } = this.#options;
    return intake.openSession(
      { assetId, clientId, keepAliveMs: 0 },
      {
        acknowledge: () => undefined,
        relieved: () => undefined,
        close: (reason) => failed(`intake: ${reason}`),
      },
    );
  }

  /** The asset may have been registered in another process since the last poll. */
  #wait(stranger: Stranger): void {
    this.#strangers.push(stranger);
    if (this.#pollTimer !== undefined) return;
    const generation = this.#generation;
    this.#pollTimer = setTimeout(() => {
      this.#options.directory
        .refresh()
        // The record store is away: no asset can be registered either.
        .catch(() => undefined)
        .then(() => {
          if (generation === this.#generation) this.#decide();
        });
    }, POLL_MS);
  }

  #decide(): void {
    this.#pollTimer = undefined;
    const strangers = this.#strangers;
    this.#strangers = [];
    for (const { message, topic, done } of strangers) {
      const publishers = this.#publishersOf(message, topic);
      if (publishers.length > 0) {
        this.#give(publishers, message, done);
        continue;
      }
      this.#options.counters.remote_unknown_asset += 1;
      // A vendor's topic that no asset claims names no asset to record it for.
      const subjects = topic === undefined ? [] : [subjectOf(topic)];
      this.#report(subjects, message, done);
    }
  }

  /** Acknowledged, not stored, and reported for each subject. */
  #report(subjects: readonly ForeignSubject[], { topic }: BrokerMessage, done: () => void): void {
    const reported = subjects.filter((subject) => this.#foreign.note(subject, topic));
    if (reported.length === 0) this.#options.counters.remote_unknown_unrecorded += 1;
    done();
  }
}

const subjectOf = ({ assetId, projectId }: DeviceTopic): ForeignSubject => ({
  assetId: assetId as AssetId,
  projectId: projectId as ProjectId,
});
