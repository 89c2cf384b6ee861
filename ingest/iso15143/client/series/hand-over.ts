import { MAX_PAYLOAD_BYTES, MAX_READINGS } from "../../../../domain/equipment/reading.ts";
import type { AssetEntry } from "../../../directories/asset-directory.ts";
import type { AssetSessions } from "../../../intake/asset-sessions.ts";

/** Last level of the topic of our own JSON, which is what readings are handed to intake as. */
const FORMAT = "telemetry";
/** Brackets of the array, and a comma a row. */
const FRAME_BYTES = 2;

/**
 * Hands readings, rows of our own JSON in ascending time, to intake as messages of a size that it takes, one
 * after the other; resolves when all of them are durable. A row alone is far below that size: it has a
 * hundred faults at most.
 * @throws Error when one was not taken; those before it are durable.
 */
export async function handOver(
  rows: readonly object[],
  entry: AssetEntry,
  sessions: Pick<AssetSessions, "take">,
): Promise<void> {
  let message: string[] = [];
  let bytes = FRAME_BYTES;
  const send = async (): Promise<void> => {
    if (message.length === 0) return;
    await sessions.take(entry, { format: FORMAT, payload: Buffer.from(`[${message.join(",")}]`) });
    message = [];
    bytes = FRAME_BYTES;
  };
  for (const row of rows) {
    const text = JSON.stringify(row);
    const size = Buffer.byteLength(text) + 1;
    if (bytes + size > MAX_PAYLOAD_BYTES || message.length === MAX_READINGS) await send();
    message.push(text);
    bytes += size;
  }
  await send();
}
