import type { AlertUpsert } from "../../storage/ports/equipment/alerts.ts";

/**
 * An alert with no time in the future: a device's clock may be up to 5 min ahead, and people read
 * alerts by the server's. One that opens ahead of `receivedAtMs` opens then, with the device's time
 * beside it; so it does when it is written again (`before`). `receivedAtMs` comes from the journal, so
 * a replay yields the same.
 */
export function receivedAlert(
  alert: AlertUpsert,
  receivedAtMs: number,
  before: AlertUpsert | undefined,
): AlertUpsert {
  const { openedAtMs, resolvedAtMs } = alert;
  const isKnown = before?.deviceTimeMs !== undefined && before.deviceTimeMs === openedAtMs;
  const opensAtMs = isKnown ? before.openedAtMs : Math.min(openedAtMs, receivedAtMs);
  if (opensAtMs === openedAtMs && (resolvedAtMs ?? 0) <= receivedAtMs) return alert;
  return {
    ...alert,
    openedAtMs: opensAtMs,
    ...(opensAtMs === openedAtMs ? {} : { deviceTimeMs: openedAtMs }),
    resolvedAtMs:
      resolvedAtMs === undefined
        ? undefined
        : Math.max(opensAtMs, Math.min(resolvedAtMs, receivedAtMs)),
  };
}
