import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Registry } from "prom-client";
import { Type } from "typebox";
import type { EventFeed } from "../../../ingest/delivery/event-feed.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { EventRecords } from "../../../storage/ports/events/events.ts";
import type { Identities } from "../../auth/identities.ts";
import { hasScope } from "../../auth/principal.ts";
import { FAILURES } from "../../errors/error.ts";
import { beginStream, OpenStreams } from "../../streams/open-streams.ts";
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

/** HTTP has it in lower case; the description says it as browsers send it. */
const LAST_EVENT_ID = "last-event-id";

/** `GET /events/stream`, mounted at `/api/v1`: events as they become known, as server-sent events. */
const eventStream: FastifyPluginAsyncTypebox<EventStreamOptions> = async (app, options) => {
  const { events: records, feed, directory, identities, metrics } = options;
  const streams = new OpenStreams<StreamReader>(app, { kind: "event", identities, metrics });
  const unsubscribe = feed.subscribe(() => {
    for (const reader of streams.all()) reader.wake();
  });
  app.addHook("preClose", (done) => {
    unsubscribe();
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
      streams.requirePlace(request, reply);
      const response = beginStream(reply);
      if (response === undefined) return;
      const reader = new StreamReader({
        response,
        after,
        selection,
        records,
        feed,
        onEnd: (why, error) => streams.remove(reader, why, request, error),
      });
      reader.begin();
      streams.add(reader, request, (key) => hasScope(key, "events:read"));
    },
  );
};

export default eventStream;
