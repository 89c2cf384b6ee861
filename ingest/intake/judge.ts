import { DomainError } from "../../domain/errors.ts";
import { MAX_PAYLOAD_BYTES } from "../../domain/reading.ts";
import type { AssetEntry } from "../asset-directory.ts";
import {
  encodeQuarantined,
  encodeReadings,
  type MessageOrigin,
  RECORD_KIND,
} from "../journal-record.ts";
import type { IntakeCounters } from "./counters.ts";
import type { Delivery } from "./delivery.ts";
import type { IntakeSession } from "./session.ts";
import { toNotices } from "./to-notices.ts";
import { toReadings } from "./to-readings.ts";
import type { TopicRoute } from "./topic-route.ts";

/** Longest reason kept with a quarantined message, characters. Chosen. */
const MAX_REASON = 500;
/** Bytes of a quarantined message that weigh as much as one reading against the rate. Chosen. */
const BYTES_PER_COST = 1_024;

/** What becomes of a message, and what to count once that has happened. */
export interface Verdict {
  /** The journal record; `undefined`: nothing of the message is kept. */
  readonly record: { readonly kind: number; readonly body: Uint8Array } | undefined;
  /** What the device's rate is charged with, in readings. */
  readonly cost: number;
  readonly counts: Counts;
}

type Counts = Readonly<Partial<Record<keyof IntakeCounters, number>>>;

/** Everything that a message is judged by beside itself. */
export interface JudgeContext {
  readonly session: IntakeSession;
  readonly entry: AssetEntry;
  readonly own: NonNullable<TopicRoute["own"]>;
  readonly origin: MessageOrigin;
  readonly retentionMs: number;
  readonly counters: IntakeCounters;
}

/** Decodes a message into its readings and notices; one that cannot be decoded is to be kept as it came. */
export function judge(delivery: Delivery, context: JudgeContext): Verdict {
  const { session, entry, own, origin } = context;
  const { receivedAtMs, payload } = delivery;
  if (own.decoder === undefined) {
    const reason = `no decoder for the format "${own.format}"`;
    return quarantine(delivery, context, reason, "quarantined_unknown_format");
  }
  if (payload.byteLength > MAX_PAYLOAD_BYTES) {
    const reason = `${payload.byteLength} bytes; ${MAX_PAYLOAD_BYTES} are allowed`;
    return quarantine(delivery, context, reason, "quarantined_oversized");
  }
  try {
    const decoded = own.decoder.decode(payload, { assetId: session.assetId, receivedAtMs });
    const message = { receivedAtMs, payloadHash: origin.payloadHash };
    const { retentionMs, counters } = context;
    const readings = toReadings(
      decoded.readings,
      message,
      session.asset.clock,
      retentionMs,
      counters,
    );
    const batch = {
      assetId: session.assetId,
      projectId: entry.project.id,
      receivedAtMs,
      readings,
    };
    const notices = toNotices(decoded.notices, receivedAtMs, retentionMs);
    const counts = {
      readings: readings.length,
      notices: notices.length,
      messages_ignored: decoded.ignored,
    };
    const cost = readings.length + notices.length;
    if (cost === 0) {
      const messages_ignored = Math.max(1, decoded.ignored);
      return { record: undefined, cost: 1, counts: { messages_ignored } };
    }
    const body = encodeReadings(batch, origin, notices);
    return { record: { kind: RECORD_KIND.readings, body }, cost, counts };
  } catch (error) {
    // A decoder that breaks on one payload must not take the others' messages with it.
    const reason = error instanceof DomainError ? error.message : `decoder failed: ${error}`;
    return quarantine(delivery, context, reason, "quarantined_malformed");
  }
}

function quarantine(
  delivery: Delivery,
  { session, entry, own, origin }: JudgeContext,
  reason: string,
  counter: keyof IntakeCounters,
): Verdict {
  const { receivedAtMs, topic, payload } = delivery;
  const message = {
    assetId: session.assetId,
    projectId: entry.project.id,
    receivedAtMs,
    topic,
    format: own.format,
    reason: reason.slice(0, MAX_REASON),
    payload: payload.subarray(0, MAX_PAYLOAD_BYTES),
  };
  const cost = Math.ceil((payload.byteLength + 1) / BYTES_PER_COST);
  const body = encodeQuarantined(message, origin);
  return { record: { kind: RECORD_KIND.quarantined, body }, cost, counts: { [counter]: 1 } };
}
