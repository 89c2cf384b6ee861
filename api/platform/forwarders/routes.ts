import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { type ForwarderId, newId } from "../../../domain/ids.ts";
import { createSecretSeal } from "../../../ingest/credentials/secret-seal.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { sealCredentials } from "../../../ingest/forwarding/credentials.ts";
import { isSameServer } from "../../../outbound/same-server.ts";
import type { Forwarder as StoredForwarder } from "../../../storage/ports/events/forwarders.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleForwarder } from "../../access/forwarder-access.ts";
import { seesWebhook, subscribedProjects } from "../../access/webhook-access.ts";
import { alsoNeeds } from "../../auth/also-needs.ts";
import { principal } from "../../auth/guard.ts";
import type { ForwarderDependencies } from "../../dependencies/dependencies.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { type CsvColumns, sendList } from "../../representations/send-list.ts";
import { sortedBy } from "../../schemas/page.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { once } from "../../writes/once.ts";
import { ifMatching, noteState, removeMatching } from "../../writes/resource-tag.ts";
import { readCredentials, requireShape, requireUrl } from "./forwarder-checks.ts";
import {
  type Credentials,
  Forwarder,
  ForwarderChange,
  ForwarderList,
  ForwarderPath,
  forwarderView,
  NewForwarder,
} from "./forwarder-schemas.ts";

/** The order of the list. */
const ORDER = sortedBy("created_at");

export interface ForwardersOptions extends ForwarderDependencies {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  readonly pepper: Uint8Array;
  readonly now: () => number;
}

const sum = (of: readonly number[]): number => of.reduce((total, one) => total + one, 0);

const COLUMNS: CsvColumns<Forwarder> = {
  id: (forwarder) => forwarder.id,
  name: (forwarder) => forwarder.name,
  kind: (forwarder) => forwarder.kind,
  url: (forwarder) => forwarder.url,
  project_ids: (forwarder) => forwarder.project_ids?.join(" "),
  status: (forwarder) => forwarder.status,
  sent: ({ progress }) => sum(progress.map(({ sent }) => sent)),
  lag_records: ({ progress }) => sum(progress.map(({ lag_records }) => lag_records)),
  lag_s: ({ progress }) => Math.max(0, ...progress.map(({ lag_s }) => lag_s)),
  last_error: ({ progress }) => progress.find(({ last_error }) => last_error)?.last_error,
  created_at: (forwarder) => forwarder.created_at,
  updated_at: (forwarder) => forwarder.updated_at,
};

