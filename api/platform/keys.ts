import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { AssetRegistration } from "../../domain/equipment/asset.ts";
import { DomainError } from "../../domain/errors.ts";
import { ApiKeyId, AssetId, isId, newId, ProjectId } from "../../domain/ids.ts";
import { ApiKey, REQUESTS_PER_MINUTE, SCOPES } from "../../domain/platform/api-key.ts";
import { hashSecret } from "../../domain/platform/secret-hash.ts";
import type { AssetDirectory, AssetEntry } from "../../ingest/directories/asset-directory.ts";
import { assetsSpokenFor } from "../../ingest/http/subject.ts";
import type { KeyName } from "../../storage/ports/platform/api-keys.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import { visibleProject } from "../access/asset-access.ts";
import { deviceOf } from "../auth/device-login.ts";
import { DEVICE_REQUESTS_PER_MINUTE, principal } from "../auth/guard.ts";
import { newApiKey, shownPrefix } from "../auth/key-format.ts";
import { nameOfKey } from "../auth/key-name.ts";
import type { Keyring } from "../auth/keyring.ts";
import { hasScope } from "../auth/principal.ts";
import type { Sessions } from "../auth/sessions.ts";
import { FAILURES, WRITE_FAILURES } from "../errors/error.ts";
import { jsonOrCsv } from "../representations/media-types.ts";
import { type CsvColumns, sendList } from "../representations/send-list.ts";
import { readInstant } from "../schemas/instant.ts";
import { listOf, sortedBy } from "../schemas/page.ts";
import { invalidParameter } from "../validation/validation.ts";
import { once } from "../writes/once.ts";
import { ifMatching, noteState } from "../writes/resource-tag.ts";

/** The order of the list. */
const ORDER = sortedBy("created_at");

export interface KeysOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  readonly keyring: Keyring;
  readonly sessions: Pick<Sessions, "endOfKey">;
  readonly pepper: Uint8Array;
  readonly now: () => number;
}

const { name, scopes, plan, expires_at } = ApiKey.properties;

const NewApiKey = Type.Object(
  {
    name,
    scopes,
    plan: Type.Optional(plan),
    project_ids: Type.Optional(
      Type.Array(ApiKey.properties.project_ids.items, {
        minItems: 1,
        maxItems: 1_000,
        uniqueItems: true,
        description: "Projects the key may see; absent: all",
      }),
    ),
    expires_at,
  },
  { title: "NewApiKey" },
);

/** The name alone: other rights need another key, because whoever holds this one would not learn of the change. */
const ApiKeyChange = Type.Object({ name }, { title: "ApiKeyChange" });

const KeyPath = Type.Object({ key_id: ApiKeyId });

const CreatedApiKey = Type.Object(
  {
    ...ApiKey.properties,
    key: Type.Optional(
      Type.String({ description: "The key; shown once: absent when the answer is repeated" }),
    ),
    hint: Type.Optional(Type.String()),
  },
  { title: "CreatedApiKey" },
);

const ApiKeyList = listOf("ApiKeyList", ApiKey);

const { project_ids } = ApiKey.properties;

const requests_per_minute = Type.Integer({
  description: "Over all areas; X-RateLimit-* counts them",
});

/** What the key of a request may do. */
const OwnKey = Type.Object(
  {
    kind: Type.Enum(["key"]),
    id: Type.String({ description: "`admin`: the key of ADMIN_API_KEY" }),
    name,
    scopes: Type.Array(scopes.items, { description: "Every scope it has, with those of admin" }),
    plan,
    project_ids,
    expires_at,
    requests_per_minute,
  },
  { title: "OwnKey" },
);

/** What the id and secret of an asset may do. */
const OwnDevice = Type.Object(
  {
    kind: Type.Enum(["device"]),
    id: AssetId,
    name: AssetRegistration.properties.name,
    project_id: ProjectId,
    decoder: AssetRegistration.properties.decoder,
    scopes: Type.Array(scopes.items, { maxItems: 0, description: "None: it reads nothing" }),
    sends_for: Type.Array(AssetId, {
      description:
        "Assets whose readings it may send, by MQTT and `/api/v1/ingest`: itself, and those behind it as a gateway",
    }),
    requests_per_minute,
  },
  { title: "OwnDevice" },
);
const OwnCredential = Type.Union([OwnKey, OwnDevice], { title: "OwnCredential" });

const COLUMNS: CsvColumns<ApiKey> = {
  id: (key) => key.id,
  name: (key) => key.name,
  prefix: (key) => key.prefix,
  scopes: (key) => key.scopes.join(" "),
  plan: (key) => key.plan,
  project_ids: (key) => key.project_ids?.join(" "),
  expires_at: (key) => key.expires_at,
  revoked_at: (key) => key.revoked_at,
  last_used_at: (key) => key.last_used_at,
  created_at: (key) => key.created_at,
};

const HINT = "The key was in the first answer only; revoke this one and create another";

/** The answer as it is kept for a repeated request: our database holds keys as hashes only. */
function withoutKey(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { key: _secret, ...rest } = body;
  return { ...rest, hint: HINT };
}

