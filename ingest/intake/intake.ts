import type { Settings } from "../../config/settings.ts";
import type { AssetId } from "../../domain/ids.ts";
import { MAX_TOPIC_BYTES } from "../../domain/topics.ts";
import type { Journal } from "../../storage/ports.ts";
import type { AssetDirectory, AssetEntry } from "../asset-directory.ts";
import { encodeForeign, type MessageOrigin, RECORD_KIND } from "../journal-record.ts";
import { AssetIntake } from "./asset-intake.ts";
import type { Conversation } from "./conversation.ts";
import { type ConversationOutlet, letOut } from "./conversation-outlet.ts";
import { conversationOf } from "./conversations.ts";
import { createCounters, INTAKE_COUNTERS, type IntakeCounters } from "./counters.ts";
import type { Delivery } from "./delivery.ts";
import { type JudgeContext, judge } from "./judge.ts";
import { judgeConversation } from "./judge-conversation.ts";
import { hash32 } from "./payload-hash.ts";
import { recallMessages } from "./recall-messages.ts";
import { RecentMessages } from "./recent-messages.ts";
import { IntakeSession, type SessionListener } from "./session.ts";
import { routeTopic } from "./topic-route.ts";
import type { JournalBody, Verdict } from "./verdict.ts";
import { WaitingRoom } from "./waiting-room.ts";

const DAY_MS = 86_400_000;
/** Longest that an acknowledgement is held back by the device's rate, ms (DESIGN section 4). */
const MAX_THROTTLE_MS = 15_000;
/** How often messages that wait for the journal are tried again or given up, ms. Chosen. */
const RETRY_MS = 250;

export interface IntakeOptions {
  readonly journal: Journal;
  readonly directory: AssetDirectory;
  readonly settings: Pick<Settings, "retentionDays" | "deviceReadingsPerS" | "deviceBurstReadings">;
  /** Absent: nobody is told. */
  readonly outlet?: ConversationOutlet;
  /** Server clock, ms since the Unix epoch. */
  readonly now?: () => number;
}

/** Who is connected; the identity of every message of the session. */
export interface SessionIdentity {
  readonly assetId: AssetId;
  readonly clientId: string;
  /** MQTT keep-alive, ms; 0: none. */
  readonly keepAliveMs: number;
}

/** The way of every device message from the broker into the journal. */
export interface Intake {
  /** Whether the journal takes records; while it does not, nobody new should be let in. */
  readonly accepting: boolean;
  /** Whether the asset is kept out for publishing on topics that are not its own. */
  isRefused(assetId: AssetId): boolean;
  openSession(identity: SessionIdentity, listener: SessionListener): IntakeSession;
  /**
   * Takes one message. The session acknowledges it when it is durable, or when there is nothing to
   * store; the session is closed when neither can be had in time.
   */
  offer(session: IntakeSession, delivery: Delivery): void;
  /** Assets that can be reached through that one, as far as it said. */
  reachableThrough(assetId: AssetId): readonly AssetId[];
  /** Counters since the start, and the gauge `held_bytes`. */
  stats(): Readonly<Record<string, number>>;
  close(): void;
}

/** Starts intake; reads the journal's last minutes so that resent messages are known again. */
export async function createIntake(options: IntakeOptions): Promise<Intake> {
  const recent = new RecentMessages();
  const now = options.now ?? Date.now;
  const lastReceivedMs = await recallMessages(options.journal, recent, now());
  return new JournalIntake(options, recent, lastReceivedMs, now);
}

class JournalIntake implements Intake {
  readonly #journal: Journal;
  readonly #directory: AssetDirectory;
  readonly #settings: IntakeOptions["settings"];
  readonly #outlet: ConversationOutlet | undefined;
  readonly #retentionMs: number;
  readonly #recent: RecentMessages;
  readonly #lastReceivedMs: ReadonlyMap<AssetId, number>;
  readonly #now: () => number;
  readonly #counters: IntakeCounters = createCounters(INTAKE_COUNTERS);
  readonly #assets = new Map<AssetId, AssetIntake>();
  readonly #room: WaitingRoom;
  readonly #timer: NodeJS.Timeout;

  /** Appends that were made, and those whose `done` was called; it is called in order. */
  #appended = 0;
  #done = 0;
  /** Sessions whose resent message waits until everything appended before it is durable. */
  #barriers: { readonly appended: number; readonly session: IntakeSession }[] = [];

