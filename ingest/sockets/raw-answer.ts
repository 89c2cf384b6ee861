import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Writes an answer on a connection that is not one of Node's HTTP server, or no longer; ends it. */
export function writeRawAnswer(
  socket: Duplex,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  const lines = Object.entries({ ...headers, connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
}
