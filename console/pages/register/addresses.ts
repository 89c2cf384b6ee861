import type { components } from "../../../client/index.ts";
import type { MqttAddress } from "./commands.ts";

/** Ports of the standard, where nothing else is known. */
const PORTS = { mqtt: 1883, mqtts: 8883 } as const;

/** Where a device connects, plainly and with TLS. */
export interface DeviceAddresses {
  readonly plain: MqttAddress | undefined;
  readonly tls: MqttAddress | undefined;
  /** The service did not say: the plain address is a guess. */
  readonly isGuess: boolean;
}

/** Addresses of the broker; `host` is that of this page. `null`: another process has the listeners. */
export function addressesOf(
  listeners: components["schemas"]["DeviceListeners"] | null,
  host: string,
): DeviceAddresses {
  if (listeners === null) {
    const plain = { host, port: PORTS.mqtt, isTls: false, asksForCertificate: false };
    return { plain, tls: undefined, isGuess: true };
  }
  const { mqtt_port, mqtts_port, mqtts_asks_for_certificate, broker_url } = listeners;
  if (broker_url !== undefined) return external(new URL(broker_url));
  return {
    plain:
      mqtt_port === undefined
        ? undefined
        : { host, port: mqtt_port, isTls: false, asksForCertificate: false },
    tls:
      mqtts_port === undefined
        ? undefined
        : { host, port: mqtts_port, isTls: true, asksForCertificate: mqtts_asks_for_certificate },
    isGuess: false,
  };
}

function external({ protocol, hostname, port }: URL): DeviceAddresses {
  const isTls = protocol === "mqtts:";
  const address = {
    host: hostname,
    port: port === "" ? (isTls ? PORTS.mqtts : PORTS.mqtt) : Number(port),
    isTls,
    asksForCertificate: false,
  };
  return isTls
    ? { plain: undefined, tls: address, isGuess: false }
    : { plain: address, tls: undefined, isGuess: false };
}