  constructor(
    options: IntakeOptions,
    recent: RecentMessages,
    lastReceivedMs: ReadonlyMap<AssetId, number>,
    now: () => number,
  ) {
    this.#journal = options.journal;
    this.#directory = options.directory;
    this.#settings = options.settings;
    this.#outlet = options.outlet;
    this.#retentionMs = options.settings.retentionDays * DAY_MS;
    this.#recent = recent;
    this.#lastReceivedMs = lastReceivedMs;
    this.#now = now;
    this.#room = new WaitingRoom({
      take: (session, delivery) => this.#take(session, delivery),
      counters: this.#counters,
      now,
    });
    this.#timer = setInterval(() => this.#room.retry(this.accepting), RETRY_MS);
    this.#timer.unref();
    this.#journal.onState((state) => {
      // Not from inside the journal's own step.
      if (state === "open") setImmediate(() => this.#room.retry(this.accepting));
    });
    this.#directory.onChange((assetId, entry) => {
      if (entry === undefined) this.#assets.delete(assetId);
    });
  }

  get accepting(): boolean {
    return this.#journal.state === "open";
  }

  isRefused(assetId: AssetId): boolean {
    return this.#assets.get(assetId)?.foreign.isRefused(this.#now()) ?? false;
  }

  openSession(identity: SessionIdentity, listener: SessionListener): IntakeSession {
    return new IntakeSession(identity, this.#intakeOf(identity.assetId), listener, this.#now);
  }

  #intakeOf(assetId: AssetId): AssetIntake {
    let asset = this.#assets.get(assetId);
    if (asset === undefined) {
      const { deviceReadingsPerS, deviceBurstReadings } = this.#settings;
      const lastReceivedMs = this.#lastReceivedMs.get(assetId);
      asset = new AssetIntake(deviceReadingsPerS, deviceBurstReadings, lastReceivedMs);
      this.#assets.set(assetId, asset);
    }
    return asset;
  }

  offer(session: IntakeSession, delivery: Delivery): void {
    this.#counters.received += 1;
    this.#counters.received_bytes += delivery.payload.byteLength;
    session.enqueue(delivery);
    if (session.stalled === undefined) this.#take(session, delivery);
    else if (session.stalled === "journal") this.#hold(session, delivery);
    else this.#room.wait(session, delivery);
  }

  reachableThrough(assetId: AssetId): readonly AssetId[] {
    return this.#assets.get(assetId)?.conversation?.reachable() ?? [];
  }

  stats(): Readonly<Record<string, number>> {
    return { ...this.#counters, held_bytes: this.#room.bytes };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#room.close();
  }

  /** Looks at one message and appends what becomes of it. */
  #take(session: IntakeSession, delivery: Delivery): void {
    if (this.#journal.state !== "open") {
      this.#hold(session, delivery);
      return;
    }
    const entry = this.#directory.find(session.assetId);
    if (entry === undefined) {
      this.#counters.asset_gone += 1;
      session.fail("asset_gone");
      return;
    }
    const { own } = session.route(delivery.topic, entry.asset, routeTopic);
    if (own === undefined) {
      this.#takeForeign(session, delivery, entry);
      return;
    }
    const origin = {
      clientHash: session.clientHash,
      packetId: delivery.packetId,
      payloadHash: hash32(delivery.payload),
    };
    if (delivery.verdict !== undefined) {
      this.#append(session, delivery, delivery.verdict, origin);
      return;
    }
    if (delivery.dup && delivery.qos > 0 && this.#isResent(session, delivery, origin)) return;
    const named = own.projectId;
    if (named !== undefined && named !== entry.project.id) this.#counters.project_mismatch += 1;
    const context = {
      session,
      entry,
      own,
      origin,
      retentionMs: this.#retentionMs,
      counters: this.#counters,
    };
    if (own.isConversation) this.#takeSaid(delivery, context);
    else this.#append(session, delivery, judge(delivery, context), origin);
  }

  /** The same for one that leans on earlier ones: it is judged once, whatever becomes of its records. */
  #takeSaid(delivery: Delivery, context: JudgeContext): void {
    const { session, origin } = context;
    const verdict = judgeConversation(delivery, {
      ...context,
      conversation: this.#conversationOf(session.asset, context.entry),
      directory: this.#directory,
      intakeOf: (assetId) => this.#intakeOf(assetId),
    });
    delivery.verdict = verdict;
    this.#append(session, delivery, verdict, origin);
    const { meaning } = verdict;
    if (meaning === undefined) return;
    for (const name of meaning.counted) this.#counters[name] += 1;
    // Right behind the message's own records.
    if (this.#outlet !== undefined) letOut(meaning, session.assetId, this.#outlet);
  }

  #conversationOf(asset: AssetIntake, entry: AssetEntry): Conversation {
    const found = asset.conversation ?? conversationOf(entry.asset.decoder)?.open(this.#directory);
    if (found === undefined)
      throw new Error(`decoder ${entry.asset.decoder} holds no conversation`);
    asset.conversation = found;
    return found;
  }

  /** Keeps a message that the journal does not take; one at QoS 0 is lost to its conversation. */
  #hold(session: IntakeSession, delivery: Delivery): void {
    if (delivery.qos === 0) session.asset.conversation?.missed();
    this.#room.hold(session, delivery);
  }

  /** Whether nothing more is to be done for a message with DUP = 1 now. */
  #isResent(session: IntakeSession, delivery: Delivery, origin: MessageOrigin): boolean {
    if (this.#done < this.#appended) {
      // The original may be among what is being written: judged when that is durable or refused.
      session.stalled = "duplicate";
      this.#barriers.push({ appended: this.#appended, session });
      this.#room.wait(session, delivery);
      return true;
    }
    if (!this.#recent.has(origin, delivery.receivedAtMs)) return false;
    this.#counters.dup_dropped += 1;
    session.settle(delivery);
    return true;
  }

  /** Acknowledged and not stored; the attempt itself is journalled, and too many end the session. */
  #takeForeign(session: IntakeSession, delivery: Delivery, entry: AssetEntry): void {
    const { receivedAtMs } = delivery;
    this.#counters.foreign += 1;
    const within = session.asset.foreign.note(receivedAtMs);
    const body = encodeForeign({
      assetId: session.assetId,
      projectId: entry.project.id,
      receivedAtMs,
      topic: delivery.topic.slice(0, MAX_TOPIC_BYTES),
    });
    this.#appended += 1;
    this.#journal.append(RECORD_KIND.foreign, receivedAtMs, body, () => {
      this.#done += 1;
      session.settle(delivery);
      this.#passBarriers();
    });
    if (within) return;
    this.#counters.foreign_closed += 1;
    session.fail("foreign_topics");
  }

  #append(
    session: IntakeSession,
    delivery: Delivery,
    verdict: Verdict,
    origin: MessageOrigin,
  ): void {
    const { kind, body, more } = verdict;
    if (body === undefined) {
      this.#settle(session, delivery, verdict);
      return;
    }
    const refused = more.length === 0 ? undefined : this.#appendMore(more, delivery.receivedAtMs);
    this.#appended += 1;
    this.#journal.append(kind, delivery.receivedAtMs, body, (error) => {
      this.#done += 1;
      if (error !== undefined || (refused !== undefined && refused.length > 0)) {
        if (error !== undefined) refused?.push({ kind, body });
        if (refused !== undefined) delivery.verdict = withOnly(verdict, refused);
        this.#hold(session, delivery);
      } else {
        if (delivery.qos > 0) this.#recent.add(origin, this.#now());
        this.#settle(session, delivery, verdict);
      }
      if (this.#barriers.length > 0) this.#passBarriers();
    });
  }

  /** Appends the records before a message's last; yields those refused, complete when the last is answered for. */
  #appendMore(more: readonly JournalBody[], receivedAtMs: number): JournalBody[] {
    const refused: JournalBody[] = [];
    for (const record of more) {
      this.#appended += 1;
      this.#journal.append(record.kind, receivedAtMs, record.body, (error) => {
        this.#done += 1;
        if (error !== undefined) refused.push(record);
      });
    }
    return refused;
  }

  /** What is to be kept of the message is durable: counts that, and acknowledges it at the device's pace. */
  #settle(session: IntakeSession, delivery: Delivery, verdict: Verdict): void {
    const nowMs = this.#now();
    const { cost, payer = session.asset, readings, notices, ignored, quarantined } = verdict;
    this.#counters.readings += readings;
    this.#counters.notices += notices;
    this.#counters.messages_ignored += ignored;
    if (quarantined !== undefined) this.#counters[quarantined] += 1;
    const waitMs = payer.bucket.take(cost, nowMs);
    if (waitMs === 0) {
      session.settle(delivery);
      return;
    }
    this.#counters.throttled += 1;
    const keepAliveMs = session.keepAliveMs > 0 ? session.keepAliveMs / 2 : MAX_THROTTLE_MS;
    session.settle(delivery, nowMs + Math.min(waitMs, keepAliveMs, MAX_THROTTLE_MS));
  }

  #passBarriers(): void {
    while ((this.#barriers[0]?.appended ?? Number.POSITIVE_INFINITY) <= this.#done) {
      const session = this.#barriers.shift()?.session;
      if (session?.stalled === "duplicate") this.#room.resume(session);
    }
  }
}

/** The verdict with those of its records alone; there is at least one. */
function withOnly(verdict: Verdict, records: readonly JournalBody[]): Verdict {
  const last = records.at(-1);
  return last === undefined ? verdict : { ...verdict, ...last, more: records.slice(0, -1) };
}
