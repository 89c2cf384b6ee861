import type { AssetId } from "../../domain/ids.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { JournalWriter } from "../../storage/ports/journal.ts";
import type { NotedMessage } from "../device-log/messages/message-log.ts";
import type { AssetDirectory, AssetEntry } from "../directories/asset-directory.ts";
import type { CommandAnswers } from "./command-answers.ts";
import { decide } from "./decide.ts";
import { type Decision, isKept, withOnly } from "./decision.ts";
import { HoldQueue } from "./hold-queue.ts";
import type { InboundMessage } from "./inbound-message.ts";
import type { IntakeOptions, SharedIntakeOptions } from "./intake-options.ts";
import { Interpreter } from "./interpreter.ts";
import { heldNotice, outcomeOf } from "./outcome.ts";
import { AssetIntake } from "./readings/asset-intake.ts";
import { createCounters, INTAKE_COUNTERS, type IntakeCounters } from "./readings/counters.ts";
import { RecordAppender } from "./record-appender.ts";
import { ForeignReports } from "./repeats/foreign-reports.ts";
import { MessagesInFlight } from "./repeats/messages-in-flight.ts";
import { hash32 } from "./repeats/payload-hash.ts";
import { recallMessages } from "./repeats/recall-messages.ts";
import { RecentMessages } from "./repeats/recent-messages.ts";
import { senderHash } from "./repeats/sender-hash.ts";
import { IntakeSession, type SessionListener } from "./session.ts";
import { routeTopic } from "./topic-route.ts";

/** Longest that an acknowledgement is held back by the device's rate, ms (docs/rules.md#intake). */
const MAX_THROTTLE_MS = 15_000;
/**
 * How often messages that wait for the journal are tried again or given up, ms. Longer holds messages back after a
 * short outage; shorter walks over them for nothing.
 */
const RETRY_MS = 250;

/** Who is connected; the identity of every message of the session. */
export interface SessionIdentity {
  readonly assetId: AssetId;
  readonly clientId: string;
  /** MQTT keep-alive, ms; 0: none. */
  readonly keepAliveMs: number;
  /** The session that ended, where this one brings its will. */
  readonly willOf?: IntakeSession | undefined;
}

/** The path of every device message from the broker into the journal. */
export interface Intake {
  /** Whether the journal takes records; while it does not, no new client should be let in. */
  readonly accepting: boolean;
  openSession(identity: SessionIdentity, listener: SessionListener): IntakeSession;
  /**
   * Takes one message. The session acknowledges it when it is durable, or when there is nothing to
   * store; the session is closed when neither happens in time.
   */
  offer(session: IntakeSession, inbound: InboundMessage): void;
  /** Takes a message that the session brought before: it is acknowledged behind the first, and not stored again. */
  repeat(session: IntakeSession, inbound: InboundMessage): void;
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

/**
 * Starts intake into a journal that other processes write, too: a message that was sent to another one before is
 * stored again, with the same fix times.
 */
export function createSharedIntake(options: SharedIntakeOptions): Intake {
  return new JournalIntake(options, new RecentMessages(), new Map(), options.now ?? Date.now);
}

class JournalIntake implements Intake {
  readonly #journal: JournalWriter;
  readonly #directory: AssetDirectory;
  readonly #settings: IntakeOptions["settings"];
  readonly #retentionMs: number;
  readonly #pepper: Uint8Array;
  readonly #recent: RecentMessages;
  readonly #lastReceivedMs: ReadonlyMap<AssetId, number>;
  readonly #now: () => number;
  readonly #counters: IntakeCounters = createCounters(INTAKE_COUNTERS);
  readonly #assets = new Map<AssetId, AssetIntake>();
  readonly #appender: RecordAppender;
  readonly #inFlight = new MessagesInFlight();
  readonly #interpreter: Interpreter;
  readonly #holdQueue: HoldQueue;
  readonly #foreign: ForeignReports;
  readonly #answers: CommandAnswers | undefined;
  readonly #messages: IntakeOptions["messages"];
  readonly #timer: NodeJS.Timeout;

