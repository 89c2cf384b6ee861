import type { AddressInfo, ListenOptions, Server } from "node:net";
import { listenError } from "../../config/listen-error.ts";
import type { ProxyProtocol } from "../../tls/proxy-protocol/proxy-protocol.ts";

/** Connections that wait to be accepted: 10,000 devices come back at once after a restart. */
export const DEVICE_BACKLOG = 4_096;

/** Where a listener is opened; port 0: any free one. */
type Place = Pick<ListenOptions, "backlog"> & { readonly host: string; readonly port: number };

/**
 * Opens a listener and yields its port. `proxyProtocol`: takes the addresses of clients from balancers.
 * @throws DomainError `SETTINGS_INVALID` naming `setting` when the port is taken or the address is not ours.
 */
export async function listenForDevices(
  server: Server,
  setting: string,
  place: Place,
  proxyProtocol: ProxyProtocol | undefined,
): Promise<number> {
  proxyProtocol?.guard(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, () => {
      server.off("error", reject);
      resolve();
    });
  }).catch((error: unknown) => {
    throw listenError(setting, place.host, place.port, error);
  });
  return (server.address() as AddressInfo).port;
}
