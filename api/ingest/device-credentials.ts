import type { DeviceCredentials } from "../../ingest/http/device-login.ts";
import { basicCredentials } from "../auth/basic-password.ts";
import { bearerToken } from "../auth/guard.ts";

/**
 * The asset id and secret of a request: user name and password of basic authentication, or a bearer token of
 * both with a dot between them. No asset id has a dot in it.
 */
export function deviceCredentials(header: string | undefined): DeviceCredentials | undefined {
  const token = bearerToken(header);
  if (token === undefined) {
    const basic = basicCredentials(header);
    return basic && { username: basic.username, secret: basic.password };
  }
  const dot = token.indexOf(".");
  return dot < 0 ? undefined : { username: token.slice(0, dot), secret: token.slice(dot + 1) };
}
