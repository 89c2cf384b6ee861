import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { AssetId, ProjectId } from "../../domain/ids.ts";
import { startEventFeed } from "../../ingest/delivery/event-feed.ts";
import type { AlertChange } from "../../storage/ports/equipment/alerts.ts";
import { visibleAsset } from "../access/asset-access.ts";
import { principal } from "../auth/guard.ts";
import type { Identities } from "../auth/identities.ts";
import { needsOneOf } from "../auth/needs-one-of.ts";
import type { ApiDependencies } from "../dependencies/dependencies.ts";
import { FAILURES } from "../errors/error.ts";
import { seesJobs } from "../job-views/job-view.ts";
import { severalOf } from "../schemas/several.ts";
import { beginStream, OpenStreams, STREAMS_PER_KEY } from "../streams/open-streams.ts";
import { followJobs } from "./job-changes.ts";
import { LiveFleet } from "./live-fleet.ts";
import { readPlace } from "./live-place.ts";
import { LIVE_SCOPES, LIVE_TOPICS, mayGoOn, readScope, requireTopics } from "./live-scope.ts";
import { LiveStream } from "./live-stream.ts";
import { createSelectedAssets } from "./selected-assets.ts";
import { shareFeed, type UsedFeed } from "./shared-feed.ts";

/** HTTP has it in lower case; the description says it as browsers send it. */
const LAST_EVENT_ID = "last-event-id";

/** Least time between two log lines, ms: every stream meets the outage of a store twice a second. */
const LOG_MS = 60_000;

/** What a stream looks like. */
const EXAMPLE = [
  "retry: 3000\nid: k3Jd0aXwq1Zr8c4T.-.4711.203\n",
  'id: k3Jd0aXwq1Zr8c4T.17.4711.203\nevent: snapshot\ndata: {"view":"k3Jd0aXwq1Zr8c4T","change":17,"rows":[["excavator-7",53.5511,9.9937,270,12.5,2.5,"active",1772712000000,0]]}\n',
  'id: k3Jd0aXwq1Zr8c4T.18.4711.203\nevent: positions\ndata: {"view":"k3Jd0aXwq1Zr8c4T","from":17,"change":18,"rows":[["excavator-7",53.5512,9.9937,0,11.9,2.5,"active",1772712001000,0]],"gone":[]}\n',
].join("\n");

const DESCRIPTION = `One stream for everything that a page shows live (docs/events.md#the-live-stream). Messages by their \`event\`:

- \`snapshot\`, first: \`{view, change, rows}\`, each row \`[id, lat, lng, heading, speed_kmh, accuracy_m, status, fix_ms, flags]\`, null where it is not known. \`flags\` is a sum: 1 registered place, 2 mocked, 4 accuracy assumed, 8 speed derived, 16 heading derived, 32 time of receipt, 64 silent, 128 offline, 256 GPS stuck, 512 never heard of.
- \`positions\`, at most once a second: \`{view, from, change, rows, gone}\` with the rows that changed since \`from\`, and the ids that are no longer there.
- \`event\`: the object of GET /events. \`alert\`: that of GET /equipment/alerts, whenever it changed. \`job\`: at the start and whenever it changed. \`asset\`: that of GET /equipment/assets/{asset_id} for \`asset_id\`, \`null\` once it is not there.

A client that reconnects with \`Last-Event-ID\` misses no event and gets none twice; positions go on, or begin with a snapshot. At most ${STREAMS_PER_KEY} streams per key or session`;

/** `GET /live`, mounted at `/api/v1`: positions, events, alerts and jobs in one stream of server-sent events. */
const live: FastifyPluginAsyncTypebox<
  ApiDependencies & { readonly identities: Identities }
