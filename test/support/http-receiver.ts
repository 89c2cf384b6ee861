import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A request as a receiver saw it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real HTTP server on 127.0.0.1 that remembers what it was sent. */
export interface HttpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** TCP connections ever made to it. */
  readonly connections: number;
  /** Requests that have no answer yet, now and at most. */
  readonly open: { now: number; most: number };
  /** Replaces how it answers; at first 204. */
  answer: (request: Received, response: ServerResponse) => void;
  /** Ends all connections and refuses new ones until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** Answers with that status and, where given, headers. */
export function answering(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): HttpReceiver["answer"] {
  return (_request, response) => {
    response.writeHead(status, headers).end();
  };
}

export async function openHttpReceiver(): Promise<HttpReceiver> {
  const received: Received[] = [];
  const open = { now: 0, most: 0 };
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((request, response) => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.once("close", () => {
      open.now -= 1;
    });
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const one = { path: request.url ?? "", headers: request.headers, body };
      received.push(one);
      receiver.answer(one, response);
    });
  });
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => resolve());
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const receiver: HttpReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    open,
    get connections() {
      return connections;
    },
    answer: answering(204),
    pause: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
    resume: () => listen(port),
    async [Symbol.asyncDispose]() {
      if (server.listening) await receiver.pause();
    },
  };
  return receiver;
}
