import type { Settings } from "../config/settings.ts";
import { DomainError } from "../domain/errors.ts";
import type { Journal, QuarantineEntry } from "../storage/ports.ts";
import type { AssetDirectory } from "./asset-directory.ts";
import { decoderOfFormat } from "./decoders/registry.ts";
import { ReceiveClock } from "./intake/clock.ts";
import { createCounters, INTAKE_COUNTERS } from "./intake/counters.ts";
import { hash32 } from "./intake/payload-hash.ts";
import { toReadings } from "./intake/to-readings.ts";
import { encodeReadings, RECORD_KIND } from "./journal-record.ts";

/** Whether a quarantined message could be decoded this time, and if not, why. */
export interface ReplayOutcome {
  readonly accepted: boolean;
  readonly reason?: string;
}

const DAY_MS = 86_400_000;

/**
 * Decodes quarantined messages again, for instance after an update that knows their format, and
 * journals the readings as of the time the message arrived. Replaying twice stores nothing twice:
 * time and precedence of each reading are the same again.
 */
export function createReplay(
  journal: Journal,
  directory: AssetDirectory,
  settings: Pick<Settings, "retentionDays">,
): (entry: QuarantineEntry) => Promise<ReplayOutcome> {
  return async (entry) => {
    if (directory.find(entry.assetId) === undefined) {
      return { accepted: false, reason: "the asset no longer exists" };
    }
    const decoder = decoderOfFormat(entry.format);
    if (decoder === undefined) {
      return { accepted: false, reason: `no decoder for format "${entry.format}"` };
    }
    const { assetId, projectId, receivedAtMs } = entry;
    const payloadHash = hash32(entry.payload);
    try {
      const readings = toReadings(
        decoder.decode(entry.payload, { assetId, receivedAtMs }),
        { receivedAtMs, payloadHash },
        new ReceiveClock(),
        settings.retentionDays * DAY_MS,
        // A replay is no message of a device: it does not count as one.
        createCounters(INTAKE_COUNTERS),
      );
      const origin = { clientHash: 0, packetId: 0, payloadHash };
      await append(journal, encodeReadings({ assetId, projectId, receivedAtMs, readings }, origin));
      return { accepted: true };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== "DECODE_FAILED") throw error;
      return { accepted: false, reason: error.message };
    }
  };
}

function append(journal: Journal, body: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    journal.append(RECORD_KIND.readings, Date.now(), body, (error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
  });
}
