import { readSparkplugPayload } from "../../../ingest/decoders/sparkplug/payload.ts";
import { hash32 } from "../../../ingest/intake/repeats/payload-hash.ts";
import type { NodeMessage, NodeOutcome } from "../../../ingest/sparkplug/node-message.ts";
import {
  encodeSparkplugPayload,
  type MetricToWrite,
} from "../../../simulators/fleet/formats/sparkplug-payload.ts";

/** When the messages of tests were made, ms. */
export const SENT_MS = Date.UTC(2026, 10, 20, 11, 59);

/** A metric of a birth: alias, name, value. */
export const born = (alias: number, name: string, value = 0): MetricToWrite => ({
  name,
  alias,
  type: "Int32",
  value,
});

/** A metric of DATA as edge nodes send it: alias and value. */
export const byAlias = (alias: number, value: number): MetricToWrite => ({
  alias,
  type: "Int32",
  carriesType: false,
  value,
});

/** A metric of DATA that says all of itself. */
export const byName = (name: string, value: number): MetricToWrite => ({
  name,
  type: "Int32",
  value,
});

const bdSeqMetric = (bdSeq: number): MetricToWrite => ({
  name: "bdSeq",
  type: "Int64",
  value: bdSeq,
});

export interface EdgeMessage {
  readonly seq?: number;
  readonly bdSeq?: number;
  readonly metrics?: readonly MetricToWrite[];
}

/** The bytes of a message. */
export function edgePayload({ seq, bdSeq, metrics = [] }: EdgeMessage): Buffer {
  return encodeSparkplugPayload({
    timestampMs: SENT_MS,
    ...(seq === undefined ? {} : { seq }),
    metrics: [...(bdSeq === undefined ? [] : [bdSeqMetric(bdSeq)]), ...metrics],
  });
}

/** A message as the state machine takes it; `who` undefined: about the edge node itself. */
export function nodeMessage(
  connection: object,
  type: NodeMessage["type"],
  device: string | undefined,
  message: EdgeMessage,
): NodeMessage {
  const bytes = edgePayload(message);
  const payload = readSparkplugPayload(bytes);
  const arrival = { connection, isOwnConnection: false, isAgain: false };
  return { type, device, payload, hash: hash32(bytes), ...arrival };
}

/** Names and values that were read, without the counter of births. */
export function readValues({ metrics, named }: NodeOutcome): Readonly<Record<string, unknown>> {
  const read = metrics.map((metric) => [named(metric)?.name, metric.value] as const);
  return Object.fromEntries(read.filter(([name]) => name !== "bdSeq"));
}
