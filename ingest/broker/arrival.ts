import type { ClientCertificate } from "../../tls/client-certificate.ts";

/** The listeners of the embedded broker. */
export type BrokerListener = "mqtt" | "ws" | "mqtts" | "wss";

/** How a client reached the broker. */
export interface Arrival {
  /** IP address of the peer; IPv4 in its own notation. */
  readonly address: string;
  readonly listener: BrokerListener;
  /** What the client proved itself by before its log-in; `undefined`: the listener asks for no certificate. */
  readonly certificate: ClientCertificate | undefined;
}
