import type { Socket } from "node:net";
import type { Server, TLSSocket } from "node:tls";
import { clientNetwork } from "../domain/platform/client-network.ts";
import { plainAddress } from "../domain/platform/plain-address.ts";
import { failureOf, type TlsFailure } from "./failure.ts";
import { copyPeer, realPeerOf } from "./proxy-protocol/peer.ts";
import { type TurnLimits, Turns } from "./turns.ts";

/**
 * Handshakes of one listener. Each that is under way holds some 60 KB, so a larger number lets hostile
 * clients take more memory. A smaller one makes 10,000 devices that come back at once wait longer. With
 * 128 by address and 0.5 s for each on a mobile network, a fleet behind one router is back in 40 s.
 */
export const HANDSHAKE_LIMITS: TurnLimits = { atOnce: 1_024, atOnceByAddress: 128, waiting: 8_192 };

export interface GuardOptions {
  readonly limits: TurnLimits;
  /** Decides about a finished handshake; a reason refuses the client. */
  readonly check: (socket: TLSSocket) => Pick<TlsFailure, "reason" | "code"> | undefined;
  /** Called for every handshake that failed. `socket`: only where the client got as far as a certificate. */
  readonly onFailure: (
    failure: Pick<TlsFailure, "reason" | "code" | "address">,
    socket?: TLSSocket,
  ) => void;
}

/** A handshake that has begun. */
interface Handshake {
  readonly address: string;
  /** What the handshake is made on. */
  readonly socket: Socket;
  /** The peer whose turn it took. */
  readonly network: string;
  isOver: boolean;
}

/**
 * Sits between a TLS server and the two listeners that Node installed: connections begin their handshake
 * when their turn comes, and only those that pass `check` reach the program. Node frees nothing itself
 * when a handshake times out; here every failed one is closed.
 *
 * `check` and not `rejectUnauthorized`, with which Node ends a refused client before anybody can ask for
 * its address or its certificate.
 */
export function guardHandshakes(server: Server, options: GuardOptions): void {
  const { check, onFailure } = options;
  const beginHandshake = takeListener<[Socket]>(server, "connection");
  const serve = takeListener<[TLSSocket]>(server, "secureConnection");
  // That of node:https would answer a failed handshake in HTTP.
  server.removeAllListeners("tlsClientError");
  /** Of every connection whose handshake is under way, by its peer. */
  const handshakes = new Map<string, Handshake>();

  // By network: the holder of one IPv6 address has 2^64 of them.
  const turns = new Turns<Socket>(options.limits, (socket, network) => {
    const address = plainAddress(socket.remoteAddress);
    const handshake: Handshake = { address, socket, network, isOver: false };
    const key = realPeerOf(socket);
    handshakes.set(key, handshake);
    socket.once("close", () => {
      if (handshakes.get(key) === handshake) handshakes.delete(key);
      if (!handshake.isOver) onFailure({ address, reason: "cut", code: "ECONNRESET" });
      end(handshake);
    });
    beginHandshake(socket);
  });

  function end(handshake: Handshake): void {
    if (handshake.isOver) return;
    handshake.isOver = true;
    turns.end(handshake.network);
  }

  server.on("connection", (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress);
    // Gone before it was accepted.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    socket.on("error", ignore);
    const network = clientNetwork(address);
    if (!turns.add(socket, network)) {
      socket.destroy();
      onFailure({ address, reason: "too_many", code: "too_many" });
      return;
    }
    socket.once("close", () => turns.cancel(socket, network));
  });

  server.on("tlsClientError", (error: Error, socket: TLSSocket) => {
    // A connection that is closed already was reported by `close`.
    const handshake = handshakes.get(realPeerOf(socket));
    if (handshake !== undefined && !handshake.isOver) {
      onFailure({ address: handshake.address, ...failureOf(error) });
      end(handshake);
    }
    socket.destroy();
  });

  server.on("secureConnection", (socket: TLSSocket) => {
    const handshake = handshakes.get(realPeerOf(socket));
    // The peer left in the same moment.
    if (handshake === undefined) return void socket.destroy();
    copyPeer(handshake.socket, socket);
    end(handshake);
    const refusal = check(socket);
    if (refusal === undefined) return serve(socket);
    onFailure({ address: handshake.address, ...refusal }, socket);
    socket.on("error", ignore);
    socket.destroy();
  });
}

/** Removes the only listener of an event and yields it. */
function takeListener<A extends unknown[]>(server: Server, event: string): (...args: A) => void {
  const [listener, ...others] = server.listeners(event);
  if (listener === undefined || others.length > 0)
    throw new Error(`${event} has several listeners`);
  server.removeAllListeners(event);
  return (...args) => void Reflect.apply(listener, server, args);
}

const ignore = (): void => undefined;
