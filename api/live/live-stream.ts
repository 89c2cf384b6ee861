import type { ServerResponse } from "node:http";
import type { StoredEvent } from "../../domain/events/events.ts";
import type { JobId, ProjectId } from "../../domain/ids.ts";
import type { Feed } from "../../ingest/delivery/event-feed.ts";
import { eventText } from "../../ingest/delivery/event-view.ts";
import {
  createOutboxFollower,
  type OutboxFollower,
} from "../../ingest/delivery/outbox-follower.ts";
import type { Sequenced } from "../../ingest/delivery/recent-events.ts";
import type { AlertChange, AlertRecords } from "../../storage/ports/equipment/alerts.ts";
import type { EventRecords } from "../../storage/ports/events/events.ts";
import type { JobOutline } from "../../storage/ports/platform/jobs.ts";
import { alertView } from "../equipment/alerts/alert-view.ts";
import { jobView } from "../job-views/job-view.ts";
import { SseConnection, type StreamEnd } from "../streams/sse-connection.ts";
import type { JobChanges } from "./job-changes.ts";
import type { LiveFleet } from "./live-fleet.ts";
import { type LivePlace, placeId } from "./live-place.ts";
import type { LiveScope } from "./live-scope.ts";

/**
 * Bytes that may wait for a client before it gets events, alerts and jobs, which wait in the store meanwhile. Fewer
 * makes a quick client wait for the next turn; more is memory for each slow one.
 */
const ROOM_BYTES = 256 * 1024;

/** What a stream reads on from, from a place of its own. */
interface Followed<T extends Sequenced, Records> {
  readonly feed: Feed<T>;
  readonly records: Records;
  /** Sequence after which it begins. */
  readonly after: number;
}

export interface LiveStreamOptions {
  /** With its headers set and nothing sent. */
  readonly response: ServerResponse;
  readonly scope: LiveScope;
  readonly fleet: LiveFleet;
  /** Positions are sent; `from`: the change that the client has, `undefined` for none. */
  readonly positions?: { readonly from: number | undefined };
  readonly events?: Followed<StoredEvent, Pick<EventRecords, "after">>;
  readonly alerts?: Followed<AlertChange, Pick<AlertRecords, "after">>;
  readonly jobs?: { readonly changes: JobChanges; sees(job: JobOutline): boolean };
  /** The machine whose fields are sent: JSON of it as it is now, `null` once the key cannot see it. */
  readonly selected?: { text(): string };
  /** Called once, when the connection is gone; `error`: what `failed` was. */
  readonly onEnd: (why: StreamEnd, error?: unknown) => void;
  /** Called with the error of a read that failed; it is repeated. */
  readonly onError: (error: unknown) => void;
}

/**
 * One client of the live stream. What replaces what came before (positions, the selected machine, jobs) is written
 * only once the client has taken the last of it, and then as it is by that time; events and alerts wait in the feed
 * or the store. So a client that reads slowly is behind by what its socket holds, and no memory grows with it.
 */
