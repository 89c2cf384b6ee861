import type { Settings } from "../../config/settings.ts";
import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import { DomainError } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time.ts";
import type {
  QuarantineEntry,
  QuarantineRecords,
} from "../../storage/ports/equipment/quarantine.ts";
import type { JournalWriter } from "../../storage/ports/journal.ts";
import { decoderOfFormat } from "../decoders/registry.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { conversationFormatOf } from "../intake/conversations.ts";
import { readApart } from "../intake/readings/read-apart.ts";
import { hash32 } from "../intake/repeats/payload-hash.ts";
import { routeTopic } from "../intake/topic-route.ts";
import { RECORD_KIND } from "../journal-record/journal-record.ts";
import { encodeReadings } from "../journal-record/readings.ts";
import { appendDurably } from "./append-durably.ts";

/** Whether a quarantined message could be decoded this time, and if not, why. */
export interface ReplayOutcome {
  readonly accepted: boolean;
  /** Ingest carries it out, and notes when. */
  readonly isLeftToIngest?: true;
  readonly reason?: string;
}

/** Replays one quarantined message. */
export type Replay = (entry: QuarantineEntry) => Promise<ReplayOutcome>;
type ReplaySettings = Pick<Settings, "retentionDays">;

/**
 * Decodes quarantined messages again, for instance after an update that knows their format, and
 * journals the readings as of the time the message arrived. Replaying twice stores nothing twice:
 * time and precedence of each reading are the same again.
 */
export function createReplay(
  journal: Pick<JournalWriter, "append">,
  directory: AssetDirectory,
  settings: ReplaySettings,
): Replay {
  return async (entry) => {
    const decoded = decodeAgain(entry, directory, settings);
    if ("reason" in decoded) return { accepted: false, ...decoded };
    const { body, refused } = decoded;
    if (body !== undefined) {
      await appendDurably(journal, RECORD_KIND.readings, Date.now(), body);
    }
    // What is still refused of it stays in the quarantine; to store the others again is the same.
    return refused === undefined ? { accepted: true } : { accepted: false, reason: refused };
  };
}

/** The same for a process without a journal: what can be decoded is left to ingest. */
export function createReplayRequests(
  records: Pick<QuarantineRecords, "requestReplay">,
  directory: AssetDirectory,
  settings: ReplaySettings,
): Replay {
  return async (entry) => {
    const decoded = decodeAgain(entry, directory, settings);
    if ("reason" in decoded) return { accepted: false, ...decoded };
    await records.requestReplay(entry.id, Date.now());
    return { accepted: true, isLeftToIngest: true };
  };
}

interface Decoded {
  /** Of a journal record; `undefined`: there is nothing to keep. */
  readonly body: Uint8Array | undefined;
  /** Why some of its readings cannot be read. */
  readonly refused: string | undefined;
}

/** What can be read of a message now, or why nothing can. */
function decodeAgain(
  entry: QuarantineEntry,
  directory: AssetDirectory,
  settings: ReplaySettings,
): Decoded | { readonly reason: string } {
  const { asset, mapping } = directory.find(entry.assetId) ?? {};
  if (asset === undefined) return { reason: "the asset no longer exists" };
  // The registration may have been corrected since, which is why the message is replayed.
  const { own } = routeTopic(entry.topic, asset);
  const decoder = own?.decoder ?? decoderOfFormat(entry.format);
  if (decoder === undefined) return { reason: `no decoder for format "${entry.format}"` };
  const subject = subjectOf(entry, asset, decoder.name, directory);
  if (typeof subject === "string") return { reason: subject };
  const { assetId, projectId } = subject;
  const { receivedAtMs } = entry;
  const payloadHash = hash32(entry.payload);
  try {
    const options = asset.decoder_options;
    const decoded = decoder.decode(entry.payload, { assetId, receivedAtMs, mapping, options });
    const retentionMs = settings.retentionDays * DAY_MS;
    const { readings, notices } = readApart(decoded, { receivedAtMs, payloadHash }, retentionMs);
    const refused = decoded.refused?.reason;
    if (readings.length + notices.length === 0) return { body: undefined, refused };
    const origin = { clientHash: 0, packetId: 0, payloadHash };
    const batch = { assetId, projectId, receivedAtMs, readings };
    return { body: encodeReadings(batch, origin, notices), refused };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "DECODE_FAILED") throw error;
    return { reason: error.message };
  }
}

/**
 * The subject of the message: the asset that sent it, or, of one that speaks for others, the asset that
 * its topic names, which may have been registered since. A text says why there is none.
 */
function subjectOf(
  entry: QuarantineEntry,
  asset: AssetRegistration,
  decoder: string,
  directory: AssetDirectory,
): Pick<QuarantineEntry, "assetId" | "projectId"> | string {
  const hardwareId = conversationFormatOf(decoder)?.subject(entry.topic);
  if (hardwareId === undefined || hardwareId === asset.hardware_id) return entry;
  const found = directory.findByHardwareId(hardwareId);
  if (found === undefined || found.asset.decoder !== decoder) {
    return `nobody is registered with hardware_id ${JSON.stringify(hardwareId)}`;
  }
  return { assetId: found.asset.id, projectId: found.project.id };
}
