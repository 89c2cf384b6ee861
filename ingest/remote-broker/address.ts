import { readFile } from "node:fs/promises";
import { isIP, connect as netConnect, type Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import type { Settings } from "../../config/settings.ts";
import { DomainError } from "../../domain/errors.ts";
import type { BrokerLogin } from "../mqtt-client/connection.ts";

const DEFAULT_PORT = { "mqtt:": 1883, "mqtts:": 8883 } as const;

/** Where the external broker is, and who we are to it. */
export interface BrokerAddress extends BrokerLogin {
  readonly host: string;
  readonly port: number;
  /** `undefined`: plain TCP. `authorities` undefined: those of the system. */
  readonly tls: { readonly authorities: string | undefined } | undefined;
}

/**
 * The broker that the settings name; `undefined`: none, the embedded one is used.
 * @throws DomainError `SETTINGS_INVALID` when `MQTT_CA_FILE` cannot be read.
 */
export async function brokerAddress(
  settings: Pick<Settings, "mqttUrl" | "mqttUsername" | "mqttPassword" | "mqttCaFile">,
): Promise<BrokerAddress | undefined> {
  if (settings.mqttUrl === undefined) return undefined;
  const url = new URL(settings.mqttUrl);
  const isTls = url.protocol === "mqtts:";
  return {
    // An IPv6 address is in brackets only in a URL.
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? DEFAULT_PORT[isTls ? "mqtts:" : "mqtt:"] : Number(url.port),
    username: settings.mqttUsername,
    password: settings.mqttPassword,
    tls: isTls ? { authorities: await readAuthorities(settings.mqttCaFile) } : undefined,
  };
}

async function readAuthorities(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new DomainError("SETTINGS_INVALID", `MQTT_CA_FILE ${file} cannot be read`, {
      cause: error,
    });
  }
}

/** Opens a connection; `ready` is called once bytes may be written. */
export function openSocket({ host, port, tls }: BrokerAddress, ready: () => void): Socket {
  if (tls === undefined) {
    const socket = netConnect({ host, port, noDelay: true }, ready);
    return socket;
  }
  const { authorities } = tls;
  const socket = tlsConnect(
    {
      host,
      port,
      // An address is not a name that a certificate is asked for by [RFC 6066, section 3].
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(authorities === undefined ? {} : { ca: authorities }),
    },
    ready,
  );
  socket.setNoDelay(true);
  return socket;
}
