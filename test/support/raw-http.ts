import { once } from "node:events";
import { connect } from "node:net";

/** What came back on one connection. */
export interface RawExchange {
  /** Status of each final answer, in order; `100 Continue` is not one. */
  readonly statuses: readonly number[];
  /** Everything that was received. */
  readonly received: string;
  /** Whether the server ended the connection before the time was over. */
  readonly isClosed: boolean;
}

const STATUS_LINE = /HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/g;

/**
 * Writes `chunks` to a new connection, and reads until `isEnough` says so, the server closes, or `withinMs` are
 * over. A connection that the server resets counts as closed.
 */
export async function exchangeRaw(
  port: number,
  chunks: readonly (Uint8Array | string)[],
  isEnough: (statuses: readonly number[], received: string) => boolean,
  withinMs: number,
): Promise<RawExchange> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  let received = "";
  let isClosed = false;
  const statuses = () =>
    [...received.matchAll(STATUS_LINE)].map(([, status]) => Number(status)).filter((s) => s >= 200);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, withinMs);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    socket.on("data", (data) => {
      received += data.toString("latin1");
      if (isEnough(statuses(), received)) end();
    });
    // A reset shows as an error, and then as "close".
    socket.on("error", () => undefined);
    socket.once("close", () => {
      isClosed = true;
      end();
    });
    for (const chunk of chunks) socket.write(chunk);
  });
  socket.destroy();
  return { statuses: statuses(), received, isClosed };
}

/** A body in chunked transfer coding, with its last chunk. */
export function chunked(body: Uint8Array, chunkBytes = 16_384): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < body.length; from += chunkBytes) {
    const part = body.subarray(from, from + chunkBytes);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}
