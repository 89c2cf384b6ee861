import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { AddressRules } from "./address-rules.ts";
import { OutboundError } from "./failure.ts";
import type { ResolveHost } from "./resolve-host.ts";
import type { OutboundTarget } from "./target.ts";
import { vetConnection, vettedLookup } from "./vetted-connection.ts";
import { watchForAnswer } from "./watch-for-answer.ts";

/** Limits of one download, its redirects included. */
export interface DownloadLimits {
  /** Name look-up, TCP and TLS of one connection together, ms. */
  readonly connectMs: number;
  /** Longest silence of the other side, ms. */
  readonly idleMs: number;
  /** All of it, ms. */
  readonly totalMs: number;
}

/** What one GET came to: a body that was taken, a redirect, or a status that is neither. */
export type GetAnswer =
  | { readonly bytes: number }
  | { readonly location: string }
  | { readonly status: number };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * What an answer may hold beside its body and as much again: headers, chunk sizes. Without a limit
 * chunks of one byte, or with long extensions, keep us reading for nothing; with a smaller one many short
 * chunks would be refused.
 */
const WRAPPING_BYTES = 64 * 1024;

/**
 * One GET on a connection of its own, the body streamed into `sink`. The body is taken as it was
 * sent: nothing is asked to be compressed, and nothing is unpacked.
 * @throws OutboundError `too large` above `maxBytes`, `not http` when it is mostly wrapping, `blocked`,
 * `timeout`; errors of `sink`.
 */
export async function getInto(
  sink: () => Writable,
  target: OutboundTarget,
  use: {
    readonly rules: AddressRules;
    readonly resolve: ResolveHost;
    readonly limits: DownloadLimits;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
    /** PEM authorities; `undefined`: those of the system. */
    readonly ca: string | undefined;
  },
): Promise<GetAnswer> {
  const response = await open(target, use);
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  if (status !== 200) {
    response.destroy();
    return REDIRECTS.has(status) && location !== undefined ? { location } : { status };
  }
  if (Number(response.headers["content-length"] ?? 0) > use.maxBytes) {
    response.destroy();
    throw new OutboundError("too large");
  }
  let bytes = 0;
  const { socket } = response;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > use.maxBytes) done(new OutboundError("too large"));
      else if (socket.bytesRead > 2 * bytes + WRAPPING_BYTES) done(new OutboundError("not http"));
      else done(null, chunk);
    },
  });
  await pipeline(response, counter, sink());
  return { bytes };
}

function open(
  target: OutboundTarget,
  use: Omit<Parameters<typeof getInto>[2], "maxBytes">,
): Promise<IncomingMessage> {
  const { rules, limits, signal } = use;
  return new Promise((resolve, reject) => {
    const send = target.isTls ? requestHttps : requestHttp;
    const outgoing = send(target.url, {
      method: "GET",
      headers: { accept: "image/*", "accept-encoding": "identity", "user-agent": "plumbline" },
      agent: false,
      lookup: vettedLookup(use.resolve, rules, target.port),
      rejectUnauthorized: true,
      ...(use.ca === undefined ? {} : { ca: use.ca }),
      signal,
      timeout: limits.idleMs,
    });
    const expire = () => outgoing.destroy(new OutboundError("timeout"));
    const connectTimer = setTimeout(expire, limits.connectMs);
    outgoing.once("socket", (socket) => {
      vetConnection(outgoing, socket, rules, target, () => clearTimeout(connectTimer));
    });
    let response: IncomingMessage | undefined;
    outgoing.on("timeout", () => {
      // The body, once it comes, has the error; until then the request has.
      response?.destroy(new OutboundError("timeout"));
      expire();
    });
    outgoing.once("response", (found) => {
      response = found;
      resolve(found);
    });
    watchForAnswer(outgoing, reject);
    outgoing.once("close", () => clearTimeout(connectTimer));
    outgoing.end();
  });
}
