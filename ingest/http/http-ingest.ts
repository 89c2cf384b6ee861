import type { Logger } from "pino";
import { REGISTERED_FORMAT } from "../../domain/equipment/topics.ts";
import type { AssetId } from "../../domain/ids.ts";
import { plainAddress } from "../../domain/platform/plain-address.ts";
import { isLorawanDecoder } from "../decoders/lorawan/device-eui.ts";
import { decoderNamed } from "../decoders/registry.ts";
import { assetNamed, type DeviceReport } from "../device-log/connections/noted-connections.ts";
import type { AssetDirectory, AssetEntry } from "../directories/asset-directory.ts";
import { AssetSessions } from "../intake/asset-sessions.ts";
import type { MessageResult } from "../intake/inbound-message.ts";
import type { Intake } from "../intake/intake.ts";
import { createCounters } from "../intake/readings/counters.ts";
import { HTTP_INGEST_COUNTERS } from "./counters.ts";
import {
  type Caller,
  createDeviceDoor,
  type DeviceAdmission,
  type DeviceDoor,
} from "./device-door.ts";
import type { DeviceCredentials } from "./device-login.ts";
import { splitLines } from "./lines.ts";
import { SentBefore } from "./sent-before.ts";
import { lorawanSubject, type Subject, type SubjectNames, subjectOf } from "./subject.ts";

/**
 * Lines of an NDJSON body. Each is a record of the journal. More would hold up others' messages of that moment
 * for longer than 0.1 s; fewer would make gateways send more requests.
 */
const MAX_LINES = 5_000;
/** Without a message, until an asset's session is closed and its next one is a connection in its log, ms. */
const IDLE_MS = 300_000;
const SWEEP_MS = 60_000;

/** One request of an asset that was let in. */
export interface IngestRequest {
  /** Name of a decoder, or `device` for the one that the asset is registered with. */
  readonly decoder: string;
  readonly names: SubjectNames;
  readonly body: Buffer;
  /** Whether each line of the body is a message of its own. */
  readonly isLines: boolean;
  readonly idempotencyKey: string | undefined;
  readonly address: string;
}

/** What became of one message. `not_stored`: it has to be sent again. */
export type MessageOutcome =
  | MessageResult["outcome"]
  | "unknown_device"
  | "foreign_asset"
  | "not_stored";

/** A message that is not plainly stored. */
export interface IngestProblem {
  /** Line of the body, from 1. */
  readonly line: number;
  readonly outcome: MessageOutcome;
  readonly reason: string | undefined;
  /** Readings of it that are durable all the same; absent: none. */
  readonly readings?: number;
}

/** What is remarkable about a message that is stored, such as a value that is not believed. */
export interface IngestNotice {
  /** Line of the body, from 1. */
  readonly line: number;
  readonly notice: string;
}

/** What became of the messages of a request. */
export interface IngestReport {
  /** How many messages came to each end. */
  readonly counts: Readonly<Record<MessageOutcome, number>>;
  readonly messages: number;
  /** Readings that are durable. */
  readonly readings: number;
  /** Every message that is neither stored nor known from before, by line. */
  readonly problems: readonly IngestProblem[];
  /** The first 100, by line. */
  readonly notices: readonly IngestNotice[];
  /** To be called when the client has the whole answer; a body whose answer is lost is known again. */
  answered(): void;
}

/**
 * Why nothing of a request was processed.
 * - `rate_limited`: answers to the asset are held back already, because it is faster than its rate.
 * - `busy`: the journal takes nothing now, or too much waits for it.
 */
export type IngestRefusal =
  | { readonly refusal: "unknown_decoder" | "foreign" | "rate_limited" | "busy" }
  | { readonly refusal: "malformed"; readonly problem: string };

export interface HttpIngestOptions {
  readonly intake: Intake;
  readonly directory: Pick<AssetDirectory, "find" | "findByHardwareId">;
  /** Compares a secret with its HMAC in constant time. */
  readonly verifySecret: (secret: string, hash: Uint8Array) => boolean;
  /** Secret of the installation; requests are named by a hash under it. */
  readonly pepper: Uint8Array;
  readonly log: Pick<Logger, "warn">;
  /** Whether devices must present a client certificate, as over MQTT; those of this machine need none. */
  readonly demandsCertificate?: boolean;
  /** Takes what became of log-ins; must not throw and must not take long. */
  readonly onConnection?: (report: DeviceReport) => void;
  /** Server clock, ms since the Unix epoch. */
  readonly now?: () => number;
}

/** A message, and the line that it is on. */
interface Numbered {
  readonly line: number;
  readonly payload: Buffer;
}

