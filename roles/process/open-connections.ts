import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * How long a connection without a request may stay once the server is closing, ms: what a client sent just before is
 * read in that time. More delays every stop with such a connection; less cuts off requests that are on their way.
 */
const SILENT_MS = 250;
/** How often connections that became silent are looked for from then on, ms. */
const SILENT_CHECK_MS = 50;
/**
 * How long requests that are being answered may take once the server is closing, ms. More delays a stop by one slow
 * client, and beyond 15 s (`program.ts`) the process ends without closing its stores; less cuts off long answers.
 */
const ANSWER_MS = 5_000;

/** How long connections of a server that closes may stay, ms. */
export interface LingerTimes {
  readonly silentMs: number;
  readonly answerMs: number;
}

/** The connections of an HTTP server, by whether a request is being answered on them. */
export interface OpenConnections {
  /**
   * Runs `close`, which closes the server, and closes the connections that would keep it open: soon those that wait for
   * no answer, later all of them.
   */
  closeWith(close: () => Promise<void>): Promise<void>;
}

/**
 * Follows the connections of a server that has none yet. Node's `closeIdleConnections` leaves a connection open on which
 * no request has arrived, for up to a minute: that of a browser that connects ahead, of a load balancer or of a probe.
 */
export function followConnections(
  server: Server,
  { silentMs, answerMs }: LingerTimes = { silentMs: SILENT_MS, answerMs: ANSWER_MS },
): OpenConnections {
  const requests = new Map<Socket, number>();
  const add = (socket: Socket, count: number): void => {
    const before = requests.get(socket);
    if (before !== undefined) requests.set(socket, before + count);
  };
  server.on("connection", (socket: Socket) => {
    requests.set(socket, 0);
    socket.once("close", () => requests.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    add(socket, 1);
    response.once("close", () => add(socket, -1));
  });
  const closeSilent = (): void => {
    for (const [socket, count] of requests) if (count === 0) socket.destroySoon();
  };
  return {
    async closeWith(close) {
      let polling: NodeJS.Timeout | undefined;
      const silent = setTimeout(() => {
        closeSilent();
        polling = setInterval(closeSilent, SILENT_CHECK_MS);
      }, silentMs);
      const all = setTimeout(() => server.closeAllConnections(), answerMs);
      try {
        await close();
      } finally {
        clearTimeout(silent);
        clearInterval(polling);
        clearTimeout(all);
      }
    },
  };
}
