/** One message of a stream of server-sent events. */
interface SseMessage {
  /** Name of the kind; `message` where the stream gave none. */
  readonly event: string;
  readonly data: string;
  /** Id to go on behind after this message; empty where the stream gave none yet. */
  readonly id: string;
}

/**
 * Reads server-sent events from text in pieces of any size (the "Event stream interpretation" of the HTML standard).
 * `EventSource` shows neither the pings of a stream, by which a dead connection is noticed, nor the status of a
 * refusal.
 */
export class SseReader {
  #rest = "";
  #event = "";
  #data: string[] = [];
  #lastId: string;

  /** @param lastId id that another reader of the stream came to; empty: none did */
  constructor(lastId = "") {
    this.#lastId = lastId;
  }

  /** Id to go on behind after a new connection; empty before the first. */
  get lastId(): string {
    return this.#lastId;
  }

  /** Takes the next piece; yields the messages that it completes. */
  read(text: string): readonly SseMessage[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#take(line));
  }

  /** A new connection: what the last one left unfinished is not continued. */
  restart(): void {
    this.#rest = "";
    this.#event = "";
    this.#data = [];
  }

  #take(line: string): readonly SseMessage[] {
    if (line === "") return this.#finish();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    else if (field === "data") this.#data.push(value);
    else if (field === "id" && !value.includes("\0")) this.#lastId = value;
    return [];
  }

  #finish(): readonly SseMessage[] {
    const message = {
      event: this.#event || "message",
      data: this.#data.join("\n"),
      id: this.#lastId,
    };
    const hasData = this.#data.length > 0;
    this.#event = "";
    this.#data = [];
    return hasData ? [message] : [];
  }
}
