import { once } from "node:events";
import { connect } from "node:net";

const CONNECTIONS = 50;

export interface Run {
  readonly perS: number;
  readonly perCpuS: number;
}

/** Sends requests over 50 connections for a while; every answer must be 200, or 304 without a body. */
export async function load(
  port: number,
  requests: readonly Buffer[],
  seconds: number,
  cpu: () => Promise<number>,
): Promise<Run> {
  let answers = 0;
  let next = 0;
  let stopping = false;
  const cpuBefore = await cpu();
  const startMs = performance.now();
  const sockets = Array.from({ length: CONNECTIONS }, async () => {
    const socket = connect(port, "127.0.0.1");
    let missing = 0;
    const ask = () => {
      next += 1;
      socket.write(requests[next % requests.length] ?? "");
    };
    socket.on("data", (chunk) => {
      missing = missing === 0 ? bodyLeft(chunk) : missing - chunk.length;
      if (missing > 0) return;
      answers += 1;
      if (stopping) socket.destroy();
      else ask();
    });
    socket.once("connect", ask);
    await once(socket, "close");
  });
  setTimeout(() => {
    stopping = true;
  }, seconds * 1_000);
  await Promise.all(sockets);
  const elapsedS = (performance.now() - startMs) / 1_000;
  return { perS: answers / elapsedS, perCpuS: answers / ((await cpu()) - cpuBefore) };
}

/** Bytes of the body that did not come with the head. */
function bodyLeft(head: Buffer): number {
  const end = head.indexOf("\r\n\r\n");
  const text = head.toString("latin1", 0, end);
  if (text.startsWith("HTTP/1.1 304")) return 0;
  if (end < 0 || !text.startsWith("HTTP/1.1 200")) throw new Error(text.slice(0, 500));
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  return Number(length) - (head.length - end - 4);
}

/** Where a server of the child listens. */
export function portOf(address: unknown): number {
  if (typeof address !== "object" || address === null || !("port" in address)) {
    throw new TypeError("the server has no port");
  }
  return Number(address.port);
}
