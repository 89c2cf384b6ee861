import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A connection to a server on this machine that can be cut as a network is. */
export interface TcpProxy {
  readonly port: number;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Holds what arrives from now on in both directions; connections stay open and neither side is notified. */
  hold(): void;
  /** Lets everything through again. */
  restore(): void;
  close(): Promise<void>;
}

/** Opens a proxy in front of that port of 127.0.0.1. */
export async function openTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: "open" | "cut" | "held" = "open";

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  }

  const server = createServer({ pauseOnConnect: true }, (client) => {
    keep(client);
    if (state === "cut") {
      client.destroy();
      return;
    }
    const upstream = connect(target, "127.0.0.1");
    keep(upstream);
    const pairs = [
      [client, upstream],
      [upstream, client],
    ] as const;
    for (const [from, to] of pairs) {
      from.on("data", (chunk) => to.write(chunk));
      from.on("close", () => to.destroy());
    }
    if (state === "held") upstream.pause();
    else client.resume();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = "cut";
      for (const socket of sockets) socket.destroy();
    },
    hold() {
      state = "held";
      for (const socket of sockets) socket.pause();
    },
    restore() {
      state = "open";
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
