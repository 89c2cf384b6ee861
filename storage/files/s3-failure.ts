import type { S3ServiceException } from "@aws-sdk/client-s3";
import { DomainError } from "../../domain/errors.ts";
import { fullDisk } from "../../domain/platform/storage-shortage.ts";

/**
 * What to set, by the code of S3's answer ("Error responses" of the S3 API reference), by the name of an error of
 * the SDK, or by the code of one of Node's sockets.
 */
const SETTING_BY_CODE: Readonly<Record<string, string>> = {
  AccessDenied: "the credentials of S3_ACCESS_KEY_ID need more rights in S3_BUCKET",
  AuthorizationHeaderMalformed: "S3_REGION is not the region of the server",
  CredentialsProviderError: "S3_ACCESS_KEY_ID is not set, and AWS credentials are not there either",
  IllegalLocationConstraintException: "S3_REGION is not the region of the server",
  InvalidAccessKeyId: "the server does not know S3_ACCESS_KEY_ID",
  InvalidBucketName: "S3_BUCKET is not a name that the server takes",
  NoSuchBucket: "there is no S3_BUCKET of that name (any more)",
  PermanentRedirect: "S3_BUCKET is in another region than S3_REGION",
  RequestTimeTooSkewed: "the clock of this machine is not the clock of S3_ENDPOINT",
  SignatureDoesNotMatch: "S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID",
};
const UNTRUSTED = "the certificate of S3_ENDPOINT is not trusted on this machine";
const ENDPOINT_BY_CODE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "the certificate of S3_ENDPOINT has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  ECONNREFUSED: "nothing listens at S3_ENDPOINT",
  ECONNRESET: "S3_ENDPOINT ended the connection",
  ENOTFOUND: "the host of S3_ENDPOINT is not known",
  EPROTO: "S3_ENDPOINT does not speak TLS: is it http instead of https?",
  ERR_TLS_CERT_ALTNAME_INVALID: "the certificate of S3_ENDPOINT is for another name",
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  TimeoutError: "S3_ENDPOINT does not answer in time",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
};
/** Full disks: AWS has none; MinIO and Ceph have codes of their own, and others answer 507. */
const FULL = /StorageFull|InsufficientStorage|QuotaExceeded|no space left/i;
const FULL_TEXT = "the disk of S3_ENDPOINT is full";

/** Whether an answer means that a setting or a right is wrong, which no retry mends. */
export const isMisconfigured = (error: unknown): boolean =>
  codesOf(error).some((code) => Object.hasOwn(SETTING_BY_CODE, code));

/** HTTP status of S3's answer; `undefined`: there was none. */
export function statusOf(error: unknown): number | undefined {
  return (error as Partial<S3ServiceException>).$metadata?.httpStatusCode;
}

/** What went wrong in S3's words, and which setting to look at where that is known. */
export function s3Reason(error: unknown): string {
  const status = statusOf(error);
  const codes = codesOf(error);
  const words = wordsOf(error);
  const advice = codes.map((code) => SETTING_BY_CODE[code] ?? ENDPOINT_BY_CODE[code]).find(Boolean);
  const why = advice ?? (isFull(error) ? FULL_TEXT : undefined);
  const answer = status === undefined ? words : `${status} ${words}`;
  return why === undefined ? answer : `${why} (${answer})`;
}

/** A failed request as others see it: `STORE_UNAVAILABLE`, or a shortage. What is one of ours already stays as it is. */
export function s3Failure(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  // Clients read it, so without the server's words, which may have paths.
  if (isFull(cause)) return fullDisk(FULL_TEXT, cause);
  return new DomainError("STORE_UNAVAILABLE", `the file store (S3): ${s3Reason(cause)}`, { cause });
}

const isFull = (error: unknown): boolean => statusOf(error) === 507 || FULL.test(wordsOf(error));

const wordsOf = (error: unknown): string =>
  error instanceof Error ? `${codesOf(error)[0]}: ${error.message}` : String(error);

/** The most telling one first. */
function codesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === "string" ? [code, error.name] : [error.name];
}
