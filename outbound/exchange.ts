import { type Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { AddressRules } from "./address-rules.ts";
import { BODY_HEADERS, readBody } from "./body.ts";
import { codeOf, OutboundError } from "./failure.ts";
import type { OutboundRequest } from "./request.ts";
import type { ResolveHost } from "./resolve-host.ts";
import type { OutboundTarget } from "./target.ts";
import { vetConnection, vettedLookup } from "./vetted-connection.ts";
import { watchForAnswer } from "./watch-for-answer.ts";

/** Limits of one request. */
export interface ExchangeLimits {
  /** Name look-up, TCP and TLS together, ms. */
  readonly connectMs: number;
  /** The whole request, the body of the answer included, ms. */
  readonly totalMs: number;
  /** Bytes that are read of an unwanted body, so that the connection can be used again. */
  readonly bodyBytes: number;
}

/** What came back. */
export interface OutboundAnswer {
  readonly status: number;
  /** The `Retry-After` header as it came. */
  readonly retryAfter: string | undefined;
  /** The `ETag` header as it came. */
  readonly etag?: string | undefined;
  /** The `Last-Modified` header as it came. */
  readonly lastModified?: string | undefined;
  /** Where the request asked for it. */
  readonly body?: Uint8Array;
}

/** An idle connection that the other side had closed already; no answer, and no harm in asking again. */
export class StaleConnection extends Error {
  override readonly name = "StaleConnection";
}

/** One connection (or an idle one of `agent`), one request, one answer. */
export function exchange(
  request: OutboundRequest,
  target: OutboundTarget,
  use: {
    /** `false`: a connection of its own. */
    readonly agent: Agent | false;
    readonly rules: AddressRules;
    readonly resolve: ResolveHost;
    readonly limits: ExchangeLimits;
  },
): Promise<OutboundAnswer> {
  const { limits, rules } = use;
  const { maxBodyBytes, totalMs = limits.totalMs } = request;
  return new Promise((resolve, reject) => {
    const send = target.isTls ? requestHttps : requestHttp;
    const outgoing = send(target.url, {
      method: request.method,
      headers:
        maxBodyBytes === undefined ? request.headers : { ...BODY_HEADERS, ...request.headers },
      agent: use.agent,
      lookup: vettedLookup(use.resolve, rules, target.port),
      rejectUnauthorized: true,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    const expire = () => outgoing.destroy(new OutboundError("timeout"));
    const connectTimer = setTimeout(expire, limits.connectMs);
    const totalTimer = setTimeout(expire, totalMs);
    outgoing.once("socket", (socket) => {
      vetConnection(outgoing, socket, rules, target, () => clearTimeout(connectTimer));
    });
    let answer: OutboundAnswer | undefined;
    let isReading = false;
    let cut: Error | undefined;
    outgoing.once("response", (response) => {
      const { etag, "last-modified": lastModified, "retry-after": retryAfter } = response.headers;
      const found = { status: response.statusCode ?? 0, retryAfter };
      if (maxBodyBytes !== undefined) {
        isReading = true;
        readBody(response, maxBodyBytes).then(
          (body) => resolve({ ...found, etag, lastModified, body }),
          (error: Error) => {
            outgoing.destroy();
            // A time-out of ours shows in the body as a connection that broke.
            reject(error instanceof OutboundError ? error : (cut ?? error));
          },
        );
        return;
      }
      answer = found;
      discard(response, limits.bodyBytes);
      response.once("close", () => resolve(found));
    });
    watchForAnswer(outgoing, (error) => {
      const isReset = codeOf(error) === "ECONNRESET" || codeOf(error) === "EPIPE";
      // Whatever becomes of its body, the answer is known.
      if (answer !== undefined) resolve(answer);
      else if (isReading) cut ??= error;
      else reject(outgoing.reusedSocket && isReset ? new StaleConnection() : error);
    });
    outgoing.once("close", () => {
      clearTimeout(connectTimer);
      clearTimeout(totalTimer);
    });
    outgoing.end(request.body);
  });
}

/** Reads at most `maxBytes` of an unwanted body, and cuts the connection of a longer one. */
function discard(response: IncomingMessage, maxBytes: number): void {
  let bytes = 0;
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) response.destroy();
  });
}
