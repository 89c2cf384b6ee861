import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { EventView } from "../../../domain/events/event-view.ts";
import type { EventFeed } from "../../../ingest/delivery/event-feed.ts";
import { eventText } from "../../../ingest/delivery/event-view.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { EventRecords } from "../../../storage/ports/events/events.ts";
import { FAILURES } from "../../errors/error.ts";
import { CursorPagination, cursorParameters } from "../../schemas/page.ts";
import { invalidParameter } from "../../validation/validation.ts";
import {
  CURSOR_PATTERN,
  EVENT_FILTERS,
  type EventSelection,
  LATEST,
  readCursor,
  readSelection,
  readSequence,
} from "./event-query.ts";

export interface EventsOptions {
  readonly events: EventRecords;
  readonly feed: EventFeed;
  readonly directory: AssetDirectory;
}

const JSON_UTF8 = "application/json; charset=utf-8";

const EventList = Type.Object(
  { data: Type.Array(EventView), pagination: CursorPagination },
  { title: "EventList" },
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
        summary: "Events, in the order in which they became known, or with before newest first",
        querystring: Type.Object({
          ...cursorParameters({
            pattern: CURSOR_PATTERN,
            description:
              "Only events with a higher sequence: `next_cursor` of the answer before, which is always there. `latest`: events from now on. Absent: from the oldest that is kept",
          }),
          before: Type.Optional(
            Type.String({
              pattern: CURSOR_PATTERN,
              description:
                "In place of cursor, for newest first: only events with a lower sequence: `next_cursor` of the answer before, absent after the oldest. `latest`: from the newest on",
            }),
          ),
          ...EVENT_FILTERS,
        }),
        response: {
          200: {
            description: "Events, ascending by sequence; with before, descending",
            content: { "application/json": { schema: EventList } },
          },
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      const { cursor, before, limit } = request.query;
      const selection = readSelection(directory, request, request.query);
      if (before !== undefined && cursor !== undefined) {
        throw invalidParameter("before", "and cursor exclude each other");
      }
      const page =
        before === undefined
          ? await pageAfter(cursor ?? "0", selection, limit)
          : await pageBefore(before, selection, limit);
      const texts = page.events.map(eventText).join(",");
      const pagination = { limit, has_more: page.hasMore, next_cursor: page.next };
      return reply
        .type(JSON_UTF8)
        .send(`{"data":[${texts}],"pagination":${JSON.stringify(pagination)}}`);
    },
  );

  async function pageAfter(cursor: string, selection: EventSelection, limit: number) {
    const after = await readCursor(cursor, feed, records);
    const newest = feed.lastSequence;
    const found = await records.after(after, { ...selection, limit: limit + 1 });
    const events = found.slice(0, limit);
    const hasMore = found.length > limit;
    const reached = events.at(-1)?.sequence ?? after;
    // With nothing more to come, all events known before the read have been read: a filter that matches
    // little does not go through the same events again.
    return { events, hasMore, next: String(hasMore ? reached : Math.max(reached, newest)) };
  }

  async function pageBefore(text: string, selection: EventSelection, limit: number) {
    const before =
      text === LATEST
        ? (await records.lastSequence()) + 1
        : await readSequence("before", text, feed, records);
    const found = await records.before(before, { ...selection, limit: limit + 1 });
    const events = found.slice(0, limit);
    const last = events.at(-1);
    const hasMore = found.length > limit && last !== undefined;
    return { events, hasMore, next: hasMore ? String(last.sequence) : undefined };
  }
};

export default events;
