import { TLSSocket } from "node:tls";
import type { FastifyRequest } from "fastify";

/** What a request says of the page that sent it: `none` where it does not come from a browser's page. */
export type SentBy = "own page" | "other page" | "none";

/** The addresses that browsers reach this API by. */
export class OwnSite {
  readonly #public: URL | undefined;

  /** `publicUrl`: the address that others reach the API by, where something in front ends TLS. */
  constructor(publicUrl?: string) {
    this.#public = publicUrl === undefined ? undefined : new URL(publicUrl);
  }

  /** Whether the browser reaches this by https: over our own TLS, or that of whoever serves the public address. */
  isSecure(request: FastifyRequest): boolean {
    if (request.raw.socket instanceof TLSSocket) return true;
    return this.#public?.protocol === "https:" && request.headers.host === this.#public.host;
  }

  /**
   * Which page sent a request (Fetch Metadata, and RFC 6454 section 7 where it is absent: browsers send it to https and
   * to this machine alone). No page can change either header.
   */
  sentBy({ headers }: FastifyRequest): SentBy {
    const site = headers["sec-fetch-site"];
    if (site !== undefined) return site === "same-origin" ? "own page" : "other page";
    const { origin, host } = headers;
    if (origin === undefined) return "none";
    if (!URL.canParse(origin)) return "other page";
    const from = new URL(origin);
    // In the form of an origin, which leaves out the usual port: some proxies add it to `Host`.
    const ours = `${from.protocol}//${host}`;
    const isOurs = URL.canParse(ours) && from.host === new URL(ours).host;
    return from.host !== "" && (isOurs || from.host === this.#public?.host)
      ? "own page"
      : "other page";
  }
}
