import type { Server, Socket } from "node:net";
import ipaddr from "ipaddr.js";
import type { Logger } from "pino";
import { plainAddress } from "../../domain/platform/plain-address.ts";
import { HOUR_MS } from "../../domain/time.ts";
import { readProxyHeader } from "./header.ts";
import { setPeer } from "./peer.ts";

/** Time for a header, ms: a balancer sends it at once. Longer holds sockets of one that does not send it. */
const HEADER_MS = 3_000;

export interface ProxyProtocolOptions {
  /** Networks of the balancers, as `address/bits`; valid, as `PROXY_PROTOCOL_FROM` is. */
  readonly from: readonly string[];
  readonly log: Pick<Logger, "warn">;
  readonly headerMs?: number;
}

/** What became of the headers of balancers. */
const RESULTS = [
  "accepted",
  /** What a balancer sent first is not a header. */
  "malformed",
  /** The header did not come in time, or the connection ended before. */
  "missing",
] as const;

/**
 * Takes the address of a client from the balancer that it comes through. Connections from the balancers' networks
 * must begin with a header of the PROXY protocol, version 1 or 2: where it could be left out, a client could send one
 * of its own through a balancer that sends none. Connections from elsewhere are left as they are, and a header of
 * theirs is a client's bytes like any other.
 */
export class ProxyProtocol {
  readonly counts: Record<(typeof RESULTS)[number], number> = {
    accepted: 0,
    malformed: 0,
    missing: 0,
  };
  readonly #options: ProxyProtocolOptions;
  readonly #networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
  #warnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ProxyProtocolOptions) {
    this.#options = options;
    this.#networks = options.from.map((cidr) => ipaddr.parseCIDR(cidr));
  }

  /**
   * Takes a server in before it listens, behind all that answers connections: what listens to `connection` now hears
   * of one when its header was read. With TLS the header comes before the handshake.
   */
  guard(server: Server): void {
    const listeners = server.listeners("connection");
    server.removeAllListeners("connection");
    const pass = (socket: Socket): void => {
      for (const listener of listeners) Reflect.apply(listener, server, [socket]);
    };
    server.on("connection", (socket: Socket) => {
      if (this.#isBalancer(socket.remoteAddress)) this.#read(socket, pass);
      else pass(socket);
    });
  }

  #isBalancer(remoteAddress: string | undefined): boolean {
    // Gone before it was accepted.
    if (remoteAddress === undefined) return false;
    const address = ipaddr.process(plainAddress(remoteAddress));
    return this.#networks.some(
      // ipaddr.js throws when the two are of different kinds.
      ([base, bits]) => address.kind() === base.kind() && address.match(base, bits),
    );
  }

  #read(socket: Socket, pass: (socket: Socket) => void): void {
    let received: Buffer = Buffer.alloc(0);
    const stop = (): void => {
      clearTimeout(timer);
      socket.off("readable", read);
      socket.off("end", miss);
      socket.off("close", miss);
      socket.off("error", miss);
    };
    const miss = (): void => {
      stop();
      this.#refuse(socket, "missing");
    };
    const read = (): void => {
      // Bounded by what the system buffers for a socket; a header is malformed before it is that long.
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        received = Buffer.concat([received, chunk]);
        const header = readProxyHeader(received);
        if (header === "more") continue;
        stop();
        if (header === "malformed") {
          this.#refuse(socket, "malformed");
          return;
        }
        this.counts.accepted += 1;
        if (header.client !== undefined) setPeer(socket, header.client);
        if (header.bytes < received.length) socket.unshift(received.subarray(header.bytes));
        pass(socket);
        return;
      }
    };
    const timer = setTimeout(miss, this.#options.headerMs ?? HEADER_MS);
    socket.on("readable", read);
    socket.on("end", miss);
    socket.on("close", miss);
    socket.on("error", miss);
  }

  #refuse(socket: Socket, result: "malformed" | "missing"): void {
    this.counts[result] += 1;
    const address = plainAddress(socket.remoteAddress);
    socket.on("error", () => undefined);
    socket.destroy();
    const nowMs = performance.now();
    // A balancer that only looks whether the port is open sends nothing.
    if (result === "missing" || nowMs - this.#warnedAtMs < HOUR_MS) return;
    this.#warnedAtMs = nowMs;
    const remedy =
      "let the balancer send the PROXY protocol, or take it out of PROXY_PROTOCOL_FROM";
    this.#options.log.warn({ address, remedy }, "a connection began without a PROXY header");
  }
}
