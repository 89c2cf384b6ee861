import type { Logger } from "pino";
import type { AssetId, FleetSourceId } from "../../../domain/ids.ts";
import { DAY_MS, SECOND_MS } from "../../../domain/time.ts";
import type { OutboundClient } from "../../../outbound/client.ts";
import type {
  FleetPoll,
  FleetSourceRecords,
  PolledFleetSource,
} from "../../../storage/ports/equipment/fleet-sources.ts";
import type { SecretSeal } from "../../credentials/secret-seal.ts";
import type { AssetDirectory } from "../../directories/asset-directory.ts";
import { AssetSessions } from "../../intake/asset-sessions.ts";
import type { Intake } from "../../intake/intake.ts";
import type { FleetCounters } from "./fleet/counters.ts";
import { PollReport } from "./fleet/poll-report.ts";
import { SectionMemory } from "./fleet/section-memory.ts";
import { type KnownPages, type PolledPages, pollSource } from "./fleet/source-poll.ts";
import { createAsk } from "./pages/ask.ts";
import { FleetFailure } from "./pages/failure.ts";
import { MAX_PAGES } from "./pages/limits.ts";
import { createFleetLogin, type FleetLogin } from "./pages/login.ts";
import { nextPollMs } from "./poll-schedule.ts";
import { newSeriesMemory, pollSeries, type SeriesMemory } from "./series/poll-series.ts";

/** Sources that are polled at once. Chosen: a page in each is being read into memory. */
const AT_ONCE = 4;
/**
 * A next poll further ahead than any wait is left over from another time of our clock. Longer leaves a source
 * unread for as long after the clock was set back.
 */
const LONGEST_WAIT_MS = 2 * DAY_MS;

export interface FleetPollerOptions {
  readonly records: Pick<FleetSourceRecords, "list" | "taken" | "recordPoll">;
  readonly seal: Pick<SecretSeal, "open">;
  readonly outbound: Pick<OutboundClient, "send">;
  readonly directory: Pick<AssetDirectory, "findByHardwareId">;
  /** Rises with every change of assets. */
  readonly registrations: () => number;
  readonly intake: Intake;
  readonly retentionDays: number;
  /** Absent: as many as a poll ever reads. */
  readonly maxPages?: number;
  readonly counters: FleetCounters;
  readonly log: Pick<Logger, "warn" | "error">;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** What is remembered of a source from poll to poll. */
interface Remembered {
  /** Of the registration that this belongs to. */
  readonly updatedAtMs: number;
  /** `undefined` until the first poll. */
  sections: SectionMemory | undefined;
  login: FleetLogin | undefined;
  readonly pages: KnownPages;
  readonly series: SeriesMemory;
  /** Whether a page has shown that levels are percent. */
  readonly levels: { isPercent: boolean };
  /** The newest poll, though the record store may not know of it. */
  lastPoll: FleetPoll | undefined;
  /** The newest request for a poll that was dealt with, ms. */
  requestedAtMs: number | undefined;
  running: Promise<void> | undefined;
}

/**
 * Polls other makers' servers when they are due. A poll is: the pages of the source one after the other, what
 * is new of each machine through intake, the outcome into the record store. Not before that is done does the
 * source become due again.
 */
export class FleetPoller {
  readonly #options: FleetPollerOptions;
  readonly #known = new Map<FleetSourceId, Remembered>();
  readonly #stopping = new AbortController();

  constructor(options: FleetPollerOptions) {
    this.#options = options;
  }

