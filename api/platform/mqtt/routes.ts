import { timingSafeEqual } from "node:crypto";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { type AssetId, isId } from "../../../domain/ids.ts";
import { hashSecret, isSecretOf } from "../../../domain/platform/secret-hash.ts";
import type { NotedConnection } from "../../../ingest/device-log/connections/connection-log.ts";
import { assetNamed } from "../../../ingest/device-log/connections/noted-connections.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import type { Keyring } from "../../auth/keyring.ts";
import { hasScope } from "../../auth/principal.ts";
import { REPEATABLE_FAILURES } from "../../errors/error.ts";
import { createMqttAcl, READER } from "./mqtt-acl.ts";

export interface MqttAuthOptions {
  readonly records: Pick<RecordStore, "apiKeys">;
  readonly directory: AssetDirectory;
  readonly keyring: Keyring;
  readonly pepper: Uint8Array;
  /** How the service logs in at the external broker, where this process knows it. */
  readonly mqttLogin: { readonly username: string; readonly password: string } | undefined;
  /** Takes what became of a log-in at the external broker. Never waits. */
  readonly noteConnection: (noted: NotedConnection) => void;
  readonly now: () => number;
}

/** Client ids of the service's own sessions: a device under such a name would be given others' messages. */
const OWN_CLIENT_ID = /^plumbline-/i;
/**
 * Requests of the broker in a minute. 10,000 devices that reconnect within a second must not be refused, nor
 * because one tries a wrong password for ever. Answers come from memory.
 */
const QUESTIONS_PER_MINUTE = 600_000;
const NO_HASH = new Uint8Array(32);
const MAX_TEXT = 1_024;

/** What became of a device's log-in. */
type DeviceLogin = "accepted" | "wrong_password" | "unknown_user";

const text = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: MAX_TEXT }), Type.Null()], { description }));

const Login = Type.Object(
  {
    username: text("Asset id; `apikey` for a reader of events"),
    password: text("The asset's secret; the reader's API key"),
    clientid: text("MQTT client id; `plumbline-...` is reserved for the service"),
  },
  { title: "MqttLogin" },
);

const Result = Type.Enum(["allow", "deny"]);

const LoginResult = Type.Object(
  {
    result: Result,
    is_superuser: Type.Boolean({ description: "The service itself: no topic is refused" }),
    client_attrs: Type.Optional(
      Type.Object({
        key_id: Type.String({ description: "To be sent with each request to /acl" }),
      }),
    ),
  },
  { title: "MqttLoginResult" },
);

const Access = Type.Object(
  {
    username: text("As at the log-in"),
    action: Type.Enum(["publish", "subscribe"]),
    topic: Type.String({ maxLength: MAX_TEXT, description: "Topic, or filter of a subscription" }),
    key_id: text("`client_attrs.key_id` of the log-in"),
  },
  { title: "MqttAccess" },
);

const AccessResult = Type.Object({ result: Result }, { title: "MqttAccessResult" });

/**
 * What an external broker asks about its clients, in the HTTP formats of EMQX 5; mounted at
 * `/api/v1/mqtt`. The broker has a key with `mqtt:auth`. Its questions do not count against the rate of the key's plan:
 * a broker that is refused an answer refuses the device.
 */
const mqttAuth: FastifyPluginAsyncTypebox<MqttAuthOptions> = async (app, options) => {
  const { records, directory, keyring, pepper, mqttLogin, noteConnection, now } = options;
  const mayDo = createMqttAcl({
    directory,
    apiKeys: records.apiKeys,
    serviceName: mqttLogin?.username,
    now,
  });

  function isService(username: string, password: string): boolean {
    if (mqttLogin === undefined || username !== mqttLogin.username) return false;
    return timingSafeEqual(hashSecret(pepper, password), hashSecret(pepper, mqttLogin.password));
  }

  function outcomeOfDevice(username: string, password: string): DeviceLogin {
    const entry = isId(username) ? directory.find(username as AssetId) : undefined;
    // An unknown asset costs the same time as a wrong secret.
    const isRight = isSecretOf(pepper, password, entry?.secretHash ?? NO_HASH);
    if (entry === undefined) return "unknown_user";
    return isRight ? "accepted" : "wrong_password";
  }

  function note(outcome: DeviceLogin, username: string, clientId: string): void {
    noteConnection({
      assetId: assetNamed(username, directory),
      atMs: now(),
      // The broker does not say from where.
      address: "",
      listener: "broker",
      protocolLevel: undefined,
      outcome,
      detail: undefined,
      clientId,
      username,
    });
  }

  app.post(
    "/auth",
    {
      config: {
        access: "mqtt:auth",
        requestsPerMinute: QUESTIONS_PER_MINUTE,
        once: "repeatable",
        storesNothing: true,
      },
      schema: {
        operationId: "authenticateMqtt",
        tags: ["platform"],
        summary: "Whether an external MQTT broker may let a client in (EMQX HTTP authentication)",
        body: Login,
        response: { 200: LoginResult, ...REPEATABLE_FAILURES },
      },
    },
    async ({ body }) => {
      const [username, password, clientId] = [body.username, body.password, body.clientid].map(
        (given) => given ?? "",
      ) as [string, string, string];
      const denied = { result: "deny" as const, is_superuser: false };
      if (isService(username, password)) return { result: "allow" as const, is_superuser: true };
      if (OWN_CLIENT_ID.test(clientId)) return denied;
      if (username !== READER) {
        const outcome = outcomeOfDevice(username, password);
        note(outcome, username, clientId);
        return outcome === "accepted" ? { ...denied, result: "allow" as const } : denied;
      }
      const reader = await keyring.authenticate(password);
      if (reader === undefined || !hasScope(reader, "events:read")) {
        note("wrong_password", username, clientId);
        return denied;
      }
      return {
        result: "allow" as const,
        is_superuser: false,
        client_attrs: { key_id: reader.keyId },
      };
    },
  );

  app.post(
    "/acl",
    {
      config: {
        access: "mqtt:auth",
        requestsPerMinute: QUESTIONS_PER_MINUTE,
        once: "repeatable",
        storesNothing: true,
      },
      schema: {
        operationId: "authorizeMqtt",
        tags: ["platform"],
        summary: "Whether a client may publish or subscribe (EMQX HTTP authorisation)",
        body: Access,
        response: { 200: AccessResult, ...REPEATABLE_FAILURES },
      },
    },
    async ({ body: { username, action, topic, key_id } }) => {
      const question = { username: username ?? "", action, topic, keyId: key_id ?? undefined };
      return { result: (await mayDo(question)) ? ("allow" as const) : ("deny" as const) };
    },
  );
};

export default mqttAuth;
