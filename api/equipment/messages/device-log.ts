import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import {
  CONNECTIONS_PER_ASSET,
  MESSAGES_PER_ASSET,
  UNKNOWN_CONNECTIONS,
} from "../../../domain/equipment/connection-log.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type {
  ConnectionRecords,
  LoggedConnection,
  LoggedMessage,
  MessageView,
} from "../../../storage/ports/equipment/device-log.ts";
import { visibleAsset } from "../../access/asset-access.ts";
import { needsEveryProject } from "../../auth/needs-every-project.ts";
import { FAILURES } from "../../errors/error.ts";
import { pageOf, sortedBy } from "../../schemas/page.ts";
import { AssetPath } from "../assets/asset-schemas.ts";
import { type ConnectionEntry, ConnectionList, MessageList } from "./device-log-schemas.ts";

/** The orders of the lists. */
const CONNECTION_ORDER = sortedBy("-at");
const MESSAGE_ORDER = sortedBy("-received_at");

export interface DeviceLogOptions {
  readonly connections: Pick<ConnectionRecords, "newest">;
  /** What each process that takes messages remembers of the asset's. */
  readonly messageViews: (assetId: AssetId) => Promise<readonly MessageView[]>;
  readonly directory: AssetDirectory;
}

/** Why a device is not online, and what became of its messages; mounted at `/api/v1/equipment`. */
const deviceLog: FastifyPluginAsyncTypebox<DeviceLogOptions> = async (app, options) => {
  const { connections, messageViews, directory } = options;

  app.get(
    "/assets/:asset_id/connections",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listAssetConnections",
        tags: ["equipment"],
        summary: "The last attempts of an asset to connect, and the ends of its connections",
        description: `At most ${CONNECTIONS_PER_ASSET} are kept. They appear within some seconds.`,
        params: AssetPath,
        querystring: Type.Object(CONNECTION_ORDER.parameters),
        response: { 200: ConnectionList, ...FAILURES },
      },
    },
    async (request) => {
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      const kept = await connections.newest(asset.id, CONNECTIONS_PER_ASSET);
      return pageOf(kept.map(connectionView), CONNECTION_ORDER.pageOf(request.query));
    },
  );

  app.get(
    "/unknown-connections",
    {
      config: { access: "admin" },
      onRequest: needsEveryProject,
      schema: {
        operationId: "listUnknownConnections",
        tags: ["equipment"],
        summary: "The last attempts to connect under names that no asset has",
        description: `User names, IMEIs and ids that are not registered, failed TLS handshakes, and failed log-ins of readers. At most ${UNKNOWN_CONNECTIONS} are kept.`,
        querystring: Type.Object(CONNECTION_ORDER.parameters),
        response: { 200: ConnectionList, ...FAILURES },
      },
    },
    async ({ query }) => {
      const kept = await connections.newest(undefined, UNKNOWN_CONNECTIONS);
      return pageOf(kept.map(connectionView), CONNECTION_ORDER.pageOf(query));
    },
  );

  app.get(
    "/assets/:asset_id/messages",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listAssetMessages",
        tags: ["equipment"],
        summary: "The last messages of an asset, and what became of each",
        description: `At most ${MESSAGES_PER_ASSET}, fewer in a large fleet, since the service started. A device that sends for others, such as an edge node or a gateway, has their messages too.`,
        params: AssetPath,
        querystring: Type.Object(MESSAGE_ORDER.parameters),
        response: { 200: MessageList, ...FAILURES },
      },
    },
    async (request) => {
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      const views = await messageViews(asset.id);
      const newestFirst = views
        .flatMap(({ messages }) => messages)
        .sort((a, b) => b.receivedAtMs - a.receivedAtMs);
      const sinceMs = Math.min(...views.map((view) => view.sinceMs));
      const kept = newestFirst.slice(0, MESSAGES_PER_ASSET).map(messageView);
      return {
        ...pageOf(kept, MESSAGE_ORDER.pageOf(request.query)),
        ...(views.length === 0 ? {} : { recorded_since: isoTime(sinceMs) }),
      };
    },
  );
};

function connectionView(entry: LoggedConnection): Static<typeof ConnectionEntry> {
  const { detail, protocolLevel, clientId, username } = entry;
  return {
    at: isoTime(entry.atMs),
    outcome: entry.outcome,
    ...(detail === undefined ? {} : { detail }),
    listener: entry.listener,
    ...(entry.address === "" ? {} : { address: entry.address }),
    ...(protocolLevel === undefined ? {} : { protocol_level: protocolLevel }),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(username === undefined ? {} : { username }),
  };
}

function messageView(message: LoggedMessage): Static<typeof MessageList>["data"][number] {
  const { reason, newestFixMs, notices } = message;
  return {
    received_at: isoTime(message.receivedAtMs),
    outcome: message.outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(notices === undefined ? {} : { notices: [...notices] }),
    topic: message.topic,
    payload_bytes: message.payloadBytes,
    qos: message.qos,
    readings: message.readings,
    ...(newestFixMs === undefined ? {} : { newest_fix_at: isoTime(newestFixMs) }),
  };
}

export default deviceLog;
