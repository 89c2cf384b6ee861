import type { AssetRegistration } from "../../../domain/equipment/asset.ts";

/**
 * ThingsBoard's topics of server-side RPC and their short forms (thingsboard.io/docs/reference/mqtt-api). They
 * are what a device subscribes to, where its requests are published, and where it answers; the last level is the
 * request.
 */
const RPC_TOPICS = [
  { request: "v1/devices/me/rpc/request/", response: "v1/devices/me/rpc/response/" },
  { request: "v2/r/req/", response: "v2/r/res/" },
] as const;
/** Sequences of commands are below 2^53. */
const NUMBER = /^\d{1,15}$/;

/** Where an asset's requests are published that subscribed to `filter`; `undefined`: it is not a filter of RPC. */
export function rpcRequestTopic(filter: string): string | undefined {
  return RPC_TOPICS.find(({ request }) => filter === `${request}+` || filter === `${request}#`)
    ?.request;
}

/** Whether that asset may subscribe to `filter` to be called. */
export function isRpcFilter(
  asset: Pick<AssetRegistration, "decoder"> | undefined,
  filter: string,
): boolean {
  if (asset?.decoder !== "thingsboard") return false;
  return (
    rpcRequestTopic(filter) !== undefined ||
    RPC_TOPICS.some(({ request }) => isRequest(filter, request))
  );
}

/**
 * The request that is answered on `topic`: the command's sequence; `undefined`: it is not an answer.
 */
export function answeredRequest(topic: string): number | undefined {
  for (const { response } of RPC_TOPICS) {
    if (!topic.startsWith(response)) continue;
    const id = topic.slice(response.length);
    return NUMBER.test(id) ? Number(id) : undefined;
  }
  return undefined;
}

const isRequest = (topic: string, request: string): boolean =>
  topic.startsWith(request) && NUMBER.test(topic.slice(request.length));
