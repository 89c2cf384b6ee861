import { type AssetId, isId } from "../../domain/ids.ts";
import { printable } from "../broker/frames/printable.ts";
import { FailedLogins } from "../credentials/login-guard.ts";
import type { AssetDirectory, AssetEntry } from "../directories/asset-directory.ts";

const NO_HASH = new Uint8Array(32);

/** What a request proves an asset's identity by. */
export interface DeviceCredentials {
  /** Asset id, as the client sent it. */
  readonly username: string;
  readonly secret: string;
}

/**
 * - `wrong_password` and `unknown_user`: the client hears the same of both.
 * - `barred`: a wrong secret, after too many of the same asset or address. A right one is let in.
 */
export type DeviceRefusal = "wrong_password" | "unknown_user" | "barred";

/** Either the asset, or why it is not let in. */
export type DeviceLogin = { readonly entry: AssetEntry } | { readonly refusal: DeviceRefusal };

export interface DeviceLoginOptions {
  readonly directory: Pick<AssetDirectory, "find">;
  /** Compares a secret with its HMAC in constant time. */
  readonly verifySecret: (secret: string, hash: Uint8Array) => boolean;
  readonly now: () => number;
  /** Called once for each bar, with what it concerns. */
  readonly onBarred: (what: { readonly address?: string; readonly username?: string }) => void;
}

/**
 * Builds the check of asset ids and secrets, by the rules of a log-in over MQTT. Every secret is verified
 * before any bar is checked, so that nobody is locked out by what others send.
 */
export function createDeviceLogin({
  directory,
  verifySecret,
  now,
  onBarred,
}: DeviceLoginOptions): (credentials: DeviceCredentials, address: string) => DeviceLogin {
  const failures = new FailedLogins();

  return ({ username, secret }, address) => {
    const entry = isId(username) ? directory.find(username as AssetId) : undefined;
    // An unknown asset costs the same time as a wrong secret.
    const isRight = verifySecret(secret, entry?.secretHash ?? NO_HASH);
    if (entry !== undefined && isRight) return { entry };
    const { wasBarred, bars } = failures.note(address, username, now());
    if (wasBarred) return { refusal: "barred" };
    if (bars !== undefined) {
      onBarred({ address, ...(bars === "user" ? { username: printable(username) } : {}) });
    }
    return { refusal: entry === undefined ? "unknown_user" : "wrong_password" };
  };
}
