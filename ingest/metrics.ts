import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Journal } from "../storage/ports/journal.ts";
import type { TelemetryWriter } from "./archive/telemetry-writer.ts";
import type { Pipeline } from "./pipeline/runner.ts";

/** Monotonic counts and gauges by name, as the broker and the intake keep them. */
export type Counts = Readonly<Record<string, number>>;

/**
 * Exposes ingest to Prometheus. Values are read at each scrape; only commit times are pushed, once
 * per commit.
 */
export function registerIngestMetrics(
  registry: Registry,
  sources: {
    readonly journal: Journal;
    readonly pipeline: Pick<Pipeline, "counters" | "committedSequence"> & {
      readonly live: Pick<Pipeline["live"], "late">;
    };
    readonly writer: TelemetryWriter;
    /** What intake and broker count; the key becomes the `event` label. */
    readonly counts: () => Counts;
    /** Which of the counts go up and down. */
    readonly gauges: readonly string[];
  },
): void {
  const { journal, pipeline, writer, counts, gauges } = sources;
  const registers = [registry];

  new Counter({
    name: "plumbline_mqtt_events_total",
    help: "MQTT messages and refusals by what became of them",
    labelNames: ["event"],
    registers,
    collect() {
      this.reset();
      for (const [event, count] of Object.entries(counts())) {
        if (!gauges.includes(event)) this.inc({ event }, count);
      }
    },
  });
  for (const gauge of gauges) {
    new Gauge({
      name: `plumbline_mqtt_${gauge}`,
      help: `MQTT ${gauge.replace("_", " ")} now`,
      registers,
      collect() {
        this.set(counts()[gauge] ?? 0);
      },
    });
  }
  new Gauge({
    name: "plumbline_journal_bytes",
    help: "Size of the journal on disk",
    registers,
    collect() {
      this.set(journal.stats().bytes);
    },
  });
  new Gauge({
    name: "plumbline_journal_free_bytes",
    help: "Free bytes of the journal's file system",
    registers,
    collect() {
      this.set(journal.stats().freeBytes);
    },
  });
  new Gauge({
    name: "plumbline_journal_lag_records",
    help: "Acknowledged records that a reader has not dealt with yet",
    labelNames: ["reader"],
    registers,
    collect() {
      const { syncedSequence } = journal;
      this.set({ reader: "pipeline" }, syncedSequence - pipeline.committedSequence);
      this.set({ reader: "telemetry" }, syncedSequence - writer.writtenSequence);
    },
  });
  new Counter({
    name: "plumbline_pipeline_readings_total",
    help: "Readings by their part in utilisation",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(pipeline.counters.outcomes)) {
        this.inc({ outcome }, count);
      }
    },
  });
  new Counter({
    name: "plumbline_pipeline_reruns_total",
    help: "Re-runs of an asset's readings after late ones",
    registers,
    collect() {
      this.reset();
      this.inc(pipeline.counters.reruns);
    },
  });
  new Gauge({
    name: "plumbline_pipeline_reruns_pending",
    help: "Assets whose late readings or changed fences wait for a re-run",
    registers,
    collect() {
      this.set([...pipeline.live.late()].length);
    },
  });
  new Counter({
    name: "plumbline_journal_undecodable_records_total",
    help: "Journal records that no reader understood",
    registers,
    collect() {
      this.reset();
      this.inc(pipeline.counters.undecodable);
    },
  });
  const commitSeconds = new Histogram({
    name: "plumbline_journal_commit_seconds",
    help: "Write and fdatasync of one group commit",
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2],
    registers,
  });
  journal.onCommit(({ durationMs }) => commitSeconds.observe(durationMs / 1000));
}
