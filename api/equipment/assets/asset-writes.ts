import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import type { AssetRegistration } from "../../../domain/equipment/asset.ts";
import { deviceTopic, REGISTERED_FORMAT } from "../../../domain/equipment/topics.ts";
import { DomainError } from "../../../domain/errors.ts";
import { type AssetId, newId, randomBase62 } from "../../../domain/ids.ts";
import { mosquittoHash } from "../../../domain/platform/mosquitto-hash.ts";
import { hashSecret } from "../../../domain/platform/secret-hash.ts";
import { decoderNamed } from "../../../ingest/decoders/registry.ts";
import type { EventFeed } from "../../../ingest/delivery/event-feed.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleAsset, visibleProject } from "../../access/asset-access.ts";
import { explainAbsentMapping } from "../../access/mapping-access.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { letFollow } from "../../writes/follow.ts";
import { once } from "../../writes/once.ts";
import { ifMatching, noteState, removeMatching } from "../../writes/resource-tag.ts";
import type { AssetCards } from "./asset-cards.ts";
import {
  AssetChange,
  AssetDetail,
  AssetPath,
  IssuedCredentials,
  type MqttCredentials,
  NewAsset,
  RegisteredAsset,
} from "./asset-schemas.ts";
import { assetDetailView } from "./asset-view.ts";
import { claimHardware } from "./hardware-claims.ts";

export interface AssetWritesOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  readonly cards: AssetCards;
  /** Notified of what a route adds to the outbox. */
  readonly feed: Pick<EventFeed, "poke">;
  readonly pepper: Uint8Array;
  readonly now: () => number;
}

/** 32 base62 characters are 190 random bits. */
const SECRET_LENGTH = 32;
const HINT =
  "The password was in the first answer only; POST /api/v1/equipment/assets/{id}/credentials makes a new one";

/** The answer as it is kept for a repeated request: our database holds secrets as hashes only. */
function withoutPassword(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { username, topic } = body["mqtt"] as MqttCredentials;
  return { ...body, mqtt: { username, topic, hint: HINT } };
}

