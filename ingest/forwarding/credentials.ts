import type { ForwarderId } from "../../domain/ids.ts";
import { basicCredentials } from "../../outbound/basic-credentials.ts";
import type { Forwarder } from "../../storage/ports/events/forwarders.ts";
import type { SecretSeal } from "../credentials/secret-seal.ts";
import type { BrokerLogin } from "../mqtt-client/connection.ts";

/** How a forwarder logs in: a name and a password, or (HTTP only) one header. */
export type ForwarderCredentials =
  | { readonly username: string; readonly password?: string }
  | { readonly header: string; readonly value: string };

export function sealCredentials(
  seal: SecretSeal,
  id: ForwarderId,
  credentials: ForwarderCredentials,
): Uint8Array {
  return seal.seal(id, JSON.stringify(credentials));
}

/** @throws Error when they were sealed under another secret key. */
export function openCredentials(
  seal: SecretSeal,
  { id, credentials }: Pick<Forwarder, "id" | "credentials">,
): ForwarderCredentials | undefined {
  if (credentials === undefined) return undefined;
  return JSON.parse(seal.open(id, credentials)) as ForwarderCredentials;
}

/** The header of HTTP that says who we are. */
export function credentialHeaders(
  credentials: ForwarderCredentials | undefined,
): Readonly<Record<string, string>> {
  if (credentials === undefined) return {};
  if ("header" in credentials) return { [credentials.header.toLowerCase()]: credentials.value };
  const { username, password = "" } = credentials;
  return { authorization: basicCredentials(username, password) };
}

/** Our credentials for an MQTT broker; a header is for HTTP only. */
export function brokerLogin(credentials: ForwarderCredentials | undefined): BrokerLogin {
  if (credentials === undefined || "header" in credentials) {
    return { username: undefined, password: undefined };
  }
  return { username: credentials.username, password: credentials.password };
}
