import type { Decoder } from "./decoder.ts";
import { plumbline } from "./plumbline.ts";

/** Every payload format that intake understands. */
export const DECODERS: readonly Decoder[] = [plumbline];

const decoderByFormat = new Map(DECODERS.map((decoder) => [decoder.topicFormat, decoder]));

/** The decoder of a device topic's last level; `undefined` for a format that nobody reads. */
export function decoderOfFormat(format: string): Decoder | undefined {
  return decoderByFormat.get(format);
}