/** Systems that readings are passed on to, mounted at `/api/v1`. */
const forwarders: FastifyPluginAsyncTypebox<ForwardersOptions> = async (app, options) => {
  const { records, directory, changed, now } = options;
  const seal = createSecretSeal(options.pepper, "forwarders");
  const writing = { onRequest: alsoNeeds("equipment:write") };

  const sealed = (
    id: ForwarderId,
    kind: StoredForwarder["kind"],
    given: Credentials | null | undefined,
  ): Uint8Array | undefined =>
    given === undefined || given === null
      ? undefined
      : sealCredentials(seal, id, readCredentials(kind, given));

  async function view(forwarder: StoredForwarder): Promise<Forwarder> {
    return forwarderView(forwarder, await records.forwarders.progress(forwarder.id), now());
  }

  app.post(
    "/forwarders",
    {
      ...writing,
      config: { access: "equipment:read", once: "transaction", sends: ["Location"] },
      schema: {
        operationId: "createForwarder",
        tags: ["platform"],
        summary: "Pass readings on to another system, from now on",
        description:
          "At least once, in order per asset, from the journal: a reading may come twice after a crash. `traccar_http` posts {position, device} as a Traccar server forwards it; `mqtt` publishes with QoS 1.",
        body: NewForwarder,
        response: { 201: Forwarder, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { kind, url, name, topic, format: asked, credentials } = request.body;
      const format = asked ?? (kind === "mqtt" ? "plumbline" : "traccar");
      requireShape({ kind, topic, format });
      const id = newId<ForwarderId>("fwd");
      const sealedCredentials = sealed(id, kind, credentials);
      await requireUrl(options, kind, url);
      const projectIds = subscribedProjects(directory, request, request.body.project_ids);
      const forwarder: StoredForwarder = {
        id,
        name: name ?? new URL(url).hostname,
        kind,
        url,
        format,
        topic,
        projectIds,
        credentials: sealedCredentials,
        status: "active",
        startAtMs: now(),
        createdAtMs: now(),
        updatedAtMs: now(),
      };
      const answer = await once(request, reply.code(201), records, async (transaction) => {
        await transaction.forwarders.insert(forwarder);
        return forwarderView(forwarder, [], now());
      });
      changed();
      return reply.header("location", `/api/v1/forwarders/${id}`).send(answer);
    },
  );

  app.get(
    "/forwarders",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listForwarders",
        tags: ["platform"],
        summary: "Forwarders of projects that the key may see, with how far each has come",
        querystring: Type.Object(ORDER.parameters),
        response: { 200: jsonOrCsv("Forwarders", ForwarderList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const all = await records.forwarders.list();
      const progress = await records.forwarders.progress();
      const visible = all
        .filter((forwarder) => seesWebhook(principal(request), forwarder))
        .map((forwarder) => {
          const own = progress.filter(({ forwarderId }) => forwarderId === forwarder.id);
          return forwarderView(forwarder, own, now());
        });
      return sendList(request, reply, visible, ORDER.pageOf(request.query), COLUMNS);
    },
  );

  app.get(
    "/forwarders/:forwarder_id",
    {
      config: { access: "equipment:read", tagged: true },
      schema: {
        operationId: "getForwarder",
        tags: ["platform"],
        summary: "One forwarder with how far it has come, without its credentials",
        params: ForwarderPath,
        response: { 200: Forwarder, ...FAILURES },
      },
    },
    async (request) => {
      const { forwarder_id: id } = request.params;
      const forwarder = await visibleForwarder(records.forwarders, request, id);
      noteState(request, forwarder);
      return await view(forwarder);
    },
  );

  app.patch(
    "/forwarders/:forwarder_id",
    {
      ...writing,
      config: { access: "equipment:read", tagged: true },
      schema: {
        operationId: "updateForwarder",
        tags: ["platform"],
        summary: "Change, disable or enable a forwarder; absent fields stay as they are",
        description:
          "What was received while it was disabled is passed on when it is enabled, as far as the journal still has it, unless `skip_missed` is true.",
        params: ForwarderPath,
        body: ForwarderChange,
        response: { 200: Forwarder, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { body } = request;
      const { forwarder_id } = request.params;
      const known = await visibleForwarder(records.forwarders, request, forwarder_id);
      const { id, kind } = known;
      if (body.url !== undefined) await requireUrl(options, kind, body.url);
      const credentials = sealed(id, kind, body.credentials);
      const projectIds =
        body.project_ids === undefined
          ? undefined
          : { projectIds: subscribedProjects(directory, request, body.project_ids ?? undefined) };
      const change = (before: StoredForwarder): StoredForwarder => {
        const url = body.url ?? before.url;
        const isKept = body.credentials === undefined && before.credentials !== undefined;
        // Whoever may change the address must not learn the password by it.
        if (isKept && !isSameServer(url, before.url)) {
          throw invalidParameter("credentials", "must be given anew: the URL leads elsewhere");
        }
        const isEnabled = body.status === "active" && before.status === "disabled";
        const next: StoredForwarder = {
          ...before,
          ...projectIds,
          name: body.name ?? before.name,
          url,
          topic: body.topic ?? before.topic,
          format: body.format ?? before.format,
          credentials: body.credentials === undefined ? before.credentials : credentials,
          status: body.status ?? before.status,
          startAtMs: isEnabled && body.skip_missed === true ? now() : before.startAtMs,
          updatedAtMs: now(),
        };
        requireShape(next);
        return next;
      };
      const after = await records.forwarders.update(id, ifMatching(request, change));
      changed();
      return await view(after);
    },
  );

  app.delete(
    "/forwarders/:forwarder_id",
    {
      ...writing,
      config: { access: "equipment:read", tagged: true },
      schema: {
        operationId: "deleteForwarder",
        tags: ["platform"],
        summary: "Remove a forwarder; nothing more is passed on to it",
        params: ForwarderPath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { forwarder_id } = request.params;
      const { id } = await visibleForwarder(records.forwarders, request, forwarder_id);
      await removeMatching(
        request,
        records,
        (transaction, keep) => transaction.forwarders.update(id, keep),
        ({ forwarders }) => forwarders.delete(id),
      );
      changed();
      return reply.code(204).send(null);
    },
  );
};

export default forwarders;
