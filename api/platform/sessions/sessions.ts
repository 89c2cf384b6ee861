import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import { isId, SessionId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import { REQUESTS_PER_MINUTE, SCOPES } from "../../../domain/platform/api-key.ts";
import { sessionEndMs } from "../../../domain/platform/session.ts";
import type { Session } from "../../../storage/ports/platform/sessions.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { principal } from "../../auth/guard.ts";
import { nameOfKey } from "../../auth/key-name.ts";
import type { OwnSite } from "../../auth/own-site.ts";
import { ADMIN, hasScope } from "../../auth/principal.ts";
import { clearSessionCookie, sessionToken } from "../../auth/session-cookie.ts";
import type { Sessions } from "../../auth/sessions.ts";
import { FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { type CsvColumns, sendList } from "../../representations/send-list.ts";
import { listOf, sortedBy } from "../../schemas/page.ts";
import { OwnSession, SessionEntry } from "./session-schemas.ts";

export interface SessionsRoutesOptions {
  readonly records: Pick<RecordStore, "sessions" | "apiKeys">;
  readonly sessions: Sessions;
  readonly site: OwnSite;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/** The order of the list. */
const ORDER = sortedBy("created_at");
const SessionList = listOf("SessionList", SessionEntry);

const COLUMNS: CsvColumns<Static<typeof SessionEntry>> = {
  id: (session) => session.id,
  key_id: (session) => session.key_id,
  key_name: (session) => session.key_name,
  created_at: (session) => session.created_at,
  last_seen_at: (session) => session.last_seen_at,
  expires_at: (session) => session.expires_at,
  address: (session) => session.address,
  user_agent: (session) => session.user_agent,
};

/** The session of a request and those of all, mounted at `/api/v1`. */
const sessionRoutes: FastifyPluginAsyncTypebox<SessionsRoutesOptions> = async (app, options) => {
  const { records, sessions, site, now } = options;

  /** @throws DomainError `SESSION_NOT_FOUND` where a key asks, which has none. */
  function ownId(request: FastifyRequest): SessionId {
    const { sessionId } = principal(request);
    if (sessionId !== undefined) return sessionId;
    throw new DomainError("SESSION_NOT_FOUND", "the request has a key, not a session");
  }

  /** Sessions that last, with the names of their keys. */
  async function lasting(): Promise<readonly (Session & { keyName: string; endMs: number })[]> {
    const nowMs = now();
    const [stored, keys] = await Promise.all([records.sessions.list(), records.apiKeys.list()]);
    const keysById = new Map(keys.map((key) => [String(key.id), key]));
    return stored.flatMap((session) => {
      const key = keysById.get(session.keyId);
      if (key === undefined && session.keyId !== ADMIN.keyId) return [];
      if (key?.revoked_at !== undefined) return [];
      const keyEndMs = Date.parse(key?.expires_at ?? "");
      const endMs = Math.min(
        sessionEndMs(session),
        Number.isNaN(keyEndMs) ? Number.POSITIVE_INFINITY : keyEndMs,
      );
      return endMs <= nowMs ? [] : [{ ...session, keyName: key?.name ?? session.keyId, endMs }];
    });
  }

  app.get(
    "/session",
    {
      config: { access: "any key" },
      schema: {
        operationId: "getOwnSession",
        tags: ["platform"],
        summary:
          "The session of this request, and what its key may do; 404 for a request with a key",
        security: [{ session: [] }],
        response: { 200: OwnSession, ...FAILURES },
      },
    },
    async (request): Promise<Static<typeof OwnSession>> => {
      const own = principal(request);
      const { keyId, plan, projectIds, expiresAtMs: endMs } = own;
      const token = sessionToken(request, site.isSecure(request)) ?? "";
      const row = await sessions.find(token);
      if (row?.session.id !== ownId(request)) {
        throw new DomainError("SESSION_NOT_FOUND", "it just ended");
      }
      const keyName = await nameOfKey(records.apiKeys, keyId);
      return {
        ...viewOf({ ...row.session, keyName, endMs }),
        scopes: SCOPES.filter((scope) => hasScope(own, scope)),
        plan,
        ...(projectIds === undefined ? {} : { project_ids: [...projectIds] }),
        requests_per_minute: REQUESTS_PER_MINUTE[plan],
      };
    },
  );

  app.delete(
    "/session",
    {
      config: { access: "any key" },
      schema: {
        operationId: "deleteOwnSession",
        tags: ["platform"],
        summary: "Log out; 404 for a request with a key",
        security: [{ session: [] }],
        response: { 204: Type.Null({ description: "Logged out" }), ...FAILURES },
      },
    },
    async (request, reply) => {
      await sessions.end(ownId(request));
      clearSessionCookie(reply, site.isSecure(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/sessions",
    {
      config: { access: "admin" },
      schema: {
        operationId: "listSessions",
        tags: ["platform"],
        summary: "Browsers that are logged in, with which key and from where",
        querystring: Type.Object(ORDER.parameters),
        response: { 200: jsonOrCsv("Sessions", SessionList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { sessionId } = principal(request);
      const rows = (await lasting()).map((session) => ({
        ...viewOf(session),
        address: session.address,
        user_agent: session.userAgent,
        current: session.id === sessionId,
      }));
      return sendList(request, reply, rows, ORDER.pageOf(request.query), COLUMNS);
    },
  );

  app.delete(
    "/sessions/:session_id",
    {
      config: { access: "admin" },
      schema: {
        operationId: "deleteSession",
        tags: ["platform"],
        summary: "Log a browser out; effective within 5 s everywhere, streams included",
        params: Type.Object({ session_id: SessionId }),
        response: { 204: Type.Null({ description: "Logged out" }), ...FAILURES },
      },
    },
    async (request, reply) => {
      const { session_id } = request.params;
      if (!isId(session_id)) throw new DomainError("SESSION_NOT_FOUND", `no ${session_id}`);
      await sessions.end(session_id);
      return reply.code(204).send(null);
    },
  );
};

function viewOf(session: Session & { readonly keyName: string; readonly endMs: number }) {
  return {
    id: session.id,
    key_id: session.keyId,
    key_name: session.keyName,
    created_at: isoTime(session.createdAtMs),
    last_seen_at: isoTime(session.lastSeenAtMs),
    expires_at: isoTime(session.endMs),
  };
}

export default sessionRoutes;
