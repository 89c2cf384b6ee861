import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";
import { Counter, Gauge, type Registry } from "prom-client";
import { Type } from "typebox";
import type { EventFeed } from "../../../ingest/delivery/event-feed.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { EventRecords } from "../../../storage/ports/events/events.ts";
import { principal } from "../../auth/guard.ts";
import type { Credential, Identities } from "../../auth/identities.ts";
import { callerOf, hasScope } from "../../auth/principal.ts";
import { FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import {
  CURSOR_PATTERN,
  EVENT_FILTERS,
  LATEST,
  readCursor,
  readSelection,
  readSequence,
} from "./event-query.ts";
import { StreamReader } from "./stream-reader.ts";

export interface EventStreamOptions {
  readonly events: EventRecords;
  readonly feed: EventFeed;
  readonly directory: AssetDirectory;
  readonly identities: Identities;
  readonly metrics: Registry;
}

/** Streams that one key, or one session, may have open (docs/rules.md#webhooks-and-streams). */
const STREAMS_PER_KEY = 5;
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
/** HTTP has it in lower case; the description says it as browsers send it. */
const LAST_EVENT_ID = "last-event-id";

/** `GET /events/stream`, mounted at `/api/v1`: events as they become known, as server-sent events. */
const eventStream: FastifyPluginAsyncTypebox<EventStreamOptions> = async (app, options) => {
  const { events: records, feed, directory, identities, metrics } = options;
  /** Open streams, what they were opened with, and by whom. */
  const readers = new Map<
    StreamReader,
    { readonly credential: Credential | undefined; readonly caller: string }
  >();
  let isClosing = false;

  const ended = new Counter({
    name: "plumbline_event_streams_ended_total",
    help: "Event streams that ended, by why",
    labelNames: ["reason"],
    registers: [metrics],
  });
  new Gauge({
    name: "plumbline_event_streams",
    help: "Event streams open now",
    registers: [metrics],
    collect() {
      this.set(readers.size);
    },
  });

  const unsubscribe = feed.subscribe(() => {
    for (const reader of readers.keys()) reader.wake();
  });
  const pinging = setInterval(() => {
    for (const reader of readers.keys()) reader.ping();
  }, PING_MS);
  const rechecking = setInterval(() => {
    for (const [reader, { credential }] of readers) recheck(reader, credential);
  }, RECHECK_MS);

  function recheck(reader: StreamReader, credential: Credential | undefined): void {
    if (credential === undefined) {
      reader.end("revoked");
      return;
    }
    identities.authenticate(credential).then(
      (found) => {
        if (found === undefined || !hasScope(found, "events:read")) reader.end("revoked");
      },
      // The record store is unavailable, and so are events: the last answer holds until it is back.
      () => undefined,
    );
  }

  function openStreams(caller: string): number {
    let count = 0;
    for (const reader of readers.values()) if (reader.caller === caller) count += 1;
    return count;
  }

  // Before the server waits for its connections, which these would keep open.
  app.addHook("preClose", (done) => {
    isClosing = true;
    unsubscribe();
    clearInterval(pinging);
    clearInterval(rechecking);
    for (const reader of readers.keys()) reader.end("closing");
    done();
  });

  app.get(
    "/events/stream",
    {
      // A HEAD of it would never end.
      exposeHeadRoute: false,
      config: { access: "events:read", stream: true },
      schema: {
        operationId: "streamEvents",
        tags: ["platform"],
        summary: "Events as they become known, as server-sent events",
        description:
          "Each event comes with its sequence as `id`, its type as `event` and the object of GET /events as `data`. A client that reconnects with `Last-Event-ID` misses none and gets none twice. At most 5 streams per key or session; a client that reads too slowly is disconnected and can reconnect",
        headers: Type.Object({
          [LAST_EVENT_ID]: Type.Optional(
            Type.String({
              description: "Continues after this event; takes precedence over `cursor`",
            }),
          ),
        }),
        querystring: Type.Object({
          cursor: Type.Optional(
            Type.String({
              pattern: CURSOR_PATTERN,
              description:
                "Begins with the events of a higher sequence. Absent, or `latest`: with events from now on",
            }),
          ),
          ...EVENT_FILTERS,
        }),
        response: {
          200: {
            description: "The stream; it ends when the key does",
            content: {
              "text/event-stream": {
                schema: Type.String({ description: "Server-sent events, as browsers read them" }),
              },
            },
          },
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      const selection = readSelection(directory, request, request.query);
      const lastEventId = request.headers[LAST_EVENT_ID] ?? "";
      const after =
        lastEventId === ""
          ? await readCursor(request.query.cursor ?? LATEST, feed, records)
          : await readSequence("Last-Event-ID", lastEventId, feed, records);
      const caller = callerOf(principal(request));
      if (openStreams(caller) >= STREAMS_PER_KEY) {
        reply.header("retry-after", RETRY_AFTER_S);
        const message = `An API key or session may have ${STREAMS_PER_KEY} event streams open`;
        throw new Refusal(429, "rate_limit_exceeded", message);
      }
      reply
        .type("text/event-stream")
        .header("cache-control", "no-store")
        // Proxies such as nginx would otherwise gather the events before they pass them on.
        .header("x-accel-buffering", "no")
        // Nothing follows on this connection; with that said it closes with the stream.
        .header("connection", "close");
      takeOver(reply);
      // The client left while its key was checked, and this would not be noticed again.
      if (reply.raw.destroyed) return;
      const reader = new StreamReader({
        response: reply.raw,
        after,
        selection,
        records,
        feed,
        onEnd(why, error) {
          readers.delete(reader);
          ended.inc({ reason: why });
          if (error !== undefined) request.log.warn({ err: error }, "event stream failed");
        },
      });
      readers.set(reader, { credential: identities.credentialOf(request), caller });
      reader.begin();
      // Opened while the server stops: it asks the client to reconnect.
      if (isClosing) reader.end("closing");
    },
  );
};

/** Takes the response out of Fastify's hands, with the headers that the hooks gave it. */
function takeOver(reply: FastifyReply): void {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}

export default eventStream;
