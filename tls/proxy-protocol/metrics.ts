import { Counter, type Registry } from "prom-client";
import type { ProxyProtocol } from "./proxy-protocol.ts";

/** Exposes to Prometheus what became of the headers of balancers. */
export function registerProxyMetrics(
  registry: Registry,
  { counts }: Pick<ProxyProtocol, "counts">,
): void {
  new Counter({
    name: "plumbline_proxy_headers_total",
    help: "Connections of PROXY_PROTOCOL_FROM by what became of their PROXY header",
    labelNames: ["result"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [result, count] of Object.entries(counts)) this.inc({ result }, count);
    },
  });
}
