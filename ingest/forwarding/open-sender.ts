import type { OutboundClient } from "../../outbound/client.ts";
import { type MqttSockets, readMqttTarget } from "../../outbound/mqtt-address.ts";
import type { Forwarder } from "../../storage/ports/events/forwarders.ts";
import type { SecretSeal } from "../credentials/secret-seal.ts";
import {
  brokerLogin,
  credentialHeaders,
  type ForwarderCredentials,
  openCredentials,
} from "./credentials.ts";
import { HttpSender } from "./http-sender.ts";
import { MqttSender } from "./mqtt-sender.ts";
import { type OnTrouble, type Sender, type SenderBackOff, STOP_MS } from "./sender.ts";

/** What senders to other systems are made of. */
export interface SenderParts {
  readonly seal: SecretSeal;
  readonly outbound: Pick<OutboundClient, "send">;
  readonly sockets: Pick<MqttSockets, "open">;
  readonly now: () => number;
  readonly backOff?: SenderBackOff | undefined;
  readonly stopMs?: number | undefined;
}

/** Opens the sender that a forwarder names. One that cannot be opened takes messages and holds them. */
export function openSender(
  forwarder: Forwarder,
  { seal, outbound, sockets, now, backOff, stopMs = STOP_MS }: SenderParts,
  /** Part of the client id, so that two ingest processes are two clients. */
  journalId: string,
  onTrouble: OnTrouble,
): Sender {
  let credentials: ForwarderCredentials | undefined;
  try {
    credentials = openCredentials(seal, forwarder);
  } catch {
    return holding(onTrouble, "the credentials cannot be read; give them anew");
  }
  const { id, kind, url } = forwarder;
  if (kind === "traccar_http") {
    const headers = credentialHeaders(credentials);
    const pace = backOff === undefined ? {} : { backOff };
    return new HttpSender({ url, headers, outbound, onTrouble, now, stopMs, ...pace });
  }
  const target = readMqttTarget(url);
  if ("refusal" in target) return holding(onTrouble, `the URL ${target.refusal}`);
  return new MqttSender({
    target,
    login: brokerLogin(credentials),
    clientId: `plumbline-${id}-${journalId.slice(0, 8)}`,
    sockets,
    onTrouble,
    stopMs,
  });
}

/** Takes what comes and confirms none of it. */
function holding(onTrouble: OnTrouble, reason: string): Sender {
  let pending = 0;
  onTrouble(reason);
  return {
    get pending() {
      return pending;
    },
    add() {
      pending += 1;
    },
    stop: async () => undefined,
  };
}