/** Registering, reading, changing and removing assets; mounted at `/api/v1/equipment`. */
const assetWrites: FastifyPluginAsyncTypebox<AssetWritesOptions> = async (app, options) => {
  const { records, directory, cards, feed, pepper, now } = options;
  const claims = { directory, events: records.events, feed, now };
  const isoNow = () => new Date(now()).toISOString();

  function detail(assetId: AssetId): AssetDetail {
    const asset = cards.find(assetId);
    if (asset === undefined) throw new DomainError("ASSET_NOT_FOUND", `no asset ${assetId}`);
    return assetDetailView(asset);
  }

  function credentials(
    { id, project_id, decoder }: AssetRegistration,
    password: string,
  ): MqttCredentials {
    const format = decoderNamed(decoder)?.topicFormat ?? REGISTERED_FORMAT;
    const topic = deviceTopic({ projectId: project_id, assetId: id, format });
    return { username: id, password, topic };
  }

  app.post(
    "/assets",
    {
      config: {
        access: "equipment:write",
        once: "transaction",
        withoutSecret: withoutPassword,
        sends: ["Location"],
      },
      schema: {
        operationId: "createAsset",
        tags: ["equipment"],
        summary: "Register an asset and get its MQTT credentials, which are shown once",
        body: NewAsset,
        response: { 201: RegisteredAsset, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const project = visibleProject(directory, request, body.project_id);
      const asset: AssetRegistration = {
        id: body.id ?? newId<AssetId>("ast"),
        project_id: body.project_id,
        name: body.name,
        type: body.type,
        decoder: body.decoder ?? "plumbline",
        ...(body.decoder_options === undefined ? {} : { decoder_options: body.decoder_options }),
        ...(body.hardware_id === undefined ? {} : { hardware_id: body.hardware_id }),
        ...(body.make === undefined ? {} : { make: body.make }),
        ...(body.model === undefined ? {} : { model: body.model }),
        ...(body.serial_number === undefined ? {} : { serial_number: body.serial_number }),
        ...(body.location === undefined ? {} : { location: body.location }),
        maintenance: body.maintenance ?? false,
        ...timeoutOf(body.liveness_timeout_s),
        created_at: isoNow(),
        updated_at: isoNow(),
      };
      const secret = randomBase62(SECRET_LENGTH);
      const forMosquitto = await mosquittoHash(secret);
      const inserted = claimHardware(claims, request, asset, () =>
        once(request, reply.code(201), records, async (transaction) => {
          await transaction.assets.insert(asset, hashSecret(pepper, secret), forMosquitto);
          const registered = assetDetailView(cards.ofNew(asset, project));
          return { ...registered, mqtt: credentials(asset, secret) };
        }),
      );
      const answer = await explainAbsentMapping(inserted, "decoder");
      await letFollow(directory);
      return reply
        .header("location", `/api/v1/equipment/assets/${asset.id}`)
        .header("cache-control", "no-store")
        .send(answer);
    },
  );

  app.get(
    "/assets/:asset_id",
    {
      config: { access: "equipment:read", tagged: true },
      schema: {
        operationId: "getAsset",
        tags: ["equipment"],
        summary: "One asset with all its fields",
        params: AssetPath,
        response: { 200: AssetDetail, ...FAILURES },
      },
    },
    async (request) => {
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      noteState(request, asset);
      return detail(asset.id);
    },
  );

  app.patch(
    "/assets/:asset_id",
    {
      config: { access: "equipment:write", tagged: true },
      schema: {
        operationId: "updateAsset",
        tags: ["equipment"],
        summary: "Change an asset; absent fields stay as they are",
        params: AssetPath,
        body: AssetChange,
        response: { 200: AssetDetail, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      const { body } = request;
      if (body.project_id !== undefined) visibleProject(directory, request, body.project_id);
      const change = (before: AssetRegistration) => changed(before, body, isoNow());
      const updated = claimHardware(claims, request, change(asset), () =>
        records.assets.update(asset.id, ifMatching(request, change), now()),
      );
      await explainAbsentMapping(updated, body.decoder === undefined ? "type" : "decoder");
      await directory.refresh();
      return detail(asset.id);
    },
  );

  app.delete(
    "/assets/:asset_id",
    {
      config: { access: "equipment:write", tagged: true },
      schema: {
        operationId: "deleteAsset",
        tags: ["equipment"],
        summary: "Remove an asset; its device is disconnected, its history stays",
        params: AssetPath,
        response: { 204: Type.Null({ description: "Removed" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      await removeMatching(
        request,
        records,
        (transaction, keep) => transaction.assets.update(asset.id, keep, now()),
        ({ assets }) => assets.delete(asset.id, now()),
      );
      await letFollow(directory);
      return reply.code(204).send(null);
    },
  );

  app.post(
    "/assets/:asset_id/credentials",
    {
      config: { access: "equipment:write", once: "transaction", withoutSecret: withoutPassword },
      schema: {
        operationId: "rotateAssetCredentials",
        tags: ["equipment"],
        summary: "Make a new MQTT password; the old one and its session end immediately",
        params: AssetPath,
        response: { 201: IssuedCredentials, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      const secret = randomBase62(SECRET_LENGTH);
      const forMosquitto = await mosquittoHash(secret);
      const answer = await once(request, reply.code(201), records, async (transaction) => {
        await transaction.assets.setSecret(asset.id, hashSecret(pepper, secret), forMosquitto);
        return { mqtt: credentials(asset, secret) };
      });
      await letFollow(directory);
      return reply.header("cache-control", "no-store").send(answer);
    },
  );
};

function changed(
  registered: AssetRegistration,
  body: AssetChange,
  updated_at: string,
): AssetRegistration {
  const { hardware_id, location, liveness_timeout_s, ...named } = registered;
  const { make, model, serial_number, decoder_options, ...rest } = named;
  const options =
    body.decoder_options === undefined ? decoder_options : (body.decoder_options ?? undefined);
  const timeoutS =
    body.liveness_timeout_s === undefined ? liveness_timeout_s : body.liveness_timeout_s;
  const hardwareId = body.hardware_id === undefined ? hardware_id : (body.hardware_id ?? undefined);
  const place = body.location === undefined ? location : (body.location ?? undefined);
  return {
    ...rest,
    name: body.name ?? rest.name,
    type: body.type ?? rest.type,
    project_id: body.project_id ?? rest.project_id,
    decoder: body.decoder ?? rest.decoder,
    maintenance: body.maintenance ?? rest.maintenance,
    ...(options === undefined ? {} : { decoder_options: options }),
    ...(hardwareId === undefined ? {} : { hardware_id: hardwareId }),
    ...textAfter("make", make, body.make),
    ...textAfter("model", model, body.model),
    ...textAfter("serial_number", serial_number, body.serial_number),
    ...(place === undefined ? {} : { location: place }),
    ...timeoutOf(timeoutS),
    updated_at,
  };
}

/** A text of the machine's plate; null takes it away, absent leaves it. */
const textAfter = (name: string, before: string | undefined, asked: string | null | undefined) => {
  const text = asked === undefined ? before : (asked ?? undefined);
  return text === undefined ? {} : { [name]: text };
};

/** The field, or nothing where the default is wanted. */
const timeoutOf = (liveness_timeout_s: number | null | undefined) =>
  liveness_timeout_s === undefined || liveness_timeout_s === null ? {} : { liveness_timeout_s };

export default assetWrites;
