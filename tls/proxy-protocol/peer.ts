import type { Socket } from "node:net";
import type { Peer } from "./header.ts";

/** The addresses that connections really come from, of those that were given another one. */
const realPeers = new WeakMap<Socket, string>();

/** Names a connection by its real peer, which a TLS socket has in common with the socket below it. */
export const realPeerOf = (socket: Socket): string =>
  realPeers.get(socket) ?? `${socket.remoteAddress} ${socket.remotePort}`;

/** Makes `remoteAddress` and `remotePort` of a connection those of the client that a balancer named. */
export function setPeer(socket: Socket, { address, port }: Peer): void {
  realPeers.set(socket, realPeerOf(socket));
  // Getters of the prototype, which ask the system.
  Object.defineProperties(socket, {
    remoteAddress: { value: address, configurable: true },
    remotePort: { value: port, configurable: true },
    remoteFamily: { value: address.includes(":") ? "IPv6" : "IPv4", configurable: true },
  });
}

/** Gives a socket the client of another one: of the socket below it. */
export function copyPeer(from: Socket, to: Socket): void {
  const { remoteAddress: address, remotePort: port } = from;
  if (!realPeers.has(from) || address === undefined || port === undefined) return;
  setPeer(to, { address, port });
}
