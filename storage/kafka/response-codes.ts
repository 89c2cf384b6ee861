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

/** Which setting to look at, by the code of an error in the chain of causes: the client's, or one of Node's TLS. */
const SETTING_BY_CODE: Readonly<Record<string, string>> = {
  PLT_KFK_AUTHENTICATION:
    "the log-in is refused; see KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD",
  CERT_HAS_EXPIRED: "the certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is not trusted; see KAFKA_CA_FILE",
  SELF_SIGNED_CERT_IN_CHAIN: "the certificate is not trusted; see KAFKA_CA_FILE",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the certificate is not trusted; see KAFKA_CA_FILE",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the certificate is not trusted; see KAFKA_CA_FILE",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another name than KAFKA_BROKERS",
};

/**
 * What an error says, of an answer with what its parts say; then what caused it, and which setting to look at where that
 * is known.
 */
export function reasonOf(error: unknown): string {
  const said: string[] = [];
  let advice: string | undefined;
  for (let one = error; one !== undefined && one !== null; one = causeOf(one)) {
    said.push(wordsOf(one).replace(/\.$/, ""));
    const { code } = one as { readonly code?: unknown };
    advice ??= typeof code === "string" ? SETTING_BY_CODE[code] : undefined;
  }
  return [...new Set(advice === undefined ? said : [...said, advice])].join(": ");
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errors } = error as { readonly errors?: unknown };
  const parts = Array.isArray(errors) ? errors : [];
  const messages = parts.map((one) => (one instanceof Error ? one.message : String(one)));
  return [...new Set(messages.length > 0 ? messages : [error.message])].join("; ");
}