  /**
   * Begins the polls that are due, as far as there may be more at once.
   * @throws DomainError `STORE_UNAVAILABLE`.
   */
  async poll(): Promise<void> {
    const found = await this.#options.records.list();
    const ids = new Set(found.map(({ source }) => source.id));
    for (const [id, { running }] of this.#known) {
      if (!ids.has(id) && running === undefined) this.#known.delete(id);
    }
    const due = found.filter((polled) => this.#isDue(polled));
    const dueSince = ({ lastPoll }: PolledFleetSource) => lastPoll?.nextPollAtMs ?? 0;
    due.sort((a, b) => dueSince(a) - dueSince(b));
    for (const polled of due) {
      if (this.#stopping.signal.aborted || this.#runningCount() >= AT_ONCE) return;
      this.#begin(polled);
    }
  }

  /** Resolves when no poll is under way any more. */
  async settled(): Promise<void> {
    while (this.#runningCount() > 0) {
      await Promise.all([...this.#known.values()].map(({ running }) => running));
    }
  }

  /** Ends the polls under way; what they handed to intake is waited for and noted. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.settled();
  }

  #runningCount(): number {
    return [...this.#known.values()].filter(({ running }) => running !== undefined).length;
  }

  #isDue(polled: PolledFleetSource): boolean {
    const { source } = polled;
    if (source.status !== "active") return false;
    const known = this.#rememberedOf(polled);
    if (known.running !== undefined) return false;
    const last = known.lastPoll;
    if (last === undefined || known.requestedAtMs !== polled.pollRequestedAtMs) return true;
    const nowMs = this.#options.now();
    return nowMs >= last.nextPollAtMs || last.nextPollAtMs - nowMs > LONGEST_WAIT_MS;
  }

  /** A source that was changed starts again; what was taken from it stays known. */
  #rememberedOf({ source, lastPoll, pollRequestedAtMs }: PolledFleetSource): Remembered {
    const known = this.#known.get(source.id);
    if (known?.updatedAtMs === source.updatedAtMs || known?.running !== undefined) return known;
    const isUnanswered =
      pollRequestedAtMs !== undefined && pollRequestedAtMs > (lastPoll?.startedAtMs ?? 0);
    // Changed after its last poll: also by a process whose change is seen only now.
    const isChanged = known !== undefined || source.updatedAtMs > (lastPoll?.startedAtMs ?? 0);
    const fresh: Remembered = {
      updatedAtMs: source.updatedAtMs,
      sections: known?.sections,
      login: undefined,
      pages: new Map(),
      series: newSeriesMemory(),
      levels: { isPercent: false },
      lastPoll: isChanged ? undefined : lastPoll,
      requestedAtMs: isUnanswered ? undefined : pollRequestedAtMs,
      running: undefined,
    };
    this.#known.set(source.id, fresh);
    return fresh;
  }

  #begin(polled: PolledFleetSource): void {
    const { log } = this.#options;
    const known = this.#rememberedOf(polled);
    known.requestedAtMs = polled.pollRequestedAtMs;
    known.running = this.#poll(polled, known)
      .catch((error: unknown) => {
        log.warn({ err: error, source: polled.source.id }, "poll of a fleet was not recorded");
      })
      .finally(() => {
        known.running = undefined;
      });
  }

  async #poll({ source }: PolledFleetSource, known: Remembered): Promise<void> {
    const { records, counters, now } = this.#options;
    const startedAtMs = now();
    // Without it everything would be taken again: rather no poll than that.
    known.sections ??= new SectionMemory(await records.taken(source.id));
    const { sections } = known;
    const { report, failure } = await this.#read(source, known, sections);
    const isStopped = this.#stopping.signal.aborted && failure !== undefined;
    counters.fleet_polls += 1;
    if (failure !== undefined && !isStopped) counters.fleet_polls_failed += 1;
    const failures = failure === undefined ? 0 : (known.lastPoll?.consecutiveFailures ?? 0) + 1;
    const finishedAtMs = now();
    const nextPollAtMs = nextPollMs(
      {
        startedAtMs,
        finishedAtMs,
        intervalMs: source.intervalS * SECOND_MS,
        failures,
        isRefusal: failure?.isRefusal ?? false,
        retryAfterMs: failure?.retryAfterMs,
      },
      this.#options.random(),
    );
    const httpStatus = failure === undefined ? lastStatus(report) : failure.httpStatus;
    const poll: FleetPoll = {
      startedAtMs,
      finishedAtMs,
      nextPollAtMs,
      consecutiveFailures: failures,
      ...(failure === undefined ? {} : { failure: failure.message }),
      ...(httpStatus === undefined ? {} : { httpStatus }),
      ...report.counts(),
    };
    if (!isStopped) known.lastPoll = poll;
    const taken = sections.unsaved();
    // A poll that our own stop ended says nothing of the source: the next start makes it again.
    await records.recordPoll(source.id, isStopped ? undefined : poll, taken);
    sections.saved(taken);
  }

  async #read(
    source: PolledFleetSource["source"],
    known: Remembered,
    memory: SectionMemory,
  ): Promise<PolledPages> {
    const { seal, outbound, directory, registrations, intake } = this.#options;
    const { retentionDays, counters, log, now } = this.#options;
    const { signal } = this.#stopping;
    const ask = createAsk(outbound);
    const sessions = new AssetSessions(intake, `fleet/${source.id}`, now);
    try {
      known.login ??= openLogin(source, { seal, ask, now });
      const options = {
        ask,
        login: known.login,
        known: known.pages,
        levels: known.levels,
        registrations,
        maxPages: this.#options.maxPages ?? MAX_PAGES,
        isStoring: () => intake.accepting,
        signal,
        directory,
        sessions,
        memory,
        retentionMs: retentionDays * DAY_MS,
        counters,
        now,
        series: known.series,
      };
      const polled = await pollSource(source, options);
      // After the fleet: a machine's names are in there.
      if (polled.failure === undefined) {
        const problemsBefore = polled.report.problemCount;
        await pollSeries(source, polled.seen, polled.report, options);
        counters.fleet_problems += polled.report.problemCount - problemsBefore;
      }
      return polled;
    } catch (error) {
      if (error instanceof FleetFailure) return { ...nothingRead(), failure: error };
      log.error({ err: error, source: source.id }, "poll of a fleet broke");
      const failure = new FleetFailure("an error of this service, which its log has");
      return { ...nothingRead(), failure };
    } finally {
      sessions.close();
    }
  }
}

const nothingRead = () => ({ report: new PollReport(), seen: new Map<AssetId, string>() });

function openLogin(
  source: PolledFleetSource["source"],
  options: Parameters<typeof createFleetLogin>[1],
): FleetLogin {
  try {
    return createFleetLogin(source, options);
  } catch {
    throw new FleetFailure(
      "its credentials were stored under another SECRET_KEY; they have to be given again",
    );
  }
}

/** The answer to a poll that went well. */
const lastStatus = ({ pages, unchangedPages }: PollReport): number =>
  pages > 0 && pages === unchangedPages ? 304 : 200;
