import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import {
  answeredCommand,
  hasLevelBelow,
  parseDeviceTopic,
  REGISTERED_FORMAT,
} from "../../domain/equipment/topics.ts";
import type { CommandId } from "../../domain/ids.ts";
import { answeredRequest } from "../commands/carriers/rpc-topics.ts";
import type { Decoder } from "../decoders/fields/decoder.ts";
import { decoderNamed, decoderOfFormat } from "../decoders/registry.ts";
import { isSideTopic, isVendorTopic, vendorFilters } from "../decoders/vendor-topics.ts";
import { conversationFormatOf } from "./conversations.ts";

/** Where a topic leads for one asset. */
export interface TopicRoute {
  readonly topic: string;
  /** The command that a message there answers; absent: none. */
  readonly answers?: { readonly id: CommandId } | { readonly sequence: number } | undefined;
  /** `undefined`: not one of the asset's own topics. */
  readonly own:
    | {
        /** `undefined`: a vendor's topic, which names no project. */
        readonly projectId: string | undefined;
        readonly format: string;
        readonly decoder: Decoder | undefined;
        /** Whether the message depends on earlier ones, so that the decoder alone cannot read it. */
        readonly isConversation: boolean;
      }
    | undefined;
}

/**
 * What is sent on the vendor's topics beside telemetry: recognised as other than telemetry, and
 * counted.
 */
const ASIDE = {
  projectId: undefined,
  decoder: {
    name: "aside",
    topicFormat: "aside",
    decode: () => ({ readings: [], notices: [], ignored: 1 }),
  },
  isConversation: false,
} as const satisfies Partial<NonNullable<TopicRoute["own"]>>;

/** Reads a topic from the view of the asset that publishes on it; the session is the identity. */
export function routeTopic(topic: string, asset: AssetRegistration): TopicRoute {
  const id = answeredCommand(topic, asset.id);
  if (id !== undefined) return { topic, answers: { id: id as CommandId }, own: undefined };
  const parsed = parseDeviceTopic(topic);
  if (parsed !== undefined) {
    if (parsed.assetId !== asset.id) return { topic, own: undefined };
    const { projectId, format, below } = parsed;
    const meant =
      format === REGISTERED_FORMAT
        ? registered(asset)
        : { format, decoder: decoderOfFormat(format) };
    if (below !== undefined && !hasLevelBelow(meant.format)) return { topic, own: undefined };
    return { topic, own: { projectId, ...meant, isConversation: false } };
  }
  if (!isVendorTopic(vendorFilters(asset), topic)) {
    const isAside = isSideTopic(asset, topic);
    const sequence = isAside ? answeredRequest(topic) : undefined;
    return {
      topic,
      ...(sequence === undefined ? {} : { answers: { sequence } }),
      own: isAside ? { ...registered(asset), ...ASIDE } : undefined,
    };
  }
  const isConversation = conversationFormatOf(asset.decoder) !== undefined;
  return { topic, own: { projectId: undefined, ...registered(asset), isConversation } };
}

/** What the asset is registered with. */
function registered({ decoder: name }: AssetRegistration): {
  readonly format: string;
  readonly decoder: Decoder | undefined;
} {
  const decoder = decoderNamed(name);
  return { format: decoder?.topicFormat ?? name, decoder };
}
