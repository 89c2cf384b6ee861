import { isSecretOf } from "../../domain/platform/secret-hash.ts";
import { HttpIngest } from "../../ingest/http/http-ingest.ts";
import type { Intake } from "../../ingest/intake/intake.ts";
import type { Common, Start } from "../process/common.ts";
import type { DeviceLog } from "./device-log.ts";

/** As for listeners of devices that ask for no certificate (config/tls-contradictions). */
export const demandsDeviceCertificate = ({
  tlsCaFile,
  allowPlainListeners,
}: Start["settings"]): boolean => tlsCaFile !== undefined && allowPlainListeners === "false";

/** Makes what takes readings by HTTP; the API, or what serves health and metrics, listens for it. */
export function startHttpIngest(
  { settings, log, closers }: Pick<Start, "settings" | "log" | "closers">,
  { directory, pepper }: Pick<Common, "directory" | "pepper">,
  intake: Intake,
  { onConnection }: Pick<DeviceLog, "onConnection">,
): HttpIngest {
  const verifySecret = (secret: string, hash: Uint8Array) => isSecretOf(pepper, secret, hash);
  const demandsCertificate = demandsDeviceCertificate(settings);
  const parts = { intake, directory, verifySecret, pepper, log, onConnection };
  const ingest = new HttpIngest({ ...parts, demandsCertificate });
  closers.push(() => ingest.close());
  return ingest;
}
