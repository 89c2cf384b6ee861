import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import { type FleetSourceId, isId, newId } from "../../../domain/ids.ts";
import { createSecretSeal } from "../../../ingest/credentials/secret-seal.ts";
import { isSameServer } from "../../../outbound/same-server.ts";
import type {
  PolledFleetSource,
  FleetSource as StoredSource,
} from "../../../storage/ports/equipment/fleet-sources.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { principal } from "../../auth/guard.ts";
import { needsEveryProject } from "../../auth/needs-every-project.ts";
import type { FleetSourceDependencies } from "../../dependencies/dependencies.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { type CsvColumns, sendList } from "../../representations/send-list.ts";
import { sortedBy } from "../../schemas/page.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { once } from "../../writes/once.ts";
import { ifMatching, noteState, removeMatching } from "../../writes/resource-tag.ts";
import { requireReachable, sealAuth } from "./fleet-source-auth.ts";
import {
  FleetSource,
  FleetSourceChange,
  FleetSourceList,
  FleetSourcePath,
  NewFleetSource,
} from "./fleet-source-schemas.ts";
import { fleetSourceRow, fleetSourceView } from "./fleet-source-view.ts";

/** The order of the list. */
const ORDER = sortedBy("created_at");

export interface FleetSourcesOptions extends FleetSourceDependencies {
  readonly records: Pick<RecordStore, "fleetSources" | "transaction">;
  readonly pepper: Uint8Array;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

const DEFAULT_INTERVAL_S = 900;

const COLUMNS: CsvColumns<FleetSource> = {
  id: (source) => source.id,
  name: (source) => source.name,
  url: (source) => source.url,
  auth: (source) => source.auth.kind,
  interval_s: (source) => source.interval_s,
  status: (source) => source.status,
  outcome: (source) => source.last_poll?.outcome,
  failure: (source) => source.last_poll?.failure,
  machines: (source) => source.last_poll?.machines,
  machines_matched: (source) => source.last_poll?.machines_matched,
  last_poll_at: (source) => source.last_poll?.started_at,
  next_poll_at: (source) => source.next_poll_at,
};

/**
 * Other makers' ISO 15143-3 servers that are polled, mounted at `/api/v1/equipment`. A source feeds assets of
 * any project: to a key that is limited to some there are none.
 */
const fleetSources: FastifyPluginAsyncTypebox<FleetSourcesOptions> = async (app, options) => {
  const { records, outbound, changed, now } = options;
  const sources = records.fleetSources;
  const seal = createSecretSeal(options.pepper, "fleetSources");

  /** @throws DomainError `SOURCE_NOT_FOUND`, also for a key that does not see every project. */
  async function visibleSource(request: FastifyRequest, id: FleetSourceId) {
    // The path is not validated: text that is not an id names nothing, and never reaches the database.
    const found = seesAll(request) && isId(id) ? await sources.find(id) : undefined;
    if (found === undefined) throw new DomainError("SOURCE_NOT_FOUND", `no fleet source ${id}`);
    return found;
  }

  app.post(
    "/fleet-sources",
    {
      config: { access: "equipment:write", once: "transaction", sends: ["Location"] },
      onRequest: needsEveryProject,
      schema: {
        operationId: "createFleetSource",
        tags: ["equipment"],
        summary: "Poll another maker's ISO 15143-3 (AEMP 2.0) server; begins immediately",
        description:
          "Readings go to the assets whose hardware_id is the PIN, serial number or equipment id of a machine. For keys that see every project.",
        body: NewFleetSource,
        response: { 201: FleetSource, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      await requireReachable(outbound, "url", body.url);
      const id = newId<FleetSourceId>("src");
      const auth = await sealAuth({ outbound, seal }, id, body.auth ?? { kind: "none" });
      const source: StoredSource = {
        id,
        name: body.name ?? new URL(body.url).hostname,
        url: body.url,
        auth,
        intervalS: body.interval_s ?? DEFAULT_INTERVAL_S,
        series: body.series ?? [],
        status: "active",
        createdAtMs: now(),
        updatedAtMs: now(),
      };
      const answer = await once(request, reply.code(201), records, async (transaction) => {
        await transaction.fleetSources.insert(source);
        return fleetSourceView({ source, lastPoll: undefined, pollRequestedAtMs: undefined });
      });
      changed();
      return reply.header("location", `/api/v1/equipment/fleet-sources/${id}`).send(answer);
    },
  );

  app.get(
    "/fleet-sources",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listFleetSources",
        tags: ["equipment"],
        summary: "Servers of other makers that are polled, with the outcome of the last poll",
        querystring: Type.Object(ORDER.parameters),
        response: { 200: jsonOrCsv("Fleet sources", FleetSourceList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const found = seesAll(request) ? await sources.list() : [];
      return sendList(
        request,
        reply,
        found.map(fleetSourceRow),
        ORDER.pageOf(request.query),
        COLUMNS,
      );
    },
  );

  app.get(
    "/fleet-sources/:source_id",
    {
      config: { access: "equipment:read", tagged: true },
      schema: {
        operationId: "getFleetSource",
        tags: ["equipment"],
        summary: "One source, with problems and unknown machines of the last poll",
        params: FleetSourcePath,
        response: { 200: FleetSource, ...FAILURES },
      },
    },
    async (request) => {
      const found = await visibleSource(request, request.params.source_id);
      noteState(request, found.source);
      return fleetSourceView(found);
    },
  );

  app.patch(
    "/fleet-sources/:source_id",
    {
      config: { access: "equipment:write", tagged: true },
      schema: {
        operationId: "updateFleetSource",
        tags: ["equipment"],
        summary: "Change, disable or enable a source; absent fields stay as they are",
        description:
          "New credentials replace all old ones, and are needed when the URL leads to another server. An active source is polled immediately.",
        params: FleetSourcePath,
        body: FleetSourceChange,
        response: { 200: FleetSource, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { body } = request;
      const { source } = await visibleSource(request, request.params.source_id);
      if (body.url !== undefined) await requireReachable(outbound, "url", body.url);
      const auth = body.auth && (await sealAuth({ outbound, seal }, source.id, body.auth));
      const change = (before: StoredSource): StoredSource => {
        const url = body.url ?? before.url;
        // Whoever may change the address must not learn the password by it.
        if (auth === undefined && before.auth.kind !== "none" && !isSameServer(url, before.url)) {
          throw invalidParameter("auth", "must be given anew: the URL leads elsewhere");
        }
        return {
          ...before,
          name: body.name ?? before.name,
          url,
          auth: auth ?? before.auth,
          intervalS: body.interval_s ?? before.intervalS,
          series: body.series ?? before.series,
          status: body.status ?? before.status,
          // Two changes in one ms are two all the same.
          updatedAtMs: Math.max(now(), before.updatedAtMs + 1),
        };
      };
      const after = await sources.update(source.id, ifMatching(request, change));
      changed();
      return fleetSourceView(after);
    },
  );

  app.delete(
    "/fleet-sources/:source_id",
    {
      config: { access: "equipment:write", tagged: true },
      schema: {
        operationId: "deleteFleetSource",
        tags: ["equipment"],
        summary: "Stop polling a server; what was read from it stays",
        params: FleetSourcePath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { source } = await visibleSource(request, request.params.source_id);
      await removeMatching(
        request,
        records,
        (transaction, keep) => transaction.fleetSources.update(source.id, keep),
        (stored) => stored.fleetSources.delete(source.id),
      );
      changed();
      return reply.code(204).send(null);
    },
  );

  app.post(
    "/fleet-sources/:source_id/poll",
    {
      config: { access: "equipment:write", once: "transaction" },
      schema: {
        operationId: "pollFleetSource",
        tags: ["equipment"],
        summary: "Poll a source now; last_poll shows the outcome",
        params: FleetSourcePath,
        response: { 202: FleetSource, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const polled: PolledFleetSource = await visibleSource(request, request.params.source_id);
      const { source } = polled;
      if (source.status !== "active") {
        throw new Refusal(409, "conflict", "The source is disabled");
      }
      const atMs = Math.max(now(), (polled.pollRequestedAtMs ?? 0) + 1);
      const answer = await once(request, reply.code(202), records, async (transaction) => {
        await transaction.fleetSources.requestPoll(source.id, atMs);
        return fleetSourceView({ ...polled, pollRequestedAtMs: atMs });
      });
      changed();
      return answer;
    },
  );
};

const seesAll = (request: FastifyRequest): boolean => principal(request).projectIds === undefined;

export default fleetSources;
