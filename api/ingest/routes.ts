import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { AssetEntry } from "../../ingest/directories/asset-directory.ts";
import {
  decoderFor,
  type HttpIngest,
  type IngestRefusal,
  type IngestReport,
} from "../../ingest/http/http-ingest.ts";
import { deviceRefusal, logInDevice } from "../auth/device-login.ts";
import { INGEST_FAILURES } from "../errors/error.ts";
import { errorBody } from "../errors/error-handler.ts";
import { Refusal } from "../errors/refusal.ts";
import { IngestPath, IngestQuery, IngestResult } from "./schemas.ts";

export interface IngestOptions {
  /** Absent: the journal is in another process, and every request is answered so. */
  readonly ingest: HttpIngest | undefined;
}

/** Largest body, bytes: as much as one packet of MQTT may have. */
const MAX_BODY_BYTES = 1024 * 1024;
/**
 * When to try again, s. Sooner would hardly help: a person has to free space on a full disk, and a stalled
 * journal has had 10 s already.
 */
const RETRY_AFTER_S = 10;
/** Longest that answers are held back by an asset's rate, s (`AssetSessions`). */
const RATE_RETRY_AFTER_S = 5;
const MAX_KEY_LENGTH = 255;
const BASIC_OR_BEARER = ['Basic realm="Plumbline devices", charset="UTF-8"', "Bearer"];
/** NDJSON goes by several names; none is registered. */
const LINES = /^application\/(x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines)\b/i;
const OWNTRACKS = "owntracks";
const CALLER_DECORATOR = "ingestCaller";

/**
 * Readings of devices by HTTP; mounted at `/api/v1/ingest`. A 2xx answer comes when every message of the body is
 * synced to disk, or need not be stored.
 */
const ingestRoutes: FastifyPluginAsyncTypebox<IngestOptions> = async (app, { ingest }) => {
  app.decorateRequest(CALLER_DECORATOR, null);
  app.removeAllContentTypeParsers();
  // A payload is what the decoder reads; what a client declares it to be does not matter.
  app.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (_request, body, done) =>
    done(null, body),
  );

  app.addHook("onRequest", (request, reply, done) => {
    reply.header("cache-control", "no-store");
    done(ingest === undefined ? elsewhere(reply) : letIn(ingest, request, reply));
  });

  app.post(
    "/:decoder",
    {
      bodyLimit: MAX_BODY_BYTES,
      config: { access: "device", once: "repeatable", storesNothing: true },
      schema: {
        operationId: "ingestMessages",
        tags: ["equipment"],
        summary:
          "Store readings of a device: one payload, or one on each line (application/x-ndjson)",
        description:
          "Answers when the readings are on disk in the journal. With the id and the secret of an asset: basic authentication, or `Bearer <id>.<secret>`. `Idempotency-Key` identifies a request that may be sent again.",
        security: [{ device: [] }, { deviceToken: [] }],
        params: IngestPath,
        querystring: IngestQuery,
        response: {
          200: Type.Union([IngestResult, Type.Array(Type.Unknown(), { maxItems: 0 })], {
            title: "IngestAnswer",
            description: "For decoder `owntracks` an empty array, which is what its apps expect",
          }),
          ...INGEST_FAILURES,
        },
      },
    },
    async (request, reply) => {
      if (ingest === undefined) throw elsewhere(reply);
      const { params, query, headers, body, ip } = request;
      const coding = headers["content-encoding"];
      if (coding !== undefined && coding !== "identity") {
        throw malformed(
          ingest,
          `Content-Encoding ${coding.slice(0, 32)} is not read; send the body as it is`,
        );
      }
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const isLines = LINES.test(headers["content-type"] ?? "");
      const caller = request.getDecorator<AssetEntry>(CALLER_DECORATOR);
      const isOwnTracks = decoderFor(caller, params.decoder) === OWNTRACKS;
      const isApp = isOwnTracks && !isLines;
      // The apps send one when a friend is removed (owntracks.org/booklet/tech/http).
      if (isApp && bytes.byteLength === 0) return sendJson(reply, []);
      const taken = await ingest.take(caller, {
        decoder: params.decoder,
        names: {
          asset: query.asset,
          user: isOwnTracks ? (query.u ?? one(headers["x-limit-u"])) : undefined,
          device: isOwnTracks ? (query.d ?? one(headers["x-limit-d"])) : undefined,
        },
        body: bytes,
        isLines,
        idempotencyKey: idempotencyKey(ingest, headers["idempotency-key"]),
        address: ip,
      });
      if ("refusal" in taken) throw refusalOf(taken, reply);
      const { not_stored: notStored } = taken.counts;
      if (notStored > 0) return sendUnfinished(request, reply, taken, notStored);
      // What never reached the client is sent again.
      reply.raw.once("finish", () => taken.answered());
      return sendJson(reply, isApp ? [] : resultOf(taken));
    },
  );
};

