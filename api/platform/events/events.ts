import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { EventView } from "../../../domain/events/event-view.ts";
import type { EventFeed } from "../../../ingest/delivery/event-feed.ts";
import { eventText } from "../../../ingest/delivery/event-view.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { EventRecords } from "../../../storage/ports/events/events.ts";
import { FAILURES } from "../../errors/error.ts";
import { afterParameter, EVENT_FILTERS, readAfter, readSelection } from "./event-query.ts";

export interface EventsOptions {
  readonly events: EventRecords;
  readonly feed: EventFeed;
  readonly directory: AssetDirectory;
}

/** Events of one answer: catching up takes more than a page on a screen; 1,000 are 700 kB, made in one go. */
const LIMIT = { default: 100, max: 1_000 } as const;
const JSON_UTF8 = "application/json; charset=utf-8";

const EventPage = Type.Object(
  {
    data: Type.Array(EventView),
    next_after: Type.Integer({
      minimum: 0,
      description: "`after` of the next request: all events up to it were read",
    }),
    has_more: Type.Boolean({ description: "Whether more are there already" }),
  },
  { title: "EventPage" },
);

/** The outbox in pages, mounted at `/api/v1`: complete, whatever happens on stream, MQTT and webhooks. */
const events: FastifyPluginAsyncTypebox<EventsOptions> = async (app, options) => {
  const { events: records, feed, directory } = options;

  app.get(
    "/events",
    {
      config: { access: "events:read" },
      schema: {
        operationId: "listEvents",
        tags: ["platform"],
        summary: "Events, in the order in which they became known",
        querystring: Type.Object({
          after: afterParameter(
            "Only events with a higher sequence: `next_after` of the answer before. `latest`: events from now on. Absent: from the oldest that is kept",
          ),
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: LIMIT.max,
              description: `Most events of the answer; ${LIMIT.default} when absent`,
            }),
          ),
          ...EVENT_FILTERS,
        }),
        response: {
          200: {
            description: "Events, ascending by sequence",
            content: { "application/json": { schema: EventPage } },
          },
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      const { after: afterText = "0", limit = LIMIT.default } = request.query;
      const selection = readSelection(directory, request, request.query);
      const after = await readAfter(afterText, feed, records);
      const newest = feed.lastSequence;
      const found = await records.after(after, { ...selection, limit: limit + 1 });
      const page = found.slice(0, limit);
      const hasMore = found.length > limit;
      const reached = page.at(-1)?.sequence ?? after;
      // With nothing more to come, all events known before the read have been read: a filter that matches
      // little does not go through the same events again.
      const nextAfter = hasMore ? reached : Math.max(reached, newest);
      const texts = page.map(eventText).join(",");
      return reply
        .type(JSON_UTF8)
        .send(`{"data":[${texts}],"next_after":${nextAfter},"has_more":${hasMore}}`);
    },
  );
};

export default events;