export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #connection: SseConnection;
  readonly #view: string;
  readonly #events: OutboxFollower | undefined;
  readonly #alerts: OutboxFollower | undefined;
  /** What ends the subscriptions. */
  readonly #ends: (() => void)[] = [];
  /** The change up to which rows were sent, or are not for this client; what the last message said. */
  #change: number | undefined;
  #sentChange: number | undefined;
  #arePositionsTaken = true;
  #assetText = "";
  #isAssetTaken = true;
  /** Jobs that changed and were not written yet. */
  readonly #jobs = new Map<JobId, JobOutline>();

  constructor(options: LiveStreamOptions) {
    const { response, scope, fleet, positions, events, alerts, onEnd } = options;
    this.#options = options;
    this.#view = fleet.viewOf(scope);
    this.#change = positions?.from;
    this.#sentChange = positions?.from;
    this.#connection = new SseConnection({
      response,
      onDrain: () => this.#wake(),
      onEnd: (why, error) => {
        this.#stop();
        onEnd(why, error);
      },
    });
    this.#events = events && this.#follow(events, frameOfEvent, ({ projectId }) => projectId);
    this.#alerts = alerts && this.#follow(alerts, frameOfAlert, ({ alert }) => alert.projectId);
  }

  /** Sends the beginning, and subscribes to what follows. */
  begin(): void {
    const { fleet, positions, selected, events, alerts, jobs } = this.#options;
    this.#connection.begin(this.#id());
    if (positions !== undefined || selected !== undefined) {
      this.#ends.push(fleet.subscribe(() => this.#tick()));
      this.#tick();
    }
    if (events !== undefined) this.#ends.push(events.feed.subscribe(() => this.#events?.wake()));
    if (alerts !== undefined) this.#ends.push(alerts.feed.subscribe(() => this.#alerts?.wake()));
    if (jobs !== undefined) {
      this.#ends.push(jobs.changes.subscribe((changed) => this.#takeJobs(changed)));
      this.#takeJobs([...jobs.changes.current()]);
    }
    this.#wake();
  }

  /** As {@link SseConnection.ping}. */
  ping(): void {
    this.#connection.ping(this.#id());
  }

  /** As {@link SseConnection.end}. */
  end(why: Exclude<StreamEnd, "left" | "slow">): void {
    this.#connection.end(why);
  }

  #id(place: Partial<LivePlace> = {}): string {
    return placeId({
      view: this.#view,
      change: this.#sentChange,
      event: this.#events?.readTo,
      alert: this.#alerts?.readTo,
      ...place,
    });
  }

  readonly #hasRoom = (): boolean =>
    !this.#connection.isOver && this.#connection.waitingBytes < ROOM_BYTES;

  #follow<T extends Sequenced>(
    { feed, records, after }: Followed<T, RecordsOf<T>>,
    frame: (row: T) => Frame,
    projectOf: (row: T) => string | undefined,
  ): OutboxFollower {
    const { scope, onError } = this.#options;
    const { projectIds } = scope;
    const query = projectIds === undefined ? {} : { projectIds: [...projectIds] };
    const filter = {
      wants: (row: T) => scope.sees(projectOf(row) as ProjectId | undefined),
      query,
    };
    return createOutboxFollower<T, typeof query>({
      from: after,
      feed,
      events: records,
      filter: () => filter,
      hasRoom: this.#hasRoom,
      take: (rows) => {
        let text = "";
        for (const row of rows) {
          const { place, block } = frame(row);
          text += `id: ${this.#id(place)}\n${block}`;
        }
        this.#connection.write(text);
      },
      onError,
    });
  }

  /** There may be something to write, or room for it. */
  #wake(): void {
    if (this.#connection.isOver) return;
    this.#events?.wake();
    this.#alerts?.wake();
    this.#sendJobs();
  }

  #tick(): void {
    if (this.#connection.isOver) return;
    this.#sendPositions();
    this.#sendSelected();
    this.#wake();
  }

  #sendPositions(): void {
    const { positions, fleet, scope } = this.#options;
    if (positions === undefined || !this.#arePositionsTaken) return;
    const { change } = fleet;
    if (change === this.#change) return;
    const message =
      this.#change === undefined || this.#sentChange === undefined
        ? fleet.snapshot(scope)
        : fleet.since(this.#change, this.#sentChange, scope);
    this.#change = change;
    if (message === undefined) return;
    this.#sentChange = change;
    this.#arePositionsTaken = false;
    this.#connection.write(`id: ${this.#id()}\n`, message, () => {
      this.#arePositionsTaken = true;
    });
  }

  #sendSelected(): void {
    const { selected } = this.#options;
    if (selected === undefined || !this.#isAssetTaken) return;
    const text = selected.text();
    if (text === this.#assetText) return;
    this.#assetText = text;
    this.#isAssetTaken = false;
    const block = `id: ${this.#id()}\nevent: asset\ndata: ${text}\n\n`;
    this.#connection.write(block, undefined, () => {
      this.#isAssetTaken = true;
    });
  }

  #takeJobs(jobs: readonly JobOutline[]): void {
    for (const job of jobs) if (this.#options.jobs?.sees(job)) this.#jobs.set(job.id, job);
    this.#sendJobs();
  }

  #sendJobs(): void {
    if (this.#jobs.size === 0 || !this.#hasRoom()) return;
    let text = "";
    for (const job of this.#jobs.values()) {
      text += `id: ${this.#id()}\nevent: job\ndata: ${JSON.stringify(jobView(job))}\n\n`;
    }
    this.#jobs.clear();
    this.#connection.write(text);
  }

  #stop(): void {
    for (const end of this.#ends) end();
    this.#events?.stop();
    this.#alerts?.stop();
  }
}

/** Where rows of a followed kind are read from. */
interface RecordsOf<T> {
  after(
    after: number,
    filter: { readonly projectIds?: readonly ProjectId[]; readonly limit: number },
  ): Promise<readonly T[]>;
}

/** A message without its id, and the part of the id that it moves. */
interface Frame {
  readonly place: Partial<LivePlace>;
  readonly block: string;
}

/** Made once for each row, however many readers it goes to. */
function framed<T extends object>(make: (row: T) => Frame): (row: T) => Frame {
  const frames = new WeakMap<T, Frame>();
  return (row) => {
    const known = frames.get(row) ?? make(row);
    frames.set(row, known);
    return known;
  };
}

const frameOfEvent = framed<StoredEvent>((event) => ({
  place: { event: event.sequence },
  block: `event: event\ndata: ${eventText(event)}\n\n`,
}));

const frameOfAlert = framed<AlertChange>(({ sequence, alert }) => ({
  place: { alert: sequence },
  block: `event: alert\ndata: ${JSON.stringify(alertView(alert))}\n\n`,
}));
