import { Counter, Gauge, type Registry } from "prom-client";
import type { Tls } from "./tls.ts";

/** Exposes certificates, reloads and failed handshakes to Prometheus. */
export function registerTlsMetrics(registry: Registry, tls: Tls): void {
  const registers = [registry];
  new Gauge({
    name: "plumbline_tls_expiration_timestamp_seconds",
    help: "When the first certificate or revocation list of each TLS file expires, Unix time",
    labelNames: ["file"],
    registers,
    collect() {
      this.reset();
      for (const [file, { untilMs }] of Object.entries(tls.files.validity)) {
        this.set({ file }, untilMs / 1_000);
      }
    },
  });
  new Counter({
    name: "plumbline_tls_reloads_total",
    help: "Changed TLS files by what became of them",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      this.inc({ outcome: "applied" }, tls.reloads.applied);
      this.inc({ outcome: "refused" }, tls.reloads.refused);
    },
  });
  const failures = new Counter({
    name: "plumbline_tls_handshake_failures_total",
    help: "TLS handshakes that failed, by listener and reason",
    labelNames: ["listener", "reason"],
    registers,
  });
  tls.onFailure(({ listener, reason }) => failures.inc({ listener, reason }));
}