> = async (app, deps) => {
  const { records, directory, feed, identities, metrics, now, log } = deps;
  const onError = sayRarely((error) => log.warn({ err: error }, "live streams are behind"));
  const sources = { directory, live: deps.live, now };
  const fleet = new LiveFleet({ ...sources, onError });
  const selectedText = createSelectedAssets({
    ...sources,
    zoneOf: deps.zoneOf ?? (() => undefined),
  });
  const jobs = followJobs(records.jobs, onError);
  const useAlerts = shareFeed<AlertChange>(
    () => startEventFeed({ records: records.alerts, name: "changes of alerts", log }),
    onError,
  );
  const streams = new OpenStreams<LiveStream>(app, { kind: "live", identities, metrics });

  app.get(
    "/live",
    {
      // A HEAD of it would never end.
      exposeHeadRoute: false,
      onRequest: needsOneOf(...LIVE_SCOPES),
      config: { access: "any key", stream: true },
      schema: {
        operationId: "streamLive",
        tags: ["platform"],
        summary: "Positions, events, alerts and jobs as they change, in one stream",
        description: DESCRIPTION,
        headers: Type.Object({
          [LAST_EVENT_ID]: Type.Optional(
            Type.String({ description: "Id of the last message; goes on behind it" }),
          ),
        }),
        querystring: Type.Object({
          topics: severalOf(Type.Enum([...LIVE_TOPICS])),
          project_id: severalOf(ProjectId),
          asset_id: Type.Optional(AssetId),
        }),
        response: {
          200: {
            description: "The stream; it ends when the key does",
            content: {
              "text/event-stream": {
                schema: Type.String({
                  description: "Server-sent events, as browsers read them",
                  examples: [EXAMPLE],
                }),
              },
            },
          },
          ...FAILURES,
        },
      },
    },
    async (request, reply) => {
      const { topics = LIVE_TOPICS, project_id, asset_id } = request.query;
      const key = principal(request);
      requireTopics(key, topics, asset_id);
      const scope = readScope(directory, request, project_id);
      if (asset_id !== undefined) visibleAsset(directory, request, asset_id);
      const place = await placeOf(request);
      streams.requirePlace(request, reply);
      const has = (topic: (typeof LIVE_TOPICS)[number]) => topics.includes(topic);
      let alerts: UsedFeed<AlertChange> | undefined;
      try {
        if (has("alerts")) alerts = await useAlerts();
        if (has("positions")) await fleet.ready();
        if (has("jobs")) await jobs.ready();
        // Others may have come meanwhile.
        streams.requirePlace(request, reply);
      } catch (error) {
        alerts?.release();
        throw error;
      }
      const response = beginStream(reply);
      if (response === undefined) {
        alerts?.release();
        return;
      }
      // The same rows, counted by the same process.
      const isSameView = place?.view === fleet.viewOf(scope);
      const stream = new LiveStream({
        response,
        scope,
        fleet,
        ...(has("positions")
          ? { positions: { from: isSameView ? place?.change : undefined } }
          : {}),
        ...(has("events")
          ? { events: { feed, records: records.events, after: place?.event ?? feed.lastSequence } }
          : {}),
        ...(alerts === undefined
          ? {}
          : {
              alerts: {
                feed: alerts.feed,
                records: records.alerts,
                after: place?.alert ?? alerts.feed.lastSequence,
              },
            }),
        ...(has("jobs")
          ? {
              jobs: {
                changes: jobs,
                sees: ({ kind, projectId }) => seesJobs(key, kind) && scope.sees(projectId),
              },
            }
          : {}),
        ...(asset_id === undefined
          ? {}
          : { selected: { text: () => selectedText(asset_id, key) } }),
        onEnd(why, error) {
          alerts?.release();
          streams.remove(stream, why, request, error);
        },
        onError,
      });
      stream.begin();
      streams.add(stream, request, mayGoOn(key, scope));
    },
  );

  async function placeOf(request: FastifyRequest) {
    const { [LAST_EVENT_ID]: text = "" } = request.headers;
    return text === "" ? undefined : readPlace(String(text), feed, records);
  }
};

/** Calls `say` with the first error, and then at most once a minute. */
function sayRarely(say: (error: unknown) => void): (error: unknown) => void {
  let saidMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - saidMs < LOG_MS) return;
    saidMs = performance.now();
    say(error);
  };
}

export default live;
