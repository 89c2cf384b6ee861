import type { AssetId } from "../../../domain/ids.ts";
import type { SparkplugReport } from "../../commands/carriers/sparkplug.ts";
import type { LinkEnd } from "../../journal-record/link-change.ts";
import type { Meaning } from "./conversation.ts";

/** The destination of everything that follows from a conversation's messages beside their records. */
export interface ConversationOutlet {
  /** Publishes to an asset at QoS 0; never waits. */
  command(topic: string, payload: Uint8Array): void;
  /** Called with the assets that can be reached; must not throw. */
  readonly links: {
    opened(assetId: AssetId): void;
    closed(assetId: AssetId, end: LinkEnd): void;
  };
  /** Called with what the session of `speaker` says of metrics, once its links are known. Absent: not called. */
  reported?(speaker: AssetId, report: SparkplugReport): void;
  /** Whether the link of an asset that publishes itself follows from its session, and not from its messages. */
  readonly followsSessions: boolean;
}

/** Passes on the links that `speaker` reported, and the answers to send. */
export function letOut(
  { links, commands, report }: Meaning,
  speaker: AssetId,
  outlet: ConversationOutlet,
): void {
  for (const { assetId, isUp } of links) {
    if (outlet.followsSessions && assetId === speaker) continue;
    if (isUp) outlet.links.opened(assetId);
    else outlet.links.closed(assetId, "death");
  }
  for (const { topic, payload } of commands) outlet.command(topic, payload);
  if (report !== undefined) outlet.reported?.(speaker, report);
}
