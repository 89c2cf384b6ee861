/**
 * What differs between two runs of the same program by nature, all of it: the clock, random ids, and
 * addresses. It is replaced before two answers are compared, and nothing else is.
 */

import { HOUR_MS } from "../../domain/time.ts";

/** When the clock of a service under comparison begins, ms since the Unix epoch: no input has a time near it. */
export const CLOCK_START_MS = Date.UTC(2026, 11, 24, 12);
/** Times from then on for so long are the clock's, ms. Longer than any comparison, shorter than to an input. */
const CLOCK_LENGTH_MS = 12 * HOUR_MS;

/** Fields of an event that depend on how many late readings came in one batch, and on the order of projects. */
const BATCH_FIELDS: ReadonlySet<string> = new Set(["revision", "sequence"]);

/**
 * Events that the clock publishes: a device that has been quiet for so long, and a service that falls due, which is
 * looked up at intervals. The maintenance of an asset, read at the end, still shows the latter.
 */
const CLOCK_EVENT =
  /^equipment\.(?:asset\.(?:offline|online|silent|reporting)|project\.(?:outage|recovered)|maintenance\.\w+)$/;

/** Fields of an asset that say how far apart its messages arrived, and whether its device is connected still. */
const ARRIVALS: ReadonlySet<string> = new Set(["reporting_interval_s", "link"]);

const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|\+00:00)/g;
/** A prefix with 16 random characters, or with 22 of a digest of random ones: not a word of small letters. */
const RANDOM_ID = /\b[a-z]{2,8}_(?=[a-z_-]*[0-9A-Z])(?:[\w-]{22}|[0-9A-Za-z]{16})(?![\w-])/g;
/** Of a message in quarantine: the random id of the process that received it, and a number. */
const MESSAGE_ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d+\b/g;
const REQUEST_ID = /\breq_[\w-]+/g;
/** A time as pages show it. */
const SHOWN_TIME = /\b(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) UTC\b/g;
/** Of an event of a report, which has the random part of the report within. */
const REPORT_EVENT = /\b(evt_rpt_)[0-9A-Za-z]{16}(?=_)/g;
/** Of a signed link. */
const SIGNED = /([?&](?:amp;)?)(expires|signature)=[\w.~%-]+/g;
const LOOPBACK = /\bhttps?:\/\/127\.0\.0\.1:\d+/g;

/** Whether an event or alert of this type comes of the clock, and not of a message. */
export const isClockEvent = (type: unknown): boolean => CLOCK_EVENT.test(String(type));

/** An event without what the batches of messages decide. */
export const withoutBatches = (
  event: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(event).filter(([name]) => !BATCH_FIELDS.has(name)));

/** A visit without its length as long as it goes on: until now, then. */
export const withoutRunningLength = (
  visit: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  typeof visit["exited_at"] === "string" ? visit : { ...visit, duration_s: "<until now>" };

/** Payloads may count back from their arrival, and SenML forth by up to 2^28 s (RFC 8428 section 4.5.3), ms. */
const BACK_MS = HOUR_MS;
const FORTH_MS = (2 ** 28 - 1) * 1_000;

const isClock = (atMs: number): boolean =>
  [atMs, atMs - FORTH_MS].some(
    (ms) => ms >= CLOCK_START_MS - BACK_MS && ms < CLOCK_START_MS + CLOCK_LENGTH_MS,
  );

/** Gives each random id the number of its first appearance, so that what refers to what still shows. */
export class Plainer {
  readonly #ids = new Map<string, number>();

  /** A copy of JSON without what differs by nature; object keys are sorted. */
  value(given: unknown): unknown {
    if (typeof given === "string") return this.text(given);
    if (typeof given === "number") return isClock(given) ? "<clock>" : given;
    if (Array.isArray(given)) return given.map((one: unknown) => this.value(one));
    if (typeof given !== "object" || given === null) return given;
    const sorted = Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      sorted.map(([key, value]) => [
        this.text(key),
        ARRIVALS.has(key) ? "<arrivals>" : this.value(value),
      ]),
    );
  }

  text(given: string): string {
    return given
      .replaceAll(LOOPBACK, "<service>")
      .replaceAll(SIGNED, "$1$2=<$2>")
      .replaceAll(MESSAGE_ID, "<message>")
      .replaceAll(REQUEST_ID, "<request>")
      .replaceAll(REPORT_EVENT, "$1<report>")
      .replaceAll(SHOWN_TIME, (time, date, minute) =>
        isClock(Date.parse(`${date}T${minute}Z`)) ? "<clock>" : time,
      )
      .replaceAll(TIME, (time) => (isClock(Date.parse(time)) ? "<clock>" : time))
      .replaceAll(RANDOM_ID, (id) => `<id ${this.#number(id)}>`);
  }

  #number(id: string): number {
    const number = this.#ids.get(id) ?? this.#ids.size + 1;
    this.#ids.set(id, number);
    return number;
  }
}

/** The same JSON without what differs by nature, with random ids by number. */
export const plain = (given: unknown): unknown => new Plainer().value(given);
