import { TLSSocket } from "node:tls";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AssetEntry } from "../../ingest/directories/asset-directory.ts";
import type { DeviceAdmission, DeviceDoor } from "../../ingest/http/device-door.ts";
import type { DeviceCredentials } from "../../ingest/http/device-login.ts";
import { Refusal } from "../errors/refusal.ts";
import { basicCredentials } from "./basic-password.ts";
import { bearerToken } from "./bearer-token.ts";

/** How long a wrong secret bars its user name, s (login-guard). */
const BARRED_RETRY_AFTER_S = 60;
/** Decorator name of the asset whose id and secret a request has; `null` for every other request. */
export const DEVICE_DECORATOR = "device";

/** The asset that asks, where a route that takes devices was asked by one. */
export function deviceOf(request: FastifyRequest): AssetEntry | undefined {
  return request.getDecorator<AssetEntry | null>(DEVICE_DECORATOR) ?? undefined;
}

/**
 * Logs in the asset whose id and secret a request has; `undefined`: it has nothing of that form. Whoever admits it
 * stores it under `DEVICE_DECORATOR`.
 */
export function logInDevice(
  door: DeviceDoor,
  request: FastifyRequest,
): DeviceAdmission | undefined {
  const credentials = deviceCredentials(request.headers.authorization);
  const { socket } = request.raw;
  const isSecure = socket instanceof TLSSocket;
  const isCertified = isSecure && socket.authorized;
  return credentials && door.logIn(credentials, { address: request.ip, isSecure, isCertified });
}

/** Why an asset is not let in, where that is more than a wrong id or secret. */
export function deviceRefusal(
  found: DeviceAdmission | undefined,
  reply: FastifyReply,
): Refusal | undefined {
  if (found === undefined || !("refusal" in found)) return undefined;
  if (found.refusal === "wrong_certificate") {
    return new Refusal(403, "forbidden", "Devices need a client certificate here");
  }
  if (found.refusal !== "barred") return undefined;
  reply.header("retry-after", BARRED_RETRY_AFTER_S);
  return new Refusal(429, "rate_limit_exceeded", "Too many wrong secrets");
}

/**
 * The asset id and secret of a request: user name and password of basic authentication, or a bearer token of
 * both with a dot between them. No asset id has a dot in it.
 */
function deviceCredentials(header: string | undefined): DeviceCredentials | undefined {
  const token = bearerToken(header);
  if (token === undefined) {
    const basic = basicCredentials(header);
    return basic && { username: basic.username, secret: basic.password };
  }
  const dot = token.indexOf(".");
  return dot < 0 ? undefined : { username: token.slice(0, dot), secret: token.slice(dot + 1) };
}
