import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import { isReservedTopic, MAX_TOPIC_BYTES, matchesFilter } from "../../domain/equipment/topics.ts";
import type { Decoder, DeviceNames } from "./fields/decoder.ts";
import { decoderNamed } from "./registry.ts";

/** As much of a registration as topics depend on. */
type Registered = Pick<AssetRegistration, "id" | "decoder" | "hardware_id">;

/** Topics of devices as they leave the factory, by the name of the decoder that reads them. */
const FACTORY_TOPICS: ReadonlyMap<string, NonNullable<Decoder["topics"]>> = new Map([
  [
    // `owntracks/{user}/{device}` and below; the app takes its MQTT user name for the user.
    "owntracks",
    ({ assetId, hardwareId }: DeviceNames) => [
      `owntracks/${assetId}/+/#`,
      ...(hardwareId === undefined ? [] : [`owntracks/${hardwareId}/#`]),
    ],
  ],
  [
    // `{imei}/data`, and as OpenRemote has it: `{realm}/{client}/teltonika/{imei}/data`.
    "teltonika",
    ({ assetId, hardwareId: imei = assetId }: DeviceNames) => [
      `${imei}/data`,
      `+/+/teltonika/${imei}/data`,
    ],
  ],
  [
    // The same for every device: only the session identifies it. `v2` is the short form of `v1`; a
    // message that is not JSON of one device goes to the quarantine.
    "thingsboard",
    () => ["v1/devices/me/telemetry", "v2/t", "v2/t/+", "v1/gateway/telemetry"],
  ],
]);

/** Filters of what such devices publish beside their telemetry, which is never read. */
const SIDE_TOPICS: ReadonlyMap<string, readonly string[]> = new Map([
  // Attributes, requests for them and for firmware, answers to calls, claims, a gateway's devices.
  ["thingsboard", ["v1/devices/me/#", "v1/gateway/#", "v2/#"]],
]);

const NOBODY: DeviceNames = { assetId: "", hardwareId: "" };

/** The vendor's own topics of an asset, beside `sites/{project}/assets/{asset}/...`: MQTT filters. */
export function vendorFilters({ id, decoder, hardware_id }: Registered): readonly string[] {
  return decoderFilters(decoderNamed(decoder), { assetId: id, hardwareId: hardware_id });
}

/**
 * Those of them that belong to this asset alone, because they name the device: at an external broker
 * only the topic identifies the publisher.
 */
export function namingFilters(asset: Registered): readonly string[] {
  const shared = decoderFilters(decoderNamed(asset.decoder), NOBODY);
  return vendorFilters(asset).filter((filter) => !shared.includes(filter));
}

/** Whether a topic outside `vendorFilters` is the vendor's all the same, for other things. */
export function isSideTopic({ decoder }: Registered, topic: string): boolean {
  return isVendorTopic(SIDE_TOPICS.get(decoder) ?? [], topic);
}

/** Whether a topic is one that `filters` mean; wildcards are in filters only. */
export function isVendorTopic(filters: readonly string[], topic: string): boolean {
  if (filters.length === 0 || topic.length > MAX_TOPIC_BYTES) return false;
  if (isReservedTopic(topic) || /[+#\0]/.test(topic)) return false;
  return filters.some((filter) => matchesFilter(filter, topic));
}

/** The filters of one device that speaks what `decoder` reads. */
export function decoderFilters(
  decoder: Pick<Decoder, "name" | "topics"> | undefined,
  device: DeviceNames,
): readonly string[] {
  if (decoder === undefined) return [];
  const topics = decoder.topics ?? FACTORY_TOPICS.get(decoder.name);
  const filters = (topics?.(device) ?? []).filter((filter) => !isReservedTopic(filter));
  // Brokers deliver once for each filter that matches: one that another one holds is left out.
  return filters.filter(
    (filter, i) =>
      !filters.some(
        (other, k) => k !== i && matchesFilter(other, filter) && (filter !== other || k < i),
      ),
  );
}
