import type { FastifyRequest } from "fastify";
import { Refusal } from "../errors/refusal.ts";
import type { OwnSite } from "./own-site.ts";

/** Methods that change nothing. */
const SAFE = new Set(["GET", "HEAD"]);
/** What pages of ours send with a body that is not JSON: a page of others cannot without asking us (CORS). */
const CONSOLE_HEADER = "x-plumbline-console";
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Why a request with a session's cookie is not believed to come from a page of ours: a browser adds the cookie to what
 * any page of the same site sends. `SameSite=Strict` keeps out other sites, but not another port of this host.
 */
export function forgedRequest(request: FastifyRequest, site: OwnSite): Refusal | undefined {
  if (SAFE.has(request.method)) return undefined;
  if (site.sentBy(request) !== "own page") return otherPage();
  const type = request.headers["content-type"];
  if (type === undefined || JSON_TYPE.test(type)) return undefined;
  if (request.headers[CONSOLE_HEADER] === "1") return undefined;
  const message = `A body of ${type} needs the header ${CONSOLE_HEADER}: 1 beside a session's cookie`;
  return new Refusal(403, "forbidden", message);
}

/** Why a log-in is not taken: a page of others would log the browser in with a key of its own choice. */
export function forgedLogIn(request: FastifyRequest, site: OwnSite): Refusal | undefined {
  return site.sentBy(request) === "other page" ? otherPage() : undefined;
}

const otherPage = (): Refusal =>
  new Refusal(
    403,
    "forbidden",
    "Sec-Fetch-Site or Origin is not that of this service: a session's cookie is taken from its own pages alone (behind a proxy, set PUBLIC_URL)",
  );
