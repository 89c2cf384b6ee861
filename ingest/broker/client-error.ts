/** Ends of a connection that aedes decides; each is a counter of the same name. */
export type AedesOutcome = "connect_timeout" | "slow_subscriber" | "malformed";

/** What an error that ended a client in aedes means; `undefined`: not an error, or reported already. */
export function outcomeOf(error: Error): AedesOutcome | undefined {
  // A CONNACK that said no: counted where it was decided.
  if ("errorCode" in error) return undefined;
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
      return undefined;
    default:
      return "malformed";
  }
}
