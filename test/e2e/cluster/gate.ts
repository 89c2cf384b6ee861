import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A connection to a server that can be closed: through it the server is away. */
export interface Gate {
  readonly port: number;
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

/** Passes connections on to that port of 127.0.0.1. */
export async function openGate(targetPort: number): Promise<Gate> {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((inner) => {
    if (!isOpen) {
      inner.destroy();
      return;
    }
    const outer = connect(targetPort, "127.0.0.1");
    for (const socket of [inner, outer]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        sockets.delete(socket);
        inner.destroy();
        outer.destroy();
      });
    }
    inner.pipe(outer).pipe(inner);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    shut() {
      isOpen = false;
      for (const socket of sockets) socket.destroy();
    },
    open() {
      isOpen = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
