import { ArchiveWriter } from "../../ingest/archive/archive-writer.ts";
import { registerArchiveMetrics } from "../../ingest/archive/metrics.ts";
import {
  startTelemetryWriter,
  type TelemetryWriter,
} from "../../ingest/archive/telemetry-writer.ts";
import type { LiveAssets } from "../../ingest/asset-state/asset-state.ts";
import type { Forwarding } from "../../ingest/forwarding/forwarding.ts";
import type { Stores } from "../../storage/open.ts";
import type { Journal } from "../../storage/ports/journal.ts";
import type { Common, Start } from "../process/common.ts";
import { startReadingForwarders } from "./forwarding.ts";

/** What reads the journal beside the pipeline: into the telemetry stores, and to the systems that people named. */
export class JournalReaders {
  readonly writer: TelemetryWriter;
  /** The transfer to InfluxDB; `undefined`: the settings name none. */
  readonly archiving: ArchiveWriter | undefined;
  readonly #journal: Journal;
  readonly #forwarding: Forwarding;
  #live: LiveAssets | undefined;

  constructor(start: Start, common: Common, stores: Stores) {
    const { settings, log, closers } = start;
    const { journal, telemetry } = stores;
    const { retentionDays } = settings;
    const writer = startTelemetryWriter({ journal, telemetry, retentionDays, log });
    closers.push(() => writer.stop());
    this.#journal = journal;
    this.writer = writer;
    this.archiving = startArchiving(start, stores, () => writer.writtenSequence);
    this.#forwarding = startReadingForwarders(
      start,
      common,
      journal,
      (id) => this.#live?.state(id)?.fix,
    );
  }

  /** Sets where the last fix of an asset is found; until then none is known. */
  useLive(live: LiveAssets): void {
    this.#live = live;
  }

  /** Polls for changed forwarders now. Never throws. */
  refreshForwarders(): Promise<void> {
    return this.#forwarding.refresh();
  }

  /** Why messages are not stored now; empty when they are. */
  health(): readonly string[] {
    const { writer, archiving } = this;
    return [
      ...journalTrouble(this.#journal),
      ...(writer.stalled === undefined ? [] : [writer.stalled]),
      ...(archiving?.alarm === undefined ? [] : [archiving.alarm]),
    ];
  }
}

/** Starts the transfer to InfluxDB where the settings name one. */
function startArchiving(
  { log, closers, metrics }: Start,
  { journal, records, tier }: Stores,
  localWritten: () => number,
): ArchiveWriter | undefined {
  if (tier === undefined) return undefined;
  const writer = new ArchiveWriter({
    journal,
    archive: tier.archive,
    local: tier.local,
    localWritten,
    deadLetters: records.telemetryDeadLetters,
    onArchived: (timeMs) => tier.store.archivedThrough(timeMs),
    log,
  });
  closers.push(() => writer.stop());
  registerArchiveMetrics(metrics, { journal, writer });
  return writer;
}

/** Why the journal takes no records now; nothing when it does. */
function journalTrouble(journal: Journal): readonly string[] {
  const { state } = journal;
  if (state === "open") return [];
  if (state !== "full") return [`journal has ${state}`];
  const freeMib = Math.floor(journal.stats().freeBytes / 1024 ** 2);
  return [
    `journal is full: ${freeMib} MiB free on its disk, less than the reserve and the next file need`,
  ];
}
