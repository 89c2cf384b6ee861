import { isMocked } from "../../domain/equipment/mocked-position.ts";
import { MAX_PAYLOAD_BYTES, type RefusedReadings } from "../../domain/equipment/reading.ts";
import { DomainError } from "../../domain/errors.ts";
import type { AssetEntry } from "../directories/asset-directory.ts";
import { type MessageOrigin, unnumbered } from "../journal-record/header.ts";
import { RECORD_KIND } from "../journal-record/journal-record.ts";
import { encodeQuarantined } from "../journal-record/quarantined.ts";
import { encodeReadings } from "../journal-record/readings.ts";
import { decidePlain } from "./decide-plain.ts";
import { type Decision, NO_MORE, newestFix } from "./decision.ts";
import type { InboundMessage } from "./inbound-message.ts";
import { isPossibleTime } from "./readings/clock.ts";
import type { IntakeCounters } from "./readings/counters.ts";
import { readDecoded } from "./readings/read-decoded.ts";
import type { IntakeSession } from "./session.ts";
import type { TopicRoute } from "./topic-route.ts";

/**
 * Longest reason kept with a quarantined message, characters. Longer fills the quarantine; shorter may not show
 * what is wrong.
 */
const MAX_REASON = 500;
/**
 * Bytes of a quarantined message that weigh as much as one reading against the rate. More let a broken device fill
 * the disk; fewer throttle it before its fault is seen.
 */
const BYTES_PER_COST = 1_024;

/** What the log of an asset's messages says of a stored one. */
const MOCKED = "the device says that its position is mocked: stored, moves no geofence";

/** Everything that the decision on a message needs beside the message. */
export interface DecisionContext {
  readonly session: IntakeSession;
  readonly entry: AssetEntry;
  readonly own: NonNullable<TopicRoute["own"]>;
  readonly origin: MessageOrigin;
  readonly retentionMs: number;
  readonly counters: IntakeCounters;
}

/** Decodes a message into its readings and notices; one that cannot be decoded is to be kept as it came. */
export function decide(inbound: InboundMessage, context: DecisionContext): Decision {
  const { session, entry, own, origin } = context;
  const { receivedAtMs, payload } = inbound;
  if (own.decoder === undefined) {
    const reason = `no decoder for the format "${own.format}"`;
    return quarantine(inbound, context, reason, "quarantined_unknown_format");
  }
  if (payload.byteLength > MAX_PAYLOAD_BYTES) {
    const reason = `${payload.byteLength} bytes; ${MAX_PAYLOAD_BYTES} are allowed`;
    return quarantine(inbound, context, reason, "quarantined_oversized");
  }
  const plain = own.decoder.scan?.(payload);
  if (plain !== undefined && isPossibleTime(plain.timeMs, receivedAtMs, context.retentionMs)) {
    return decidePlain(plain, receivedAtMs, context);
  }
  try {
    const decoded = own.decoder.decode(payload, {
      assetId: session.assetId,
      receivedAtMs,
      mapping: entry.mapping,
      options: entry.asset.decoder_options,
    });
    const message = { receivedAtMs, payloadHash: origin.payloadHash };
    const { readings, notices, lines } = readDecoded(decoded, message, session.asset, context);
    const batch = {
      assetId: session.assetId,
      projectId: entry.project.id,
      receivedAtMs,
      readings,
    };
    const kept = readings.length + notices.length;
    const { refused } = decoded;
    // A resent message is known by the origin of its last record: when that is durable, all are.
    const earlier = refused === undefined ? origin : unnumbered(origin);
    const stored: Decision = {
      kind: RECORD_KIND.readings,
      body: kept === 0 ? undefined : encodeReadings(batch, earlier, notices),
      more: NO_MORE,
      cost: Math.max(1, kept),
      payer: undefined,
      readings: readings.length,
      notices: notices.length,
      ignored: kept === 0 ? Math.max(1, decoded.ignored) : decoded.ignored,
      quarantined: undefined,
      reason: readings.some(({ fields }) => isMocked(fields)) ? MOCKED : undefined,
      remarks: lines,
      newestFixMs: newestFix(readings),
      meaning: undefined,
    };
    return refused === undefined ? stored : inPart(stored, inbound, refused, context);
  } catch (error) {
    return quarantineFailure(inbound, context, error);
  }
}

/** Stores what could be read of a message, and puts the rest of it into the quarantine. */
function inPart(
  stored: Decision,
  inbound: InboundMessage,
  { reason, payload = inbound.payload }: RefusedReadings,
  context: DecisionContext,
): Decision {
  const { session } = context;
  // A part that is replayed and has no time of its own must not take the place in time of one that was stored.
  const receivedAtMs =
    payload === inbound.payload
      ? inbound.receivedAtMs
      : session.asset.clock.next(inbound.receivedAtMs);
  const part = { receivedAtMs, topic: inbound.topic, payload };
  const rest = quarantine(part, context, reason, "quarantined_malformed");
  const { kind, body, readings, notices, ignored, remarks, newestFixMs } = stored;
  return {
    ...rest,
    more: body === undefined ? NO_MORE : [{ kind, body }],
    cost: stored.cost + rest.cost,
    readings,
    notices,
    ignored,
    remarks,
    newestFixMs,
  };
}

/** A decoder that breaks on one payload must not take the others' messages with it. */
export function quarantineFailure(
  inbound: InboundMessage,
  context: DecisionContext,
  error: unknown,
): Decision {
  const reason = error instanceof DomainError ? error.message : `decoder failed: ${error}`;
  return quarantine(inbound, context, reason, "quarantined_malformed");
}

/** Keeps a message as it came, or the part of it that was not read, and the reason. */
export function quarantine(
  { receivedAtMs, topic, payload }: Pick<InboundMessage, "receivedAtMs" | "topic" | "payload">,
  { session, entry, own, origin }: DecisionContext,
  reason: string,
  quarantined: keyof IntakeCounters,
): Decision {
  const message = {
    assetId: session.assetId,
    projectId: entry.project.id,
    receivedAtMs,
    topic,
    format: own.format,
    reason: reason.slice(0, MAX_REASON),
    payload: payload.subarray(0, MAX_PAYLOAD_BYTES),
  };
  return {
    kind: RECORD_KIND.quarantined,
    body: encodeQuarantined(message, origin),
    more: NO_MORE,
    cost: Math.ceil((payload.byteLength + 1) / BYTES_PER_COST),
    payer: undefined,
    readings: 0,
    notices: 0,
    ignored: 0,
    quarantined,
    reason: message.reason,
    remarks: undefined,
    newestFixMs: undefined,
    meaning: undefined,
  };
}
