import type { DeviceNotice } from "../../domain/equipment/reading.ts";
import type { SparkplugMetric, SparkplugPayload } from "../decoders/sparkplug/payload.ts";
import type { LastPosition, NamedMetric } from "../decoders/sparkplug/readings.ts";
import type { SparkplugType } from "../decoders/sparkplug/topic.ts";
import { selfExplained } from "./metric-names.ts";

/** One message of an edge node, read as far as it can be without the messages before it. */
export interface NodeMessage {
  readonly type: Exclude<SparkplugType, "NCMD" | "DCMD">;
  /** `undefined`: about the edge node itself. */
  readonly device: string | undefined;
  readonly payload: SparkplugPayload;
  /** Of the payload's bytes. */
  readonly hash: number;
  /** Whether the sender says that it was sent before (DUP of MQTT). */
  readonly isAgain: boolean;
  /** The connection that it came by, compared by identity: a birth holds for its own connection only. */
  readonly connection: object;
  /** Whether the connection is the edge node's own, so that what comes by another one is of another life. */
  readonly isOwnConnection: boolean;
}

/** A device behind the edge node, or (`undefined`) the edge node itself. */
export type Whom = string | undefined;

/** What one message means after those before it. */
export interface NodeOutcome {
  /** To be read, of the message's subject ... */
  metrics: readonly SparkplugMetric[];
  /** ... each as what this says ... */
  named: (metric: SparkplugMetric) => NamedMetric | undefined;
  /** ... after this position; `undefined`: it is not sure which was the last. */
  position: LastPosition | undefined;
  /** Why the message, or a part of it, says nothing that can be relied on; `undefined`: all is read. */
  unread: string | undefined;
  /** Whether only a new birth makes the following messages readable. */
  wantsRebirth: boolean;
  readonly notices: { readonly of: Whom; readonly notice: DeviceNotice }[];
  /** Who is there from now on, and who is not; may repeat what is known. */
  readonly links: { readonly of: Whom; readonly isUp: boolean }[];
  isStaleWill: boolean;
}

/** An outcome that says nothing yet. */
export function newOutcome(): NodeOutcome {
  return {
    metrics: [],
    named: selfExplained,
    position: undefined,
    unread: undefined,
    wantsRebirth: false,
    notices: [],
    links: [],
    isStaleWill: false,
  };
}

/** Adds a notice to it. */
export function addNotice(outcome: NodeOutcome, of: Whom, notice: DeviceNotice): void {
  outcome.notices.push({ of, notice });
}