/** Readings of devices by HTTP, with the durability and the rules of MQTT. */
export class HttpIngest implements DeviceDoor {
  readonly #intake: Intake;
  readonly #directory: HttpIngestOptions["directory"];
  readonly #onConnection: (report: DeviceReport) => void;
  readonly #now: () => number;
  readonly #counters = createCounters(HTTP_INGEST_COUNTERS);
  readonly #sessions: AssetSessions;
  readonly #sentBefore: SentBefore;
  readonly #door: DeviceDoor;
  /** When each asset was let in last, ms; forgotten when that was long ago. */
  readonly #seenMs = new Map<AssetId, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: HttpIngestOptions) {
    const { intake, directory, verifySecret, log, onConnection, now = Date.now } = options;
    this.#intake = intake;
    this.#directory = directory;
    this.#onConnection = onConnection ?? (() => undefined);
    this.#now = now;
    this.#sessions = new AssetSessions(intake, "http-ingest", now);
    this.#sentBefore = new SentBefore(now, options.pepper);
    const { demandsCertificate } = options;
    this.#door = createDeviceDoor({ directory, verifySecret, log, demandsCertificate, now });
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#timer.unref();
  }

  #sweep(): void {
    this.#sessions.closeIdle(IDLE_MS);
    this.#sentBefore.sweep();
    const nowMs = this.#now();
    for (const [assetId, seenMs] of this.#seenMs) {
      if (nowMs - seenMs >= IDLE_MS) this.#seenMs.delete(assetId);
    }
  }

  /** Whether messages are stored now; while they are not, no body need be sent. */
  get accepting(): boolean {
    return this.#intake.accepting;
  }

  /**
   * Finds who sends, by what proves it. The log of connections has every refusal, and the first request
   * after five quiet minutes.
   */
  logIn(credentials: DeviceCredentials, caller: Caller): DeviceAdmission {
    const found = this.#door.logIn(credentials, caller);
    if ("refusal" in found) {
      const isBarred = found.refusal === "barred";
      this.#counters[isBarred ? "http_login_blocked" : "http_login_failed"] += 1;
      this.#note(found.refusal, credentials.username, caller);
    } else {
      const nowMs = this.#now();
      const { id } = found.entry.asset;
      if (nowMs - (this.#seenMs.get(id) ?? Number.NEGATIVE_INFINITY) >= IDLE_MS) {
        this.#note("accepted", credentials.username, caller);
      }
      this.#seenMs.set(id, nowMs);
    }
    return found;
  }

  /** Counts a request that is refused before its messages are processed. */
  refused(why: "malformed" | "unavailable"): void {
    this.#counters[`http_${why}`] += 1;
  }

  /** Stores the messages of a request; resolves when each is durable, needs not be stored, or was refused. */
  async take(caller: AssetEntry, request: IngestRequest): Promise<IngestReport | IngestRefusal> {
    const counters = this.#counters;
    counters.http_requests += 1;
    const { names, body, address } = request;
    const name = decoderFor(caller, request.decoder);
    const decoder = decoderNamed(name);
    if (decoder === undefined) return this.#refuse("unknown_decoder");
    const messages = messagesOf(request);
    if (typeof messages === "string") {
      counters.http_malformed += 1;
      return { refusal: "malformed", problem: messages };
    }
    if (!this.accepting) return this.#refuse("busy");
    const whole = subjectOf(caller, names, this.#directory);
    if ("foreign" in whole) {
      await this.#reportForeign(caller, whole.foreign, decoder.topicFormat);
      return { refusal: "foreign" };
    }
    // A network server has one request for all of its devices.
    const isPerMessage = isLorawanDecoder(name) && names.asset === undefined;
    const subjects = messages.map(({ payload }) =>
      isPerMessage ? lorawanSubject(caller, name, payload, this.#directory) : whole,
    );
    const isThrottled = subjects.some(
      (subject) => "entry" in subject && this.#sessions.isThrottled(subject.entry.asset.id),
    );
    if (isThrottled) return this.#refuse("rate_limited");
    // By its subject, however that was named: two phones of a crew may send the same.
    const about = "entry" in whole ? whole.entry.asset.id : "";
    const path = `${name}/${about}`;
    const sender = this.#sentBefore.nameOf(caller.asset.id, path, body, request.idempotencyKey);
    const report = new Report(sender.settled);
    const groups = new Map<AssetEntry, Numbered[]>();
    const passing: Promise<void>[] = [];
    for (const [i, subject] of subjects.entries()) {
      const message = messages[i];
      if (message === undefined) continue;
      if ("entry" in subject) {
        const group = groups.get(subject.entry) ?? [];
        groups.set(subject.entry, group);
        group.push(message);
      } else {
        this.#passOver(caller, subject, message, report, address);
        if ("foreign" in subject) {
          passing.push(this.#reportForeign(caller, subject.foreign, decoder.topicFormat));
        }
      }
    }
    const taking = [...groups].map(async ([entry, group]) => {
      const results = await this.#sessions.takeBatch(entry, {
        format: decoder.topicFormat,
        messages: group.map(({ line, payload }) => ({ payload, number: line })),
        ...sender,
      });
      for (const [i, { line }] of group.entries()) report.add(line, results?.[i]);
    });
    await Promise.all([...taking, ...passing]);
    counters.http_accepted += report.messages - report.counts.not_stored;
    if (report.counts.not_stored > 0) counters.http_unavailable += 1;
    return report.sorted();
  }

  /** A message that intake is not asked to store. */
  #passOver(
    caller: AssetEntry,
    subject: Exclude<Subject, { readonly entry: AssetEntry }>,
    { line }: Numbered,
    report: Report,
    address: string,
  ): void {
    if ("foreign" in subject) {
      report.note(line, "foreign_asset", `${caller.asset.id} may not speak for ${subject.foreign}`);
      return;
    }
    this.#counters.http_unknown_devices += 1;
    this.#note("unknown_user", subject.unknown, { address, isSecure: false });
    report.note(
      line,
      "unknown_device",
      `no LoRaWAN asset of the project has the hardware_id ${subject.unknown}`,
    );
  }

  /** An event of the caller, as for a publish outside its own topics. */
  async #reportForeign(caller: AssetEntry, whose: string, format: string): Promise<void> {
    this.#counters.http_foreign += 1;
    await this.#sessions.refuse(caller, `sites/${caller.project.id}/assets/${whose}/${format}`);
  }

  #refuse(refusal: "unknown_decoder" | "rate_limited" | "busy"): IngestRefusal {
    if (refusal === "unknown_decoder") this.#counters.http_malformed += 1;
    else if (refusal === "busy") this.#counters.http_unavailable += 1;
    else this.#counters.http_rate_limited += 1;
    return { refusal };
  }

  #note(outcome: string, name: string, { address, isSecure }: Omit<Caller, "isCertified">): void {
    this.#onConnection({
      listener: isSecure ? "https" : "http",
      outcome,
      assetId: assetNamed(name, this.#directory),
      hardwareId: name,
      address: plainAddress(address),
      atMs: this.#now(),
    });
  }

  /** Counters since the start, and the gauges `http_sessions` and `http_unsettled`. */
  stats(): Readonly<Record<string, number>> {
    return {
      ...this.#counters,
      http_sessions: this.#sessions.size,
      http_unsettled: this.#sentBefore.size,
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#sessions.close();
  }
}

