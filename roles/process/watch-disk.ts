import type { Logger } from "pino";
import { Counter, Gauge, type Registry } from "prom-client";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";

/** A log line for refused writers at most so often, ms: an upload that is tried again and again fills the log. */
const LOG_EVERY_MS = 60_000;

/** Exposes the admission of the data folder's disk to Prometheus, and logs that writers are refused. */
export function watchDisk(disk: DiskSpace, metrics: Registry, log: Logger): void {
  const registers = [metrics];
  const refused = new Counter({
    name: "plumbline_disk_refusals_total",
    help: "Writes that were refused to keep free space for intake, by writer",
    labelNames: ["writer"],
    registers,
  });
  const evicted = new Counter({
    name: "plumbline_disk_evicted_bytes_total",
    help: "Bytes that caches gave up for other writers",
    registers,
  });
  const gauges = [
    ["free", "Free space of the data folder's disk"],
    ["promised", "Space that was promised to writers and is not written yet"],
    ["kept", "Free space below which uploads, products, caches and backups are refused"],
  ] as const;
  for (const [name, help] of gauges) {
    new Gauge({
      name: `plumbline_disk_${name}_bytes`,
      help,
      registers,
      collect() {
        this.set(disk.stats()[`${name}Bytes`]);
      },
    });
  }
  let loggedMs = Number.NEGATIVE_INFINITY;
  disk.watch({
    refused(writer, bytes) {
      refused.inc({ writer });
      if (performance.now() - loggedMs < LOG_EVERY_MS) return;
      loggedMs = performance.now();
      log.warn({ writer, bytes, ...disk.stats() }, "the disk has no room but for intake");
    },
    evicted: (bytes) => evicted.inc(bytes),
  });
}
