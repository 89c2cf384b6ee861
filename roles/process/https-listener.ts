import { createServer } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { listenForDevices } from "../../ingest/sockets/listen-for-devices.ts";
import type { ProxyProtocol } from "../../tls/proxy-protocol/proxy-protocol.ts";
import type { Tls } from "../../tls/tls.ts";

/**
 * How long answers that are under way may take after the app has closed, ms. More delays every stop; less
 * cuts answers off.
 */
const LINGER_MS = 1_000;
/** How often connections that became idle are polled for meanwhile, ms. */
const IDLE_CHECK_MS = 20;
/** What the app handles itself, on its own server, instead of Node. */
const TAKEN_OVER = ["checkContinue", "checkExpectation", "clientError", "connect"] as const;

/** The routes of an app over TLS. */
export interface HttpsListener {
  readonly port: number;
  /** Accepts no more connections; open ones stay. */
  stop(): void;
  /** Resolves when all connections are closed; call it after the app has been closed. */
  close(): Promise<void>;
}

/**
 * Serves the app over TLS from a server of its own, beside the app's own server or in its place. Limits and
 * answers to what is not HTTP are those of the app's server.
 * @throws DomainError `SETTINGS_INVALID` when the port is taken or the address is not ours.
 */
export async function openHttpsListener(
  app: FastifyInstance,
  { tls, proxyProtocol }: { readonly tls: Tls; readonly proxyProtocol: ProxyProtocol | undefined },
  place: { readonly host: string; readonly port: number },
): Promise<HttpsListener> {
  const own = app.server;
  const server = createServer(
    {
      ...tls.options("https"),
      requireHostHeader: false,
      headersTimeout: own.headersTimeout,
      requestTimeout: own.requestTimeout,
      keepAliveTimeout: own.keepAliveTimeout,
    },
    (request, response) => app.routing(request, response),
  );
  tls.protect(server, "https");
  for (const event of TAKEN_OVER) {
    server.on(event, (...args: unknown[]) => own.emit(event, ...args));
  }
  const port = await listenForDevices(server, "HTTPS_PORT", place, proxyProtocol);
  let closed: Promise<void> | undefined;
  const stop = (): void => {
    closed ??= new Promise((resolve) => server.close(() => resolve()));
  };
  return {
    port,
    stop,
    async close() {
      stop();
      const deadline = performance.now() + LINGER_MS;
      let isClosed = false;
      void closed?.then(() => {
        isClosed = true;
      });
      while (!isClosed && performance.now() < deadline) {
        server.closeIdleConnections();
        await delay(IDLE_CHECK_MS);
      }
      server.closeAllConnections();
      await closed;
    },
  };
}
