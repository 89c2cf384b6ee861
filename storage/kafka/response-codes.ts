import { ResponseError } from "@platformatic/kafka";

/** Error codes of the protocol that are dealt with by number (kafka.apache.org/protocol, "Error Codes"). */
export const KAFKA_ERROR = {
  offsetOutOfRange: 1,
  messageTooLarge: 10,
  coordinatorNotAvailable: 15,
  illegalGeneration: 22,
  unknownMemberId: 25,
  rebalanceInProgress: 27,
  topicAuthorizationFailed: 29,
  clusterAuthorizationFailed: 31,
  invalidTimestamp: 32,
  topicAlreadyExists: 36,
  outOfOrderSequence: 45,
  duplicateSequence: 46,
  invalidProducerEpoch: 47,
  unknownProducerId: 59,
  groupIdNotFound: 69,
  memberIdRequired: 79,
  invalidRecord: 87,
} as const;

/** The codes of an answer that is an error; none for any other failure. */
export function codesOf(error: unknown): readonly number[] {
  if (!(error instanceof ResponseError)) return [];
  return error.errors.flatMap((one) => {
    const { apiCode } = one as { readonly apiCode?: unknown };
    return typeof apiCode === "number" ? [apiCode] : [];
  });
}

/** What an error says, of an answer with what its parts say. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errors } = error as { readonly errors?: unknown };
  const parts = Array.isArray(errors) ? errors : [];
  const messages = parts.map((one) => (one instanceof Error ? one.message : String(one)));
  return [...new Set(messages.length > 0 ? messages : [error.message])].join("; ");
}
