import type { AssetId } from "../../domain/ids.ts";
import type { AssetDirectory, AssetEntry } from "../directories/asset-directory.ts";
import { conversationFormatOf } from "./conversations.ts";
import type { DecisionContext } from "./decide.ts";
import { decideConversation } from "./decide-conversation.ts";
import type { Decision } from "./decision.ts";
import type { InboundMessage } from "./inbound-message.ts";
import type { AssetIntake } from "./readings/asset-intake.ts";
import type { Conversation } from "./readings/conversation.ts";
import { type ConversationOutlet, letOut } from "./readings/conversation-outlet.ts";
import type { IntakeCounters } from "./readings/counters.ts";

export interface InterpreterOptions {
  readonly directory: AssetDirectory;
  /** Absent: not reported. */
  readonly outlet: ConversationOutlet | undefined;
  readonly counters: IntakeCounters;
  /** What intake remembers of an asset that a conversation is about. */
  readonly intakeOf: (assetId: AssetId) => AssetIntake;
}

/** Reads the messages of assets whose messages depend on earlier ones, and passes on what follows from them. */
export class Interpreter {
  readonly #options: InterpreterOptions;

  constructor(options: InterpreterOptions) {
    this.#options = options;
  }

  /**
   * Decides a message, once, whatever becomes of its records: the decision is kept with it. `append`
   * is called with it before its meaning is reported.
   */
  take(
    inbound: InboundMessage,
    context: DecisionContext,
    append: (decision: Decision) => void,
  ): void {
    const { directory, outlet, counters, intakeOf } = this.#options;
    const { session, entry } = context;
    const decision = decideConversation(inbound, {
      ...context,
      conversation: this.#conversationOf(session.asset, entry),
      directory,
      intakeOf,
      // Without an outlet sessions are not followed, and they are the assets' own all the same.
      hasOwnConnections: outlet?.followsSessions ?? true,
    });
    inbound.decision = decision;
    append(decision);
    const { meaning } = decision;
    if (meaning === undefined) return;
    for (const name of meaning.counted) counters[name] += 1;
    // Right behind the message's own records.
    if (outlet !== undefined) letOut(meaning, session.assetId, outlet);
  }

  /** The asset was deleted: assets that were reached through it are not reachable any more. */
  forget({ conversation }: AssetIntake): void {
    const { outlet } = this.#options;
    for (const assetId of conversation?.reachable() ?? []) outlet?.links.closed(assetId, "closed");
  }

  #conversationOf(asset: AssetIntake, entry: AssetEntry): Conversation {
    const { directory } = this.#options;
    const found = asset.conversation ?? conversationFormatOf(entry.asset.decoder)?.open(directory);
    if (found === undefined)
      throw new Error(`decoder ${entry.asset.decoder} holds no conversation`);
    asset.conversation = found;
    return found;
  }
}
