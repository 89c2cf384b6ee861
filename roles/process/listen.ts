import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { listenError } from "../../config/listen-error.ts";
import type { Start } from "./common.ts";
import { type HttpsListener, openHttpsListener } from "./https-listener.ts";
import { followConnections } from "./open-connections.ts";

/** Addresses of the API that a client on this machine can use; one of them at least. */
export interface HttpUrls {
  readonly http?: string;
  readonly https?: string;
}

/**
 * Listens where the settings say, and closes the app with the process.
 * @throws DomainError `SETTINGS_INVALID` when a port is taken or the address is not ours.
 */
export async function listenHttp(
  app: FastifyInstance,
  {
    settings,
    closers,
    tls,
    proxyProtocol,
  }: Pick<Start, "settings" | "closers" | "tls"> & Partial<Pick<Start, "proxyProtocol">>,
): Promise<HttpUrls> {
  const { httpHost: host, httpPort: port, httpsPort } = settings;
  let secure: HttpsListener | undefined;
  proxyProtocol?.guard(app.server);
  const connections = followConnections(app.server);
  closers.push(async () => {
    secure?.stop();
    // Ends the streams that would otherwise keep both servers open.
    await connections.closeWith(() => app.close());
    await secure?.close();
  });
  let urls: HttpUrls = {};
  if (port !== undefined) {
    await app.listen({ host, port }).catch((error: unknown) => {
      throw listenError("HTTP_PORT", host, port, error);
    });
    const address = app.server.address() as AddressInfo;
    urls = { http: `http://${reachable(host)}:${address.port}` };
  }
  if (httpsPort !== undefined && tls !== undefined) {
    secure = await openHttpsListener(app, { tls, proxyProtocol }, { host, port: httpsPort });
    urls = { ...urls, https: `https://${reachable(host)}:${secure.port}` };
  }
  return urls;
}

/** A host to connect to: a wildcard address is not one. */
export function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
