import { createServer, request as forward } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** How the connection to InfluxDB is broken. */
export type Fault = "none" | "refused" | "errors" | "slow";

/** The time that a slow server takes for an answer, ms. */
const SLOW_MS = 30_000;
/** Where lines are posted to, in InfluxDB 1 and 2. */
const WRITES = /^\/(api\/v2\/)?write/;

/** A server in front of InfluxDB that fails as requested and checks the order of what arrives. */
export class FaultProxy {
  readonly #server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", async () => {
      const body = Buffer.concat(chunks);
      if (this.#fault === "errors") {
        outgoing.writeHead(500, { "content-type": "application/json" }).end('{"error":"timeout"}');
        return;
      }
      if (this.#fault === "slow") await delay(SLOW_MS, undefined, { ref: false });
      const { method = "GET", url = "/", headers } = incoming;
      const own = forward(
        { host: "127.0.0.1", port: this.#targetPort, method, path: url, headers },
        (answer) => {
          if (answer.statusCode === 204 && WRITES.test(url)) this.#watch(body.toString());
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        },
      );
      own.on("error", () => outgoing.destroy());
      outgoing.on("close", () => own.destroy());
      own.end(body);
    });
  });
  readonly #sockets = new Set<Socket>();
  readonly #targetPort: number;
  readonly #seen = new Map<string, { newest: number; readonly numbers: Set<number> }>();
  #fault: Fault = "none";
  #port = 0;
  /** Readings that the server confirmed for the first time after a later one of the same asset. */
  disorder = 0;

  constructor(targetPort: number) {
    this.#targetPort = targetPort;
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async break(fault: Fault): Promise<void> {
    const was = this.#fault;
    this.#fault = fault;
    if (fault === "refused") await this.close();
    else if (was === "refused") await this.open();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #watch(lines: string): void {
    for (const [, asset = "", text = ""] of lines.matchAll(/asset=([^,]+),\S+ .*?number=(\d+)/g)) {
      const number = Number(text);
      const seen = this.#seen.get(asset) ?? { newest: 0, numbers: new Set<number>() };
      this.#seen.set(asset, seen);
      if (!seen.numbers.has(number) && number < seen.newest) this.disorder += 1;
      seen.numbers.add(number);
      seen.newest = Math.max(seen.newest, number);
    }
  }
}
