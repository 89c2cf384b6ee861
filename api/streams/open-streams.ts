import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Counter, Gauge, type Registry } from "prom-client";
import { principal } from "../auth/guard.ts";
import type { Credential, Identities } from "../auth/identities.ts";
import { callerOf, type Principal } from "../auth/principal.ts";
import { Refusal } from "../errors/refusal.ts";
import type { StreamEnd } from "./sse-connection.ts";

/** Streams of one kind that one key, or one session, may have open (docs/rules.md#webhooks-and-streams). */
export const STREAMS_PER_KEY = 5;
/**
 * When the client that was refused for that may ask again, s: a ping, by which a stream whose client is gone
 * is noticed. Sooner meets the same refusal.
 */
const RETRY_AFTER_S = 15;
/** How often a quiet stream says that it lives, ms (docs/rules.md#webhooks-and-streams). */
const PING_MS = 15_000;
/**
 * How often the keys of open streams are checked, ms. The keyring refreshes at most every 2.5 s, at the first
 * check after that, and the next check sees the revocation: within 5 s in all (docs/rules.md#keys-and-requests).
 */
const RECHECK_MS = 1_000;

/** One client's stream, as it is kept open. */
interface OpenStream {
  /** Called every 15 s. */
  ping(): void;
  end(why: Exclude<StreamEnd, "left" | "slow">): void;
}

/** Whose a stream is, and what the key must still be allowed for it to go on. */
interface StreamOwner {
  /** What it was opened with. */
  readonly credential: Credential | undefined;
  readonly caller: string;
  readonly mayGoOn: (key: Principal) => boolean;
}

export interface OpenStreamsOptions {
  /** What the streams are of, as in `plumbline_{kind}_streams`. */
  readonly kind: string;
  readonly identities: Identities;
  readonly metrics: Registry;
}

/**
 * The open streams of one kind: how many a key may have, signs of life, the end with the key and with the server.
 * All of it ends with `app`.
 */
export class OpenStreams<Stream extends OpenStream> {
  readonly #kind: string;
  readonly #identities: Identities;
  readonly #owners = new Map<Stream, StreamOwner>();
  readonly #ended: Counter;
  #isClosing = false;

  constructor(app: FastifyInstance, { kind, identities, metrics }: OpenStreamsOptions) {
    this.#kind = kind;
    this.#identities = identities;
    this.#ended = new Counter({
      name: `plumbline_${kind}_streams_ended_total`,
      help: `${capitalised(kind)} streams that ended, by why`,
      labelNames: ["reason"],
      registers: [metrics],
    });
    const owners = this.#owners;
    new Gauge({
      name: `plumbline_${kind}_streams`,
      help: `${capitalised(kind)} streams open now`,
      registers: [metrics],
      collect() {
        this.set(owners.size);
      },
    });
    const pinging = setInterval(() => {
      for (const stream of owners.keys()) stream.ping();
    }, PING_MS);
    const rechecking = setInterval(() => {
      for (const [stream, owner] of owners) this.#recheck(stream, owner);
    }, RECHECK_MS);
    // Before the server waits for its connections, which these would keep open.
    app.addHook("preClose", (done) => {
      this.#isClosing = true;
      clearInterval(pinging);
      clearInterval(rechecking);
      for (const stream of owners.keys()) stream.end("closing");
      done();
    });
  }

  /** All streams that are open. */
  all(): Iterable<Stream> {
    return this.#owners.keys();
  }

  /** @throws Refusal 429 for a key or session that has as many streams open as it may. */
  requirePlace(request: FastifyRequest, reply: FastifyReply): void {
    const caller = callerOf(principal(request));
    let count = 0;
    for (const owner of this.#owners.values()) if (owner.caller === caller) count += 1;
    if (count < STREAMS_PER_KEY) return;
    reply.header("retry-after", RETRY_AFTER_S);
    const message = `An API key or session may have ${STREAMS_PER_KEY} ${this.#kind} streams open`;
    throw new Refusal(429, "rate_limit_exceeded", message);
  }

  /**
   * Keeps a stream until `remove`. It ends when its key does, or is no longer one that `mayGoOn` lets pass, and
   * immediately while the server stops: that asks the client to reconnect.
   */
  add(stream: Stream, request: FastifyRequest, mayGoOn: StreamOwner["mayGoOn"]): void {
    const credential = this.#identities.credentialOf(request);
    this.#owners.set(stream, { credential, caller: callerOf(principal(request)), mayGoOn });
    if (this.#isClosing) stream.end("closing");
  }

  /** Forgets a stream whose connection is gone; `error`: what `failed` was. */
  remove(stream: Stream, why: StreamEnd, request: FastifyRequest, error?: unknown): void {
    this.#owners.delete(stream);
    this.#ended.inc({ reason: why });
    if (error !== undefined) request.log.warn({ err: error }, `${this.#kind} stream failed`);
  }

  #recheck(stream: Stream, { credential, mayGoOn }: StreamOwner): void {
    if (credential === undefined) {
      stream.end("revoked");
      return;
    }
    this.#identities.authenticate(credential).then(
      (found) => {
        if (found === undefined || !mayGoOn(found)) stream.end("revoked");
      },
      // The record store is unavailable, and so is what the stream shows: the last answer holds until it is back.
      () => undefined,
    );
  }
}

/**
 * Sends the headers of server-sent events, and takes the response out of Fastify's hands with the headers that the
 * hooks gave it. `undefined`: the client left before, which would not be noticed again.
 */
export function beginStream(reply: FastifyReply): ServerResponse | undefined {
  reply
    .type("text/event-stream")
    .header("cache-control", "no-store")
    // Proxies such as nginx would otherwise gather the events before they pass them on.
    .header("x-accel-buffering", "no")
    // Nothing follows on this connection; with that said it closes with the stream.
    .header("connection", "close");
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  return reply.raw.destroyed ? undefined : reply.raw;
}

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
