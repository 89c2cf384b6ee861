import type { Logger } from "pino";
import type { AssetId } from "../../../domain/ids.ts";
import type { MessageView, MessageViews } from "../../../storage/ports/equipment/device-log.ts";

/** How often questions of API processes are read, ms: a person waits for the answer. */
const READ_EVERY_MS = 500;

export interface MessageAnswers {
  /** Lets the read in flight finish and stops. */
  stop(): Promise<void>;
}

/**
 * Answers what API processes of their own ask about an asset's messages, which only the process that
 * took them in knows.
 */
export function startMessageAnswers(options: {
  readonly views: Pick<MessageViews, "unanswered" | "answer">;
  readonly nodeId: string;
  readonly viewOf: (assetId: AssetId) => MessageView;
  readonly log: Pick<Logger, "warn">;
  readonly readEveryMs?: number;
}): MessageAnswers {
  const { views, nodeId, viewOf, log, readEveryMs = READ_EVERY_MS } = options;
  let isTroubled = false;
  let reading: Promise<void> | undefined;

  async function answerAll(): Promise<void> {
    try {
      for (const assetId of await views.unanswered(nodeId)) {
        await views.answer(nodeId, assetId, viewOf(assetId));
      }
      isTroubled = false;
    } catch (error) {
      if (!isTroubled) log.warn({ err: error }, "questions about messages wait; trying again");
      isTroubled = true;
    }
  }

  const timer = setInterval(() => {
    reading ??= answerAll().finally(() => {
      reading = undefined;
    });
  }, readEveryMs);
  timer.unref();

  return {
    async stop() {
      clearInterval(timer);
      await reading;
    },
  };
}
