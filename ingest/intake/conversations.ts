import { sparkplugSubject } from "../decoders/sparkplug/topic.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { SparkplugConversation } from "../sparkplug/conversation.ts";
import type { Conversation } from "./readings/conversation.ts";

/** A format whose messages depend on earlier ones, on the vendor's own topics. */
interface ConversationFormat {
  readonly open: (directory: Pick<AssetDirectory, "findByHardwareId">) => Conversation;
  /** The `hardware_id` of the subject of a message on that topic; `undefined`: it has none. */
  readonly subject: (topic: string) => string | undefined;
}

const CONVERSATIONS: ReadonlyMap<string, ConversationFormat> = new Map([
  [
    "sparkplug",
    { open: (directory) => new SparkplugConversation(directory), subject: sparkplugSubject },
  ],
]);

/** The conversation format of that decoder on its vendor's topics; most have none. */
export function conversationFormatOf(decoder: string | undefined): ConversationFormat | undefined {
  return decoder === undefined ? undefined : CONVERSATIONS.get(decoder);
}
