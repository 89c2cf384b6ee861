import type { BrokerCounters } from "./counters.ts";

/** What to count for an error that ended a client in aedes; `undefined`: nobody's fault, or counted already. */
export function counterOf(error: Error): keyof BrokerCounters | undefined {
  // A CONNACK that said no: counted where it was decided, but for the version, which aedes decides.
  if ("errorCode" in error) return error.errorCode === 1 ? "version_refused" : undefined;
  // A system error: the connection broke.
  if ("code" in error) return undefined;
  switch (error.message) {
    case "connect did not arrive in time":
      return "connect_timeout";
    case "drain timeout":
      return "slow_subscriber";
    case "connection closed":
    case "session closed before the message was stored":
    case "only devices publish":
    case "no session":
      return undefined;
    default:
      return "malformed";
  }
}