  constructor(
    options: SharedIntakeOptions,
    recent: RecentMessages,
    lastReceivedMs: ReadonlyMap<AssetId, number>,
    now: () => number,
  ) {
    this.#journal = options.journal;
    this.#directory = options.directory;
    this.#settings = options.settings;
    this.#retentionMs = options.settings.retentionDays * DAY_MS;
    this.#pepper = options.pepper;
    this.#recent = recent;
    this.#lastReceivedMs = lastReceivedMs;
    this.#now = now;
    this.#appender = new RecordAppender(options.journal);
    this.#interpreter = new Interpreter({
      directory: options.directory,
      outlet: options.outlet,
      counters: this.#counters,
      intakeOf: (assetId) => this.#intakeOf(assetId),
    });
    this.#holdQueue = new HoldQueue({
      take: (session, inbound) => this.#takeSafely(session, inbound),
      counters: this.#counters,
      now,
    });
    this.#answers = options.answers;
    this.#messages = options.messages;
    this.#foreign = new ForeignReports(options.journal, now);
    this.#timer = setInterval(() => this.#holdQueue.retry(this.accepting), RETRY_MS);
    this.#timer.unref();
    this.#journal.onState((state) => {
      // Not from inside the journal's own step.
      if (state === "open") setImmediate(() => this.#holdQueue.retry(this.accepting));
    });
    this.#directory.onChange((assetId, entry) => {
      if (entry === undefined) this.#foreign.forget(assetId);
      const asset = entry === undefined ? this.#assets.get(assetId) : undefined;
      if (asset === undefined) return;
      this.#assets.delete(assetId);
      this.#interpreter.forget(asset);
    });
  }

  get accepting(): boolean {
    return this.#journal.state === "open";
  }

  openSession(identity: SessionIdentity, listener: SessionListener): IntakeSession {
    const { assetId, clientId, keepAliveMs, willOf } = identity;
    const clientHash = senderHash(this.#pepper, `client/${assetId}/${clientId}`);
    const named = { assetId, clientHash, keepAliveMs, willOf };
    return new IntakeSession(named, this.#intakeOf(assetId), listener, this.#now);
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

  offer(session: IntakeSession, inbound: InboundMessage): void {
    this.#counters.received += 1;
    this.#counters.received_bytes += inbound.payload.byteLength;
    session.enqueue(inbound);
    if (session.stalled === undefined) this.#take(session, inbound);
    else if (session.stalled === "journal") this.#hold(session, inbound);
    else this.#holdQueue.wait(session, inbound);
  }

  repeat(session: IntakeSession, inbound: InboundMessage): void {
    this.#note(session, inbound, "duplicate");
    session.repeat(inbound);
  }

  reachableThrough(assetId: AssetId): readonly AssetId[] {
    return this.#assets.get(assetId)?.conversation?.reachable() ?? [];
  }

  stats(): Readonly<Record<string, number>> {
    return { ...this.#counters, held_bytes: this.#holdQueue.bytes };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#holdQueue.close();
    this.#foreign.close();
  }

  /**
   * Held messages are retried from a timer with no caller to catch an error: a failure closes the
   * session, as in `offer`.
   */
  #takeSafely(session: IntakeSession, inbound: InboundMessage): void {
    try {
      this.#take(session, inbound);
    } catch {
      session.fail("failed");
    }
  }

  /** Processes one message and appends its records. */
  #take(session: IntakeSession, inbound: InboundMessage): void {
    if (this.#journal.state !== "open") {
      this.#hold(session, inbound);
      return;
    }
    const entry = this.#directory.find(session.assetId);
    if (entry === undefined) {
      this.#counters.asset_gone += 1;
      session.fail("asset_gone");
      return;
    }
    const { own, answers } = session.route(inbound.topic, entry.asset, routeTopic);
    if (answers !== undefined && this.#answers !== undefined) {
      this.#takeAnswer(session, inbound, this.#answers.take(entry.asset, answers, inbound));
      return;
    }
    if (own === undefined) {
      this.#takeForeign(session, inbound, entry);
      return;
    }
    inbound.clientHash = inbound.senderHash ?? session.clientHash;
    inbound.payloadHash = hash32(inbound.payload);
    if (inbound.decision !== undefined) {
      this.#append(session, inbound, inbound.decision);
      return;
    }
    if (inbound.dup && inbound.qos > 0 && this.#isResent(session, inbound)) return;
    const named = own.projectId;
    if (named !== undefined && named !== entry.project.id) this.#counters.project_mismatch += 1;
    const context = {
      session,
      entry,
      own,
      origin: inbound,
      retentionMs: this.#retentionMs,
      counters: this.#counters,
    };
    if (own.isConversation) {
      this.#interpreter.take(inbound, context, (decision) =>
        this.#append(session, inbound, decision),
      );
    } else this.#append(session, inbound, decide(inbound, context));
  }

  /** Keeps a message that the journal does not take; one at QoS 0 is lost to its conversation. */
  #hold(session: IntakeSession, inbound: InboundMessage): void {
    if (inbound.qos === 0) session.asset.conversation?.missed();
    this.#holdQueue.hold(session, inbound);
  }

  /** Whether nothing more is to be done for a message with DUP = 1 now. */
  #isResent(session: IntakeSession, inbound: InboundMessage): boolean {
    if (this.#inFlight.has(inbound)) {
      // The original is being written: decided when that is durable or refused.
      session.stalled = "duplicate";
      this.#appender.whenAnswered(() => {
        if (session.stalled === "duplicate") this.#holdQueue.resume(session);
      });
      this.#holdQueue.wait(session, inbound);
      return true;
    }
    if (!this.#recent.has(inbound, inbound.receivedAtMs)) return false;
    this.#counters.dup_dropped += 1;
    this.#note(session, inbound, "duplicate");
    session.settle(inbound);
    return true;
  }

  /**
   * Acknowledges an answer when it is stored, and processes nothing else of the session meanwhile, so one
   * device has at most one answer in flight to the store. When it cannot be stored, the device has to send it
   * again.
   */
  #takeAnswer(session: IntakeSession, inbound: InboundMessage, stored: Promise<boolean>): void {
    session.stalled = "answer";
    stored
      .then(
        (wasTaken) => {
          if (session.closed) return;
          this.#counters[wasTaken ? "command_answers" : "command_answers_unasked"] += 1;
          const heldMs = this.#holdMs(session, session.asset, 1);
          this.#note(session, inbound, wasTaken ? "stored" : "ignored", undefined, heldMs);
          this.#settleAfter(session, inbound, heldMs);
        },
        () => session.fail("failed"),
      )
      .finally(() => {
        // Messages that wait behind the answer of a session that is gone are dropped.
        if (session.stalled === "answer") this.#holdQueue.resume(session);
      });
  }

  /** Acknowledged, not stored, and reported; it costs the device as much of its rate as a reading. */
  #takeForeign(session: IntakeSession, inbound: InboundMessage, entry: AssetEntry): void {
    this.#counters.foreign += 1;
    const subject = { assetId: session.assetId, projectId: entry.project.id };
    this.#foreign.note(subject, inbound.topic);
    const heldMs = this.#holdMs(session, session.asset, 1);
    this.#note(session, inbound, "foreign_topic", undefined, heldMs);
    this.#settleAfter(session, inbound, heldMs);
  }

  #append(session: IntakeSession, inbound: InboundMessage, decision: Decision): void {
    if (!isKept(decision)) {
      this.#settle(session, inbound, decision);
      return;
    }
    if (inbound.qos > 0) this.#inFlight.begin(inbound);
    this.#appender.append(decision, decision.more, inbound.receivedAtMs, (refused) => {
      if (inbound.qos > 0) this.#inFlight.end(inbound);
      if (refused.length > 0) {
        // Some of several records may be durable: deciding the message again would store those
        // twice.
        const wasInPart = inbound.decision !== undefined || decision.more.length > 0;
        if (wasInPart) inbound.decision = withOnly(decision, refused);
        // It will be decided again.
        else session.asset.remarks.forget();
        this.#hold(session, inbound);
      } else {
        if (inbound.qos > 0) this.#recent.add(inbound, this.#now());
        this.#settle(session, inbound, decision);
      }
    });
  }

  /** The records of the message are durable: counts them, and acknowledges it at the device's rate. */
  #settle(session: IntakeSession, inbound: InboundMessage, decision: Decision): void {
    const { cost, payer = session.asset, readings, notices, ignored, quarantined } = decision;
    this.#counters.readings += readings;
    this.#counters.notices += notices;
    this.#counters.messages_ignored += ignored;
    if (quarantined !== undefined) this.#counters[quarantined] += 1;
    const heldMs = this.#holdMs(session, payer, cost);
    this.#note(session, inbound, outcomeOf(decision), decision, heldMs);
    this.#settleAfter(session, inbound, heldMs);
  }

  #note(
    { assetId }: IntakeSession,
    inbound: InboundMessage,
    outcome: NotedMessage["outcome"],
    decision?: Decision,
    heldMs = 0,
  ): void {
    const { receivedAtMs, topic, payload, qos } = inbound;
    const reason = decision?.reason;
    const readings = decision?.readings ?? 0;
    const remarks = decision?.remarks;
    if (inbound.reply !== undefined) inbound.result = { outcome, reason, remarks, readings };
    if (this.#messages === undefined) return;
    const notices = heldMs === 0 ? remarks : [...(remarks ?? []), heldNotice(heldMs)];
    const { byteLength: payloadBytes } = payload;
    const newestFixMs = decision?.newestFixMs;
    const noted = {
      receivedAtMs,
      topic,
      payloadBytes,
      qos,
      outcome,
      reason,
      readings,
      newestFixMs,
    };
    this.#messages.note(assetId, notices === undefined ? noted : { ...noted, notices });
  }

  /** How long the rate of `payer` holds the answer to a message back, ms; 0: not at all. `cost`: in readings. */
  #holdMs(session: IntakeSession, payer: AssetIntake, cost: number): number {
    const waitMs = payer.bucket.take(cost, this.#now());
    if (waitMs === 0) return 0;
    this.#counters.throttled += 1;
    const keepAliveMs = session.keepAliveMs > 0 ? session.keepAliveMs / 2 : MAX_THROTTLE_MS;
    return Math.min(waitMs, keepAliveMs, MAX_THROTTLE_MS);
  }

  /** Acknowledges a message, `heldMs` from now. */
  #settleAfter(session: IntakeSession, inbound: InboundMessage, heldMs: number): void {
    if (heldMs === 0) {
      session.settle(inbound);
      return;
    }
    const nowMs = this.#now();
    session.settle(inbound, nowMs + heldMs);
    if (session.asset.isHoldNoticeDue(nowMs)) session.noticeHeld(heldNotice(heldMs));
  }
}
