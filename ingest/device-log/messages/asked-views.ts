import { setTimeout as delay } from "node:timers/promises";
import type { AssetId } from "../../../domain/ids.ts";
import type { MessageView, MessageViews } from "../../../storage/ports/equipment/device-log.ts";

/** How often answers are polled for, ms. */
const ASK_EVERY_MS = 100;
/** How long a process that took messages of the asset may take to answer, ms; it reads questions twice a second. */
const PATIENCE_MS = 2_000;

/**
 * Asks the ingest processes what they remember of an asset's messages, for an API process of its own.
 * Ends early once one of them knows messages: an asset's messages are taken by one process at a time.
 */
export async function askForViews(
  views: Pick<MessageViews, "ask" | "answers">,
  assetId: AssetId,
  { everyMs = ASK_EVERY_MS, patienceMs = PATIENCE_MS } = {},
): Promise<readonly MessageView[]> {
  const token = await views.ask(assetId);
  for (let waitedMs = 0; ; waitedMs += everyMs) {
    const answers = await views.answers(assetId, token);
    const isKnown = answers.some(({ messages }) => messages.length > 0);
    if (isKnown || waitedMs >= patienceMs) return answers;
    await delay(everyMs);
  }
}
