import type { ServerResponse } from "node:http";
import type { StoredEvent } from "../../../domain/events/events.ts";
import type { EventFeed } from "../../../ingest/delivery/event-feed.ts";
import { eventText } from "../../../ingest/delivery/event-view.ts";
import type { EventRecords } from "../../../storage/ports/events/events.ts";
import { type EventSelection, selects } from "./event-query.ts";

/** Bytes that may still wait when the next events come; more, and the reader is dropped (docs/rules.md#webhooks-and-streams). */
const MAX_WAITING_BYTES = 1024 * 1024;
/**
 * Events read and written at a time while a reader catches up, about 70 kB: more is memory for each reader,
 * fewer is more queries.
 */
const REPLAY_EVENTS = 100;
/** After how long a client whose stream ended reconnects, ms. */
const RETRY_MS = 3_000;
/**
 * How long a reader may take what was written before the end, ms: longer delays a stop, shorter cuts off
 * slow readers.
 */
const LINGER_MS = 1_000;

/** Why a stream ended: the client left, was too slow, lost its key, or this side could not go on. */
export type StreamEnd = "left" | "slow" | "revoked" | "closing" | "failed";

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
  readonly #response: ServerResponse;
  /** Everything up to here was written, or is not for this reader. */
  #sequence: number;
  #isLive = false;
  #end: StreamEnd | undefined;
  #error: unknown;
  #releaseWriter: () => void = () => undefined;
  /** Writes begun and writes that the socket took, in all. */
  #begun = 0;
  #done = 0;
  /** Where these stood at the last ping. */
  #lastBegun = 0;
  #lastDone = 0;

  constructor(options: StreamReaderOptions) {
    const { response } = options;
    this.#options = options;
    this.#response = response;
    this.#sequence = options.after;
    response.on("drain", () => this.#releaseWriter());
    // A socket that fails also closes.
    response.on("error", () => undefined);
    response.once("close", () => {
      this.#end ??= "left";
      this.#releaseWriter();
      options.onEnd(this.#end, this.#error);
    });
  }

  /** Sends the beginning and catches up. */
  begin(): void {
    // With an id from the start, a client that is cut before its first event misses nothing either.
    this.#write(`retry: ${RETRY_MS}\nid: ${this.#sequence}\n\n`);
    this.#beginCatchUp();
  }

  /** Writes what is new to a live reader; one that still catches up finds it by itself. */
  wake(): void {
    if (!this.#isLive || this.#end !== undefined) return;
    // Before this batch: a batch that is large by itself does not mean a slow client.
    if (this.#response.writableLength > MAX_WAITING_BYTES) {
      this.#drop();
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

  /**
   * Shows the client, and whatever is in between, that the stream lives, and moves the client's last
   * id on past events that it did not ask for. A client that took nothing of what waited for it at
   * the last ping is dropped.
   */
  ping(): void {
    if (this.#end !== undefined) return;
    const wasWaiting = this.#lastBegun > this.#lastDone;
    if (wasWaiting && this.#done === this.#lastDone) {
      this.#drop();
      return;
    }
    this.#lastBegun = this.#begun;
    this.#lastDone = this.#done;
    this.#write(`: ping\nid: ${this.#sequence}\n\n`);
  }

  /** Ends the stream behind what was written; a client that does not take that is cut off. */
  end(why: Exclude<StreamEnd, "left" | "slow">): void {
    if (this.#end !== undefined) return;
    this.#end = why;
    this.#releaseWriter();
    this.#response.end();
    const timer = setTimeout(() => this.#response.destroy(), LINGER_MS);
    this.#response.once("close", () => clearTimeout(timer));
  }

  #drop(): void {
    this.#end = "slow";
    this.#response.destroy();
  }

  #beginCatchUp(): void {
    this.#catchUp().catch((error: unknown) => {
      this.#error = error;
      this.end("failed");
    });
  }

  async #catchUp(): Promise<void> {
    const { feed, records, selection } = this.#options;
    while (this.#end === undefined) {
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
      if (this.#end !== undefined) return;
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
    if (text !== "") this.#write(text);
  }

  #write(text: string): void {
    this.#begun += 1;
    this.#response.write(text, this.#onWritten);
  }

  readonly #onWritten = (): void => {
    this.#done += 1;
  };

  /** Resolves when the client has taken what was written, or the stream is over. */
  async #taken(): Promise<void> {
    if (!this.#response.writableNeedDrain) return;
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
