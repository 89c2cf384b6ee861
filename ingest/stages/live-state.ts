import { isMocked } from "../../domain/equipment/mocked-position.ts";
import type { Reading, ReadingBatch } from "../../domain/equipment/reading.ts";
import { hasPosition } from "../../domain/equipment/reading.ts";
import { type AssetTrack, outranks } from "../track/asset-track.ts";
import type { Stage } from "./stage.ts";

/** What a phone counts by its positions: counted by mocked ones, it must not make a service fall due. */
const COUNTED_BY_POSITION: ReadonlySet<string> = new Set(["odometer_km", "trip_odometer_km"]);

/** The newest values of an asset, and when it was heard. */
export const liveState: Stage = {
  name: "live-state",
  onReading: ({ track, reading, batch }) => applyLiveState(track, reading, batch),
  onHeard: ({ track, batch }) => noteReceived(track, batch),
};

/**
 * Takes one reading into the newest values of its asset. Only comparisons of ranks, so the result is
 * the same for any order and any repetition of the readings. A late reading never replaces a newer
 * value, and a historical one replaces none at all.
 */
export function applyLiveState(track: AssetTrack, reading: Reading, batch: ReadingBatch): void {
  noteReceived(track, batch);
  if (reading.isHistorical === true) return;
  track.lastUpdateMs = Math.max(
    track.lastUpdateMs,
    Math.min(reading.fixTimeMs, batch.receivedAtMs),
  );
  const { fixTimeMs, seq, payloadHash, fields } = reading;
  if (hasPosition(fields)) {
    const newest = track.latest.get("latitude");
    if (newest === undefined || outranks(reading, newest)) {
      track.fixOrigin = { timeSource: reading.timeSource, receivedAtMs: batch.receivedAtMs };
    }
  }
  const mocked = isMocked(fields);
  for (const name in fields) {
    if (mocked && COUNTED_BY_POSITION.has(name)) continue;
    const value = fields[name];
    if (value === undefined) continue;
    const newest = track.latest.get(name);
    if (newest === undefined) track.latest.set(name, { value, fixTimeMs, seq, payloadHash });
    else if (outranks(reading, newest)) {
      // In place: a new one for each field of each reading is a tenth of the memory that a reading takes.
      newest.value = value;
      newest.fixTimeMs = fixTimeMs;
      newest.seq = seq;
      newest.payloadHash = payloadHash;
    }
  }
  if (reading.faults !== undefined && outranks(reading, track.faultsRank)) {
    track.faults = reading.faults;
    track.faultsRank = { fixTimeMs, seq, payloadHash };
  }
}

/** Takes in when a message came. */
function noteReceived(
  track: AssetTrack,
  { receivedAtMs }: Pick<ReadingBatch, "receivedAtMs">,
): void {
  track.lastReceivedAtMs = Math.max(track.lastReceivedAtMs, receivedAtMs);
}
