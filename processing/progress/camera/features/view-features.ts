import { NETWORK_COUNT } from "../network/network-count.ts";
import { FEATURE_COUNT } from "./zone-features.ts";

/**
 * Version of what is stored of views. 1: the hand-made features alone. 2: those, and after them the network's
 * where a camera sees the zone. Both compare by the hand-made part.
 */
export const FEATURES_VERSION = 2;
/** Versions that still compare. */
export const KNOWN_VERSIONS: readonly number[] = [1, FEATURES_VERSION];

/** A part of what is stored of a view. */
export type FeaturePart = "hand_made" | "network";

export function joinFeatures(
  handMade: Float32Array,
  network: Float32Array,
): Float32Array<ArrayBuffer> {
  const joined = new Float32Array(handMade.length + network.length);
  joined.set(handMade);
  joined.set(network, handMade.length);
  return joined;
}

export const hasNetworkPart = (features: Float32Array): boolean =>
  features.length === FEATURE_COUNT + NETWORK_COUNT;

/** Empty where there is no such part. */
export const featurePart = (features: Float32Array, part: FeaturePart): Float32Array =>
  part === "hand_made" ? features.subarray(0, FEATURE_COUNT) : features.subarray(FEATURE_COUNT);
