import type { LiveAssets } from "../../ingest/asset-state/asset-state.ts";
import { withReachable } from "../../ingest/broker/reachable-links.ts";
import { createIntake } from "../../ingest/intake/intake.ts";
import { registerIngestMetrics } from "../../ingest/metrics.ts";
import { Pipeline } from "../../ingest/pipeline/runner.ts";
import type { Stores } from "../../storage/open.ts";
import type { Common, Devices, Ingest, Start } from "../process/common.ts";
import { INGEST_GAUGES } from "./broker-parts.ts";
import type { Commands } from "./commands.ts";
import { DeviceParts } from "./device-parts.ts";
import type { JournalReaders } from "./journal-readers.ts";
import { claimIngest } from "./only-ingest.ts";
import { pipelineParts } from "./pipeline-parts.ts";

/** What the only ingest of a deployment consists of. */
interface SingleIngestParts {
  readonly readers: JournalReaders;
  readonly pipeline: Pipeline;
  readonly devices: DeviceParts;
}

/** The only process that takes messages in: from its own broker, or from one of others. */
export class SingleIngest implements Ingest {
  readonly #parts: SingleIngestParts;

  static async start(
    start: Start,
    common: Common,
    stores: Stores,
    { readers, commands }: { readonly readers: JournalReaders; readonly commands: Commands },
  ): Promise<SingleIngest> {
    const { journal } = stores;
    const { writer } = readers;
    if (start.settings.databaseUrl !== undefined) {
      await claimIngest(start, common.records, journal.id);
    }
    const pipeline = await Pipeline.start(pipelineParts(start, common, stores, writer));
    start.closers.push(() => pipeline.stop());
    readers.useLive(pipeline.live);
    const devices = await DeviceParts.listen(start, common, {
      journal,
      commands,
      openIntake: (options) => createIntake({ ...options, journal }),
      followSessions: withReachable,
      linksOutliveUs: false,
      name: journal.id,
      sessionClaims: undefined,
      partitions: undefined,
    });
    const counts = () => devices.counts();
    const sources = { journal, pipeline, writer, counts, gauges: INGEST_GAUGES };
    registerIngestMetrics(start.metrics, sources);
    return new SingleIngest({ readers, pipeline, devices });
  }

  private constructor(parts: SingleIngestParts) {
    this.#parts = parts;
  }

  get live(): LiveAssets {
    return this.#parts.pipeline.live;
  }

  get devices(): Devices {
    return this.#parts.devices;
  }

  refreshForwarders(): Promise<void> {
    return this.#parts.readers.refreshForwarders();
  }

  health(): readonly string[] {
    const { readers, pipeline, devices } = this.#parts;
    return [
      ...readers.health(),
      ...(pipeline.stalled === undefined ? [] : [pipeline.stalled]),
      ...devices.troubles(),
    ];
  }
}