/** API keys, mounted at `/api/v1`; for `admin` keys that see every project. */
const keys: FastifyPluginAsyncTypebox<KeysOptions> = async (app, options) => {
  const { records, directory, keyring, sessions, pepper, now } = options;

  app.post(
    "/keys",
    {
      config: { access: "admin", once: "transaction", withoutSecret: withoutKey },
      schema: {
        operationId: "createKey",
        tags: ["platform"],
        summary: "Create an API key, which is shown once",
        body: NewApiKey,
        response: { 201: CreatedApiKey, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const nowMs = now();
      const expiresAtMs =
        body.expires_at === undefined ? undefined : readInstant("expires_at", body.expires_at);
      if (expiresAtMs !== undefined && expiresAtMs <= nowMs) {
        throw invalidParameter("expires_at", "must be in the future");
      }
      for (const projectId of body.project_ids ?? []) {
        visibleProject(directory, request, projectId, "project_ids");
      }
      const secret = newApiKey();
      const key: ApiKey = {
        id: newId<ApiKeyId>("key"),
        name: body.name,
        prefix: shownPrefix(secret),
        scopes: body.scopes,
        plan: body.plan ?? "standard",
        ...(body.project_ids === undefined ? {} : { project_ids: body.project_ids }),
        ...(expiresAtMs === undefined ? {} : { expires_at: new Date(expiresAtMs).toISOString() }),
        created_at: new Date(nowMs).toISOString(),
      };
      const answer = await once(request, reply.code(201), records, async (transaction) => {
        await transaction.apiKeys.insert({ key, hash: hashSecret(pepper, secret) });
        return { ...key, key: secret };
      });
      return reply.header("cache-control", "no-store").send(answer);
    },
  );

  app.get(
    "/keys",
    {
      config: { access: "admin" },
      schema: {
        operationId: "listKeys",
        tags: ["platform"],
        summary: "API keys, revoked ones too, without their secrets",
        querystring: Type.Object(ORDER.parameters),
        response: { 200: jsonOrCsv("API keys", ApiKeyList), ...FAILURES },
      },
    },
    async (request, reply) =>
      sendList(request, reply, await records.apiKeys.list(), ORDER.pageOf(request.query), COLUMNS),
  );

  app.get(
    "/keys/self",
    {
      config: { access: "any key", devices: true },
      schema: {
        operationId: "getOwnKey",
        tags: ["platform"],
        summary: "What the key of this request, or the asset whose secret it has, may do",
        security: [{ bearer: [] }, { device: [] }, { deviceToken: [] }],
        response: { 200: OwnCredential, ...FAILURES },
      },
    },
    async (request): Promise<Static<typeof OwnCredential>> => {
      const device = deviceOf(request);
      if (device !== undefined) return deviceView(device, directory);
      const own = principal(request);
      const { keyId, plan, projectIds, expiresAtMs } = own;
      return {
        kind: "key",
        id: keyId,
        name: await nameOfKey(records.apiKeys, keyId),
        scopes: SCOPES.filter((scope) => hasScope(own, scope)),
        plan,
        ...(projectIds === undefined ? {} : { project_ids: [...projectIds] }),
        ...(expiresAtMs === Number.POSITIVE_INFINITY
          ? {}
          : { expires_at: new Date(expiresAtMs).toISOString() }),
        requests_per_minute: REQUESTS_PER_MINUTE[plan],
      };
    },
  );

  app.get(
    "/keys/:key_id",
    {
      config: { access: "admin", tagged: true },
      schema: {
        operationId: "getKey",
        tags: ["platform"],
        summary: "One API key, without its secret",
        params: KeyPath,
        response: { 200: ApiKey, ...FAILURES },
      },
    },
    async (request) => {
      const id = readKeyId(request.params.key_id);
      const key = await records.apiKeys.find(id);
      if (key === undefined) throw new DomainError("KEY_NOT_FOUND", `no key ${id}`);
      noteState(request, changeable(key));
      return key;
    },
  );

  app.patch(
    "/keys/:key_id",
    {
      config: { access: "admin", tagged: true },
      schema: {
        operationId: "updateKey",
        tags: ["platform"],
        summary: "Rename an API key; all else of it is as it was made",
        description: "What was recorded under the name before keeps it.",
        params: KeyPath,
        body: ApiKeyChange,
        response: { 200: ApiKey, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { body } = request;
      return await records.apiKeys.rename(
        readKeyId(request.params.key_id),
        ifMatching(request, () => ({ name: body.name })),
      );
    },
  );

  app.delete(
    "/keys/:key_id",
    {
      config: { access: "admin" },
      schema: {
        operationId: "revokeKey",
        tags: ["platform"],
        summary: "Revoke an API key; effective within 5 s everywhere, for HTTP, MQTT and sessions",
        params: KeyPath,
        response: { 200: ApiKey, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const id = readKeyId(request.params.key_id);
      const revoked = await records.apiKeys.revoke(id, new Date(now()).toISOString());
      keyring.forget(revoked.id);
      await sessions.endOfKey(revoked.id);
      return revoked;
    },
  );
};

/** The path is not validated: text that is not an id never reaches the database. @throws DomainError `KEY_NOT_FOUND` */
function readKeyId(id: ApiKeyId): ApiKeyId {
  if (!isId(id)) throw new DomainError("KEY_NOT_FOUND", `no key ${id}`);
  return id;
}

/** What a PATCH would overwrite: uses of the key do not change it. */
const changeable = ({ name }: ApiKey): KeyName => ({ name });

function deviceView(
  device: AssetEntry,
  directory: Pick<AssetDirectory, "entries">,
): Static<typeof OwnDevice> {
  const { id, name, project_id, decoder } = device.asset;
  return {
    kind: "device",
    id,
    name,
    project_id,
    decoder,
    scopes: [],
    sends_for: [...assetsSpokenFor(device, directory)],
    requests_per_minute: DEVICE_REQUESTS_PER_MINUTE,
  };
}

export default keys;