/** Authenticates the sender before the body is read; returns the reason of a refusal. */
function letIn(
  ingest: HttpIngest,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal | undefined {
  const found = logInDevice(ingest, request);
  const refusal = deviceRefusal(found, reply);
  if (refusal !== undefined) return refusal;
  if (found === undefined || "refusal" in found) {
    reply.header("www-authenticate", BASIC_OR_BEARER);
    return new Refusal(401, "unauthorized", "Invalid asset id or secret");
  }
  if (!ingest.accepting) {
    ingest.refused("unavailable");
    return busy(reply);
  }
  request.setDecorator(CALLER_DECORATOR, found.entry);
  return undefined;
}

function refusalOf(taken: IngestRefusal, reply: FastifyReply): Refusal {
  switch (taken.refusal) {
    case "malformed":
      return new Refusal(400, "invalid_request", taken.problem);
    case "unknown_decoder":
      return new Refusal(404, "not_found", "There is no such decoder");
    case "foreign":
      return new Refusal(403, "forbidden", "The asset may not send for the one that is named");
    case "rate_limited":
      reply.header("retry-after", RATE_RETRY_AFTER_S);
      return new Refusal(
        429,
        "rate_limit_exceeded",
        "The asset is faster than its rate; wait for the answer before",
      );
    case "busy":
      return busy(reply);
  }
}

function busy(reply: FastifyReply): Refusal {
  reply.header("retry-after", RETRY_AFTER_S);
  return new Refusal(
    503,
    "unavailable",
    "Nothing can be stored now; nothing of the body was taken",
  );
}

/** This process has no journal; another one at the same address may have one. */
function elsewhere(reply: FastifyReply): Refusal {
  reply.header("retry-after", RETRY_AFTER_S);
  return new Refusal(
    503,
    "unavailable",
    "This process takes no readings (ROLE=api); send /api/v1/ingest to a process with ROLE=ingest",
  );
}

function malformed(ingest: HttpIngest, message: string): Refusal {
  ingest.refused("malformed");
  return new Refusal(400, "invalid_request", message);
}

function idempotencyKey(ingest: HttpIngest, given: string | string[] | undefined) {
  if (given === undefined) return undefined;
  if (typeof given === "string" && given !== "" && given.length <= MAX_KEY_LENGTH) return given;
  throw malformed(ingest, `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters, once`);
}

const one = (header: string | string[] | undefined): string | undefined =>
  typeof header === "string" ? header : undefined;

/** Some of the body is to be sent again; sending all of it stores nothing twice. */
function sendUnfinished(
  request: FastifyRequest,
  reply: FastifyReply,
  report: IngestReport,
  notStored: number,
): FastifyReply {
  reply.code(503).header("retry-after", RETRY_AFTER_S);
  const message = `${notStored} of ${report.messages} messages are not stored; send the whole body again`;
  return sendJson(reply, {
    ...errorBody("unavailable", message, request.id),
    ...resultOf(report),
  });
}

function resultOf({ counts, messages, readings, problems, notices }: IngestReport) {
  return {
    messages,
    readings,
    stored: counts.stored,
    duplicate: counts.duplicate,
    quarantined: counts.quarantined,
    ignored: counts.ignored,
    unknown_device: counts.unknown_device,
    foreign_asset: counts.foreign_asset + counts.foreign_topic,
    not_stored: counts.not_stored,
    problems,
    ...(notices.length === 0 ? {} : { notices }),
  };
}

/** As text: the schema of the answer is one of two, and a 503 has fields beside those of every error. */
function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(body));
}

export default ingestRoutes;
