import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { listenError } from "../config/listen-error.ts";
import type { Settings } from "../config/settings.ts";

/**
 * Listens where the settings say and yields an address that a client on this machine can use.
 * @throws DomainError `SETTINGS_INVALID` when the port is taken or the address is not ours.
 */
export async function listenHttp(
  app: FastifyInstance,
  settings: Pick<Settings, "httpHost" | "httpPort">,
): Promise<string> {
  const { httpHost: host, httpPort: port } = settings;
  await app.listen({ host, port }).catch((error: unknown) => {
    throw listenError("HTTP_PORT", host, port, error);
  });
  const address = app.server.address() as AddressInfo;
  return `http://${reachable(host)}:${address.port}`;
}

/** A host to connect to: a wildcard address is not one. */
export function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