/** The name of a decoder that a path means; `device` is the one that the caller is registered with. */
export const decoderFor = ({ asset }: AssetEntry, given: string): string =>
  given === REGISTERED_FORMAT ? asset.decoder : given;

/** The messages of a body, or what is wrong with it. */
function messagesOf({ body, isLines }: IngestRequest): readonly Numbered[] | string {
  if (!isLines) return body.byteLength === 0 ? EMPTY : [{ line: 1, payload: body }];
  const lines = splitLines(body, MAX_LINES);
  if (lines === undefined) return `The body has more than ${MAX_LINES} lines`;
  return lines.length === 0 ? EMPTY : lines;
}

const EMPTY = "The body is empty";

/** Longest reason in an answer, characters: 5,000 lines of 200 are 1 MB. */
const MAX_REASON = 200;
/** Notices in an answer. The same one comes with every line, so a few show what is wrong. */
const MAX_NOTICES = 100;

class Report implements IngestReport {
  readonly counts: Record<MessageOutcome, number> = {
    stored: 0,
    duplicate: 0,
    quarantined: 0,
    ignored: 0,
    foreign_topic: 0,
    unknown_device: 0,
    foreign_asset: 0,
    not_stored: 0,
  };
  readonly problems: IngestProblem[] = [];
  readonly notices: IngestNotice[] = [];
  messages = 0;
  readings = 0;
  readonly #settled: () => void;

  constructor(settled: () => void) {
    this.#settled = settled;
  }

  /** `undefined`: intake did not take it. */
  add(line: number, result: MessageResult | undefined): void {
    const outcome = result?.outcome ?? "not_stored";
    this.readings += result?.readings ?? 0;
    for (const notice of result?.remarks ?? []) {
      if (this.notices.length < MAX_NOTICES) this.notices.push({ line, notice });
    }
    if (outcome === "stored" || outcome === "duplicate") this.#count(outcome);
    else this.note(line, outcome, result?.reason, result?.readings);
  }

  note(line: number, outcome: MessageOutcome, reason: string | undefined, readings = 0): void {
    this.#count(outcome);
    this.problems.push({
      line,
      outcome,
      reason: reason?.slice(0, MAX_REASON),
      ...(readings === 0 ? {} : { readings }),
    });
  }

  #count(outcome: MessageOutcome): void {
    this.messages += 1;
    this.counts[outcome] += 1;
  }

  /** With problems and notices in order of their lines. */
  sorted(): this {
    this.problems.sort((a, b) => a.line - b.line);
    this.notices.sort((a, b) => a.line - b.line);
    return this;
  }

  answered(): void {
    if (this.counts.not_stored === 0) this.#settled();
  }
}
