import {
  type DecodedMessage,
  MAX_PAYLOAD_BYTES,
  type ReadingBatch,
} from "../../domain/equipment/reading.ts";
import { DomainError } from "../../domain/errors.ts";
import type { AssetId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { unnumbered } from "../journal-record/header.ts";
import { RECORD_KIND } from "../journal-record/journal-record.ts";
import type { JournalledNotice } from "../journal-record/notice-list.ts";
import { encodeReadings } from "../journal-record/readings.ts";
import { type DecisionContext, quarantine, quarantineFailure } from "./decide.ts";
import { type Decision, type JournalBody, newestFix } from "./decision.ts";
import type { InboundMessage } from "./inbound-message.ts";
import type { AssetIntake } from "./readings/asset-intake.ts";
import type { Conversation, Meaning } from "./readings/conversation.ts";
import { readDecoded } from "./readings/read-decoded.ts";
import type { MessageRemarks } from "./readings/reading-remarks.ts";

/** What the decision on a message of a conversation needs besides. */
export interface ConversationContext extends DecisionContext {
  readonly conversation: Conversation;
  readonly directory: Pick<AssetDirectory, "find">;
  /** What intake remembers of an asset that the conversation is about. */
  readonly intakeOf: (assetId: AssetId) => AssetIntake;
  /** Whether sessions are of the assets' own connections. */
  readonly hasOwnConnections: boolean;
}

/**
 * Takes a message into its conversation and makes a record for each asset that it says something of, and
 * one for what cannot be read. To be called once for a message: the decision is kept with it.
 */
export function decideConversation(
  inbound: InboundMessage,
  context: ConversationContext,
): Decision {
  const { session, conversation, origin, hasOwnConnections: isOwnConnection } = context;
  const { payload, topic, receivedAtMs } = inbound;
  if (payload.byteLength > MAX_PAYLOAD_BYTES) {
    const reason = `${payload.byteLength} bytes; ${MAX_PAYLOAD_BYTES} are allowed`;
    conversation.missed();
    return quarantine(inbound, context, reason, "quarantined_oversized");
  }
  let meaning: Meaning;
  try {
    const { payloadHash } = origin;
    const { assetId, connection } = session;
    const said = { assetId, topic, payload, payloadHash, receivedAtMs, isAgain: inbound.dup };
    meaning = conversation.take({ ...said, connection, isOwnConnection });
  } catch (error) {
    return quarantineFailure(inbound, context, error);
  }
  try {
    return decisionOn(meaning, inbound, context);
  } catch (error) {
    // It was taken: what it says of births and deaths remains in force.
    return { ...quarantineFailure(inbound, context, error), meaning };
  }
}

/** What is kept of one asset. */
interface Kept {
  readonly batch: ReadingBatch;
  readonly notices: readonly JournalledNotice[];
  /** Remarks on its readings. */
  readonly lines: MessageRemarks["lines"];
}

function decisionOn(
  meaning: Meaning,
  inbound: InboundMessage,
  context: ConversationContext,
): Decision {
  const kept: Kept[] = [];
  let { unread } = meaning;
  let ignored = 0;
  for (const { assetId, decoded } of meaning.reported) {
    ignored += decoded.ignored;
    if (decoded.refused !== undefined) {
      unread ??= { reason: decoded.refused.reason, as: "quarantined_malformed" };
    }
    try {
      kept.push(...keep(assetId, decoded, inbound, context));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      unread ??= { reason: error.message, as: "quarantined_malformed" };
    }
  }
  const about = kept[0]?.batch.assetId;
  const readings = sum(kept, ({ batch }) => batch.readings.length);
  const notices = sum(kept, (one) => one.notices.length);
  const rest =
    unread === undefined ? undefined : quarantine(inbound, context, unread.reason, unread.as);
  // A resent message is known by the origin of its last record: when that is durable, all are.
  const lastKept = rest === undefined ? kept.length - 1 : kept.length;
  const earlier = unnumbered(context.origin);
  const records = kept.map((one, i): JournalBody => {
    const origin = i === lastKept ? context.origin : earlier;
    return {
      kind: RECORD_KIND.readings,
      body: encodeReadings(one.batch, origin, one.notices),
    };
  });
  const last = rest ?? records.pop();
  return {
    kind: last?.kind ?? RECORD_KIND.readings,
    body: last?.body,
    more: records,
    cost: Math.max(1, readings + notices + (rest?.cost ?? 0)),
    // A gateway has the rates of all assets it speaks for, and its own for what cannot be read.
    payer: about === undefined || rest !== undefined ? undefined : context.intakeOf(about),
    readings,
    notices,
    ignored: last === undefined ? Math.max(1, ignored) : ignored,
    quarantined: unread?.as,
    reason: unread?.reason,
    remarks: kept.find(({ lines }) => lines !== undefined)?.lines,
    newestFixMs: newestFix(kept.flatMap(({ batch }) => batch.readings)),
    meaning,
  };
}

/** One or none: nothing is kept for an asset without content, or one deleted just now. */
function keep(
  assetId: AssetId,
  decoded: DecodedMessage,
  { receivedAtMs }: InboundMessage,
  context: ConversationContext,
): readonly Kept[] {
  const { directory, intakeOf, origin } = context;
  const projectId = directory.find(assetId)?.project.id;
  if (projectId === undefined || decoded.readings.length + decoded.notices.length === 0) return [];
  const message = { receivedAtMs, payloadHash: origin.payloadHash };
  const { readings, ...said } = readDecoded(decoded, message, intakeOf(assetId), context);
  return [{ batch: { assetId, projectId, receivedAtMs, readings }, ...said }];
}

function sum(kept: readonly Kept[], count: (one: Kept) => number): number {
  return kept.reduce((total, one) => total + count(one), 0);
}
