import type { Logger } from "pino";
import { plainAddress } from "../../domain/platform/plain-address.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { createDeviceLogin, type DeviceCredentials, type DeviceLogin } from "./device-login.ts";

/** Where a request came from. */
export interface Caller {
  readonly address: string;
  readonly isSecure: boolean;
  /** Whether the connection presented a client certificate that was found valid. */
  readonly isCertified: boolean;
}

/** Either the asset, or why it is not let in. */
export type DeviceAdmission = DeviceLogin | { readonly refusal: "wrong_certificate" };

/** Lets in devices that speak HTTP, by what proves who they are. */
export interface DeviceDoor {
  logIn(credentials: DeviceCredentials, caller: Caller): DeviceAdmission;
}

export interface DeviceDoorOptions {
  readonly directory: Pick<AssetDirectory, "find">;
  /** Compares a secret with its HMAC in constant time. */
  readonly verifySecret: (secret: string, hash: Uint8Array) => boolean;
  readonly log: Pick<Logger, "warn">;
  /** Whether devices must present a client certificate, as over MQTT; those of this machine need none. */
  readonly demandsCertificate?: boolean | undefined;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
}

/** A door with bars of its own against wrong secrets. */
export function createDeviceDoor(options: DeviceDoorOptions): DeviceDoor {
  const { directory, verifySecret, log, demandsCertificate = false, now } = options;
  const onBarred = (what: object) => log.warn(what, "wrong device secrets over HTTP: barred");
  const logIn = createDeviceLogin({ directory, verifySecret, now, onBarred });
  return {
    logIn(credentials, caller) {
      const address = plainAddress(caller.address);
      if (demandsCertificate && !caller.isCertified && !isLoopback(address)) {
        return { refusal: "wrong_certificate" };
      }
      return logIn(credentials, address);
    },
  };
}

const isLoopback = (address: string): boolean => address === "::1" || address.startsWith("127.");
