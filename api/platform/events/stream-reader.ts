import type { ServerResponse } from "node:http";
import type { StoredEvent } from "../../../domain/events/events.ts";
import type { EventFeed } from "../../../ingest/delivery/event-feed.ts";
import { eventText } from "../../../ingest/delivery/event-view.ts";
import type { EventRecords } from "../../../storage/ports/events/events.ts";
import { SseConnection, type StreamEnd } from "../../streams/sse-connection.ts";
import { type EventSelection, selects } from "./event-query.ts";

/** Bytes that may still wait when the next events come; more, and the reader is dropped (docs/rules.md#webhooks-and-streams). */
const MAX_WAITING_BYTES = 1024 * 1024;
/**
 * Events read and written at a time while a reader catches up, about 70 kB: more is memory for each reader,
 * fewer is more queries.
 */
const REPLAY_EVENTS = 100;
export interface StreamReaderOptions {
  /** With its headers set and nothing sent. */
  readonly response: ServerResponse;
  /** Sequence after which the events begin. */
  readonly after: number;
  readonly selection: EventSelection;
  readonly records: Pick<EventRecords, "after">;
  readonly feed: Pick<EventFeed, "lastSequence" | "recent">;
  /** Called once, when the connection is gone; `error`: what `failed` was. */
  readonly onEnd: (why: StreamEnd, error?: unknown) => void;
}

/**
 * One client of the event stream. It catches up in pages, each when the client has taken the one before; from
 * then on it is live, and what the feed has in memory behind its place is written at each wake-up. Only a
 * live reader can fall behind, and then it is dropped: it reconnects with the last id it saw, and catches up.
 */
export class StreamReader {
  readonly #options: StreamReaderOptions;
  readonly #connection: SseConnection;
  /** Everything up to here was written, or is not for this reader. */
  #sequence: number;
  #isLive = false;
  #releaseWriter: () => void = () => undefined;

  constructor(options: StreamReaderOptions) {
    const { response, onEnd } = options;
    this.#options = options;
    this.#sequence = options.after;
    this.#connection = new SseConnection({
      response,
      onDrain: () => this.#releaseWriter(),
      onEnd,
    });
  }

  /** Sends the beginning and catches up. */
  begin(): void {
    this.#connection.begin(String(this.#sequence));
    this.#beginCatchUp();
  }

  /** Writes what is new to a live reader; one that still catches up finds it by itself. */
  wake(): void {
    if (!this.#isLive || this.#connection.isOver) return;
    // Before this batch: a batch that is large by itself does not mean a slow client.
    if (this.#connection.waitingBytes > MAX_WAITING_BYTES) {
      this.#connection.drop();
      return;
    }
    const recent = this.#options.feed.recent(this.#sequence);
    if (recent === undefined) {
      this.#isLive = false;
      this.#beginCatchUp();
      return;
    }
    this.#send(recent);
    this.#sequence = Math.max(this.#sequence, recent.at(-1)?.sequence ?? 0);
  }

  /** As {@link SseConnection.ping}. */
  ping(): void {
    this.#connection.ping(String(this.#sequence));
  }

  /** As {@link SseConnection.end}. */
  end(why: Exclude<StreamEnd, "left" | "slow">): void {
    this.#connection.end(why);
  }

  #beginCatchUp(): void {
    this.#catchUp().catch((error: unknown) => this.#connection.end("failed", error));
  }

  async #catchUp(): Promise<void> {
    const { feed, records, selection } = this.#options;
    while (!this.#connection.isOver) {
      const known = feed.lastSequence;
      const recent = feed.recent(this.#sequence);
      if (recent !== undefined && recent.length <= REPLAY_EVENTS) {
        // Nothing is awaited after the read of the feed, so the next wake-up reads what follows.
        this.#send(recent);
        this.#sequence = Math.max(this.#sequence, known);
        this.#isLive = true;
        return;
      }
      const page =
        recent?.slice(0, REPLAY_EVENTS) ??
        (await records.after(this.#sequence, { ...selection, limit: REPLAY_EVENTS }));
      // With nothing more to come, all events known before the read have been read.
      const isLast = page.length < REPLAY_EVENTS;
      const reached = page.at(-1)?.sequence ?? this.#sequence;
      if (this.#connection.isOver) return;
      this.#send(page);
      this.#sequence = isLast ? Math.max(reached, known) : reached;
      await this.#taken();
    }
  }

  #send(events: readonly StoredEvent[]): void {
    const { selection } = this.#options;
    let text = "";
    for (const event of events) {
      if (event.sequence > this.#sequence && selects(selection, event)) text += frameOf(event);
    }
    if (text !== "") this.#connection.write(text);
  }

  /** Resolves when the client has taken what was written, or the stream is over. */
  async #taken(): Promise<void> {
    if (!this.#connection.needsDrain) return;
    await new Promise<void>((resolve) => {
      this.#releaseWriter = resolve;
    });
  }
}

const frames = new WeakMap<StoredEvent, string>();

/** The event as a block of the stream; made once, however many readers it goes to. */
function frameOf(event: StoredEvent): string {
  const known = frames.get(event);
  if (known !== undefined) return known;
  const frame = `id: ${event.sequence}\nevent: ${event.type}\ndata: ${eventText(event)}\n\n`;
  frames.set(event, frame);
  return frame;
}
