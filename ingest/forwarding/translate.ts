import type { Reading, ReadingBatch } from "../../domain/equipment/reading.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { Forwarder } from "../../storage/ports/events/forwarders.ts";
import type { JournalRecord } from "../../storage/ports/journal.ts";
import type { Fix } from "../asset-state/asset-state.ts";
import type { AssetDirectory, AssetEntry } from "../directories/asset-directory.ts";
import { ByteReader } from "../journal-record/byte-reader.ts";
import { decodeRecord, RECORD_KIND } from "../journal-record/journal-record.ts";
import { plumblineMessage } from "./plumbline-reading.ts";
import { fillTopic } from "./topic-template.ts";
import { LastPositions, type TraccarPlace } from "./traccar/last-positions.ts";
import { placeOf, placeOfFix, traccarMessage } from "./traccar/position.ts";

/** One reading as the other system is to get it. */
export interface ForwardMessage {
  readonly assetId: AssetId;
  /** `undefined` for HTTP. */
  readonly topic: string | undefined;
  readonly body: string;
}

/** What a record of the journal comes to for one forwarder. */
export interface Translated {
  readonly messages: readonly ForwardMessage[];
  /** Readings that are left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

export interface TranslatorOptions {
  readonly forwarder: Pick<Forwarder, "format" | "topic" | "projectIds" | "startAtMs">;
  readonly journalId: string;
  readonly directory: Pick<AssetDirectory, "find">;
  /** The newest fix of an asset, for readings without a position before the first that has one. */
  readonly lastFix: (assetId: AssetId) => Fix | undefined;
}

const NOTHING: Translated = { messages: [], skipped: {} };

/**
 * Makes messages of journal records, in their order. What belongs to another project, was acknowledged
 * before the forwarder began, or is not a reading, yields nothing. So do records that came
 * from another partition: they are passed on from where they were acknowledged.
 */
export function createTranslator(
  options: TranslatorOptions,
): (record: JournalRecord) => Translated {
  const { forwarder, journalId, directory, lastFix } = options;
  const { format, topic, startAtMs } = forwarder;
  const projects = forwarder.projectIds && new Set<ProjectId>(forwarder.projectIds);
  const positions = new LastPositions();

  /** Where the asset was at the reading, or before it. */
  function whereabouts(assetId: AssetId, reading: Reading): TraccarPlace | undefined {
    const place = placeOf(reading);
    if (place !== undefined) {
      if (reading.isHistorical !== true) positions.note(assetId, place);
      return place;
    }
    const last = positions.before(assetId, reading.fixTimeMs);
    if (last !== undefined) return last;
    const fix = lastFix(assetId);
    return fix !== undefined && fix.fixTimeMs <= reading.fixTimeMs ? placeOfFix(fix) : undefined;
  }

  function messagesOf(batch: ReadingBatch, { asset }: AssetEntry, sequence: number): Translated {
    const { assetId, projectId, receivedAtMs, readings } = batch;
    const names = { project: projectId, asset: assetId, hardware_id: asset.hardware_id ?? assetId };
    const filled = topic === undefined ? undefined : fillTopic(topic, names);
    const messages: ForwardMessage[] = [];
    for (const [i, reading] of readings.entries()) {
      if (format === "plumbline") {
        messages.push({ assetId, topic: filled, body: plumblineMessage(reading) });
        continue;
      }
      const last = whereabouts(assetId, reading);
      if (last === undefined) continue;
      const name = `${journalId}:${sequence}:${i}`;
      const body = traccarMessage(reading, { asset, projectId, receivedAtMs, name, last });
      messages.push({ assetId, topic: filled, body });
    }
    const without = readings.length - messages.length;
    return { messages, skipped: without === 0 ? {} : { without_position: without } };
  }

  return (record) => {
    if (record.kind !== RECORD_KIND.readings || record.timeMs < startAtMs) return NOTHING;
    try {
      if (projects !== undefined && !projects.has(projectOf(record))) return NOTHING;
      const entry = decodeRecord(record);
      if (entry?.type !== "readings" || entry.batch.readings.length === 0) return NOTHING;
      const asset = directory.find(entry.batch.assetId);
      // Its registration is gone, and with it the name that the other system knows it by.
      if (asset === undefined) {
        return { messages: [], skipped: { asset_deleted: entry.batch.readings.length } };
      }
      return messagesOf(entry.batch, asset, record.sequence);
    } catch (error) {
      // It ends too early; the pipeline reports such records.
      if (!(error instanceof RangeError)) throw error;
      return { messages: [], skipped: { unreadable: 1 } };
    }
  };
}

/** The project at intake, without decoding the rest. */
function projectOf(record: JournalRecord): ProjectId {
  const reader = new ByteReader(record.body);
  reader.text();
  return reader.text() as ProjectId;
}
