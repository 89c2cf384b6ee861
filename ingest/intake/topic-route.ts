import type { AssetId } from "../../domain/ids.ts";
import { parseDeviceTopic } from "../../domain/topics.ts";
import type { Decoder } from "../decoders/decoder.ts";
import { decoderOfFormat } from "../decoders/registry.ts";

/** Where a topic leads for one asset. */
export interface TopicRoute {
  readonly topic: string;
  /** `undefined`: not one of the asset's own topics. */
  readonly own:
    | { readonly projectId: string; readonly format: string; readonly decoder: Decoder | undefined }
    | undefined;
}

/** Reads a topic with the eyes of the asset that publishes on it; the session is the identity. */
export function routeTopic(topic: string, assetId: AssetId): TopicRoute {
  const parsed = parseDeviceTopic(topic);
  if (parsed === undefined || parsed.assetId !== assetId) return { topic, own: undefined };
  const { projectId, format } = parsed;
  return { topic, own: { projectId, format, decoder: decoderOfFormat(format) } };
}
