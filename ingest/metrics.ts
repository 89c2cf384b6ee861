import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Journal, JournalWriter } from "../storage/ports/journal.ts";
import type { TelemetryWriter } from "./archive/telemetry-writer.ts";
import type { Pipeline } from "./pipeline/runner.ts";

/** Monotonic counts and gauges by name, as the broker and the intake keep them. */
export type Counts = Readonly<Record<string, number>>;

/** Where the values come from. */
interface IngestSources {
  readonly journal: Journal;
  readonly pipeline: Pick<Pipeline, "counters" | "committedSequence"> & {
    readonly live: Pick<Pipeline["live"], "late">;
  };
  readonly writer: TelemetryWriter;
  /** What intake and broker count; the key becomes the `event` label. */
  readonly counts: () => Counts;
  /** Which of the counts go up and down. */
  readonly gauges: readonly string[];
}

/**
 * Exposes ingest to Prometheus. Values are read at each scrape; only commit times are pushed, once
 * per commit.
 */
export function registerIngestMetrics(registry: Registry, sources: IngestSources): void {
  const { journal, pipeline, writer, counts, gauges } = sources;
  registerEventCounts(registry, { counts, gauges });
  registerJournalSize(registry, journal);
  registerJournalLag(registry, () => {
    const { syncedSequence } = journal;
    return {
      pipeline: syncedSequence - pipeline.committedSequence,
      telemetry: syncedSequence - writer.writtenSequence,
    };
  });
  registerPipelineMetrics(registry, pipeline);
  registerCommitTimes(registry, journal);
}

/** What intake, broker and the other listeners count. */
export function registerEventCounts(
  registry: Registry,
  { counts, gauges }: Pick<IngestSources, "counts" | "gauges">,
): void {
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
}

function registerJournalSize(registry: Registry, journal: Pick<Journal, "stats">): void {
  const registers = [registry];
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
}

/** How far readers of the journal are behind, in records, by reader. */
export function registerJournalLag(registry: Registry, behind: () => Counts): void {
  new Gauge({
    name: "plumbline_journal_lag_records",
    help: "Acknowledged records that a reader has not dealt with yet",
    labelNames: ["reader"],
    registers: [registry],
    collect() {
      for (const [reader, records] of Object.entries(behind())) this.set({ reader }, records);
    },
  });
}

/** What the pipeline counts. */
export function registerPipelineMetrics(
  registry: Registry,
  pipeline: Pick<IngestSources["pipeline"], "counters" | "live">,
): void {
  const registers = [registry];
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
}

/** How long commits of the journal take. */
export function registerCommitTimes(
  registry: Registry,
  journal: Pick<JournalWriter, "onCommit">,
): void {
  const commitSeconds = new Histogram({
    name: "plumbline_journal_commit_seconds",
    help: "One group commit, until it is durable: write and fdatasync, or the acknowledgement of Kafka",
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2],
    registers: [registry],
  });
  journal.onCommit(({ durationMs }) => commitSeconds.observe(durationMs / 1000));
}
