import type { TelemetryWriter } from "../../ingest/archive/telemetry-writer.ts";
import type { PipelineOptions } from "../../ingest/pipeline/runner.ts";
import type { Stores } from "../../storage/open.ts";
import type { Common, Start } from "../process/common.ts";

/** What every pipeline works with, that of the only process and that of one node among several. */
export function pipelineParts(
  { log }: Pick<Start, "log">,
  { records, directory, fences, plans, feed }: Common,
  { journal, telemetry }: Pick<Stores, "journal" | "telemetry">,
  writer: Pick<TelemetryWriter, "writtenSequence">,
): PipelineOptions {
  return {
    journal,
    records: records.pipeline,
    visits: records.visits,
    telemetry,
    telemetryWritten: () => writer.writtenSequence,
    directory,
    fences,
    plans,
    onEvents: () => feed.poke(),
    log,
  };
}
