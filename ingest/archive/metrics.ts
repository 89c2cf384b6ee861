import { Counter, Gauge, type Registry } from "prom-client";
import type { Journal } from "../../storage/ports/journal.ts";
import type { ArchiveWriter } from "./archive-writer.ts";

/** Exposes the transfer to the archive to Prometheus; values are read at each scrape. */
export function registerArchiveMetrics(
  registry: Registry,
  { journal, writer }: { readonly journal: Journal; readonly writer: ArchiveWriter },
): void {
  const registers = [registry];
  const backlog = () => journal.syncedSequence - writer.archivedSequence;
  const gauges: readonly (readonly [name: string, help: string, value: () => number])[] = [
    ["backlog_records", "Journal records that are not in InfluxDB yet", backlog],
    [
      "backlog_bytes",
      "Size of those records in the journal, from their mean size",
      () => Math.round(backlog() * writer.health.recordBytes),
    ],
    ["up", "1 when the last request of every lane went through", () => Number(writer.health.isUp)],
  ];
  for (const [name, help, value] of gauges) {
    new Gauge({
      name: `plumbline_influx_${name}`,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  }
  new Counter({
    name: "plumbline_influx_points_total",
    help: "Points by what became of them: written, refused for good, older than the server keeps",
    labelNames: ["outcome"],
    registers,
    collect() {
      const { written, deadLettered, expired } = writer.health.counts;
      this.reset();
      this.inc({ outcome: "written" }, written);
      this.inc({ outcome: "dead_lettered" }, deadLettered);
      this.inc({ outcome: "expired" }, expired);
    },
  });
  new Counter({
    name: "plumbline_influx_retries_total",
    help: "Requests to InfluxDB that did not go through and are tried again",
    registers,
    collect() {
      this.reset();
      this.inc(writer.health.counts.retries);
    },
  });
}
