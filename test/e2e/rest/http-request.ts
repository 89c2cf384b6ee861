import { Agent, type IncomingHttpHeaders, request } from "node:http";
import type { Socket } from "node:net";
import type { IdPools, Tenant } from "./id-pools.ts";
import type { Operation } from "./operations.ts";
import { isPlaceholder, type Placeholder, resolveFor, toJson } from "./placeholders.ts";
import type { RequestPlan } from "./request-plan.ts";

/** A request as it goes out. */
export interface SentRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Longest wait for an answer, ms: jobs are waited for up to a minute. */
const ANSWER_MS = 90_000;
/** Connections whose late errors are nobody's. */
const watched = new WeakSet<Socket>();
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Writes a plan down, with the ids that are known now. */
export function writeRequest(
  operation: Operation,
  plan: RequestPlan,
  tenant: Tenant,
  key: string | undefined,
  pools: IdPools,
): SentRequest {
  const last = Object.entries(plan.path).at(-1);
  // If an administrator moved things to the other customer, it would be taken for a leak.
  const resolve = (value: unknown): unknown =>
    resolveFor(value, tenant, pools, plan.caller !== "admin");
  const values = resolve(plan.path) as Record<string, unknown>;
  if (operation.method === "DELETE" && last !== undefined && isPlaceholder(last[1])) {
    values[last[0]] = passing(last[1], tenant, pools, plan.caller !== "admin");
  }
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encode(String(values[name])),
  );
  const query = plan.query
    .flatMap(([name, value]) => {
      if (name === "") return [String(value)];
      const each = (value as { twice?: readonly unknown[] }).twice ?? [value];
      return each.map((one) => `${name}=${encode(queryText(resolve(one)))}`);
    })
    .join("&");
  const { body } = plan;
  const isJson = body?.kind === "json";
  const bytes = isJson ? Buffer.from(toJson(resolve(body.value))) : body?.bytes;
  return {
    method: operation.method,
    target: query === "" ? path : `${path}?${query}`,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...plan.headers,
      ...(body === undefined ? {} : { "content-type": isJson ? "application/json" : body.type }),
      ...(bytes === undefined ? {} : { "content-length": String(bytes.byteLength) }),
    },
    body: bytes,
  };
}

function passing(
  value: Placeholder,
  tenant: Tenant,
  pools: IdPools,
  mayBeForeign: boolean,
): unknown {
  if (!("$id" in value)) return "";
  const owner = value.whose === "own" || !mayBeForeign ? tenant : pools.other(tenant);
  return pools.pickPassing(value.$id, owner, value.pick);
}

const queryText = (value: unknown): string =>
  Array.isArray(value)
    ? value.join(",")
    : typeof value === "object"
      ? toJson(value)
      : String(value);

/** As `encodeURIComponent`, with U+FFFD for what UTF-8 cannot hold, and without segments that clients resolve. */
function encode(text: string): string {
  const encoded = encodeURIComponent(Buffer.from(text).toString());
  return /^\.{1,2}$/.test(encoded) ? encoded.replaceAll(".", "%2e") : encoded;
}

/** Sends it, and reads the answer; of a stream without end, its headers. */
export function send(base: URL, sent: SentRequest): Promise<Answer> {
  return new Promise((fulfil, reject) => {
    const { method, target, headers, body } = sent;
    const outgoing = request(
      {
        agent,
        method,
        path: target,
        headers,
        host: base.hostname,
        port: base.port,
        timeout: ANSWER_MS,
      },
      (incoming) => {
        const { statusCode: status = 0, headers: received } = incoming;
        const chunks: Buffer[] = [];
        const end = () =>
          fulfil({ status, headers: received, body: Buffer.concat(chunks).toString("utf8") });
        if (received["content-type"]?.startsWith("text/event-stream") === true) {
          incoming.destroy();
          end();
          return;
        }
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.once("end", end);
        incoming.once("error", reject);
      },
    );
    outgoing.once("timeout", () => outgoing.destroy(new Error(`no answer in ${ANSWER_MS} ms`)));
    // Also later: a server that has answered may close the connection under the rest of a body.
    outgoing.on("error", reject);
    outgoing.once("socket", (socket) => {
      if (watched.has(socket)) return;
      watched.add(socket);
      socket.on("error", () => undefined);
    });
    outgoing.end(body);
  });
}
