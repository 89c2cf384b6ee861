import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TelemetryPoint } from "../../storage/ports/telemetry-store.ts";

/** The part of an InfluxDB 1 that reads go to, over points in memory. */
export interface InfluxStub {
  readonly url: string;
  /** Requests that were answered with rows, or with none. */
  readonly answered: number;
  /** From now on it answers so many requests and then 503; `Infinity`: all. */
  answerOnly(requests: number): void;
  close(): Promise<void>;
}

const RANGE = /time >= (-?\d+)ms AND time < (-?\d+)ms/;

export async function startInfluxStub(points: readonly TelemetryPoint[]): Promise<InfluxStub> {
  const names = [...new Set(points.flatMap(({ fields }) => Object.keys(fields)))].sort();
  let answered = 0;
  let left = Number.POSITIVE_INFINITY;
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? "/", "http://stub").searchParams;
    const [, from, to] = RANGE.exec(query.get("q") ?? "") ?? [];
    response.setHeader("content-type", "application/json");
    if (left <= 0 || from === undefined) {
      response.writeHead(503).end('{"error":"it is being restarted"}');
      return;
    }
    left -= 1;
    answered += 1;
    const { asset } = JSON.parse(query.get("params") ?? "{}") as { readonly asset?: string };
    const values = points
      .filter(
        ({ assetId, fixTimeMs: t }) => assetId === asset && t >= Number(from) && t < Number(to),
      )
      .map(({ fixTimeMs, fields }) => [fixTimeMs, ...names.map((name) => fields[name] ?? null)]);
    const series = values.length === 0 ? [] : [{ columns: ["time", ...names], values }];
    response.end(JSON.stringify({ results: [{ series }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get answered() {
      return answered;
    },
    answerOnly(requests) {
      left = requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
