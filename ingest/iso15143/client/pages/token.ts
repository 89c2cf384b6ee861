import { DomainError } from "../../../../domain/errors.ts";
import { basicCredentials } from "../../../../outbound/basic-credentials.ts";
import { readJsonObject } from "../../../decoders/payload/json-payload.ts";
import { looseNumber } from "../../../decoders/payload/loose-number.ts";
import { type Ask, statusFailure } from "./ask.ts";
import { FleetFailure } from "./failure.ts";
import { MAX_TOKEN_BYTES } from "./limits.ts";

/** What credentials are exchanged for by OAuth 2.0. */
export interface AccessToken {
  readonly text: string;
  /** ms since the Unix epoch; a while before its end. */
  readonly usableUntilMs: number;
}

/** What a token is asked for with. */
export interface TokenRequest {
  readonly tokenUrl: string;
  /** `undefined`: the server does not ask who the client is. */
  readonly client: { readonly id: string; readonly secret: string | undefined } | undefined;
  /**
   * The user that the client acts for (RFC 6749 section 4.3); `undefined`: for itself (section
   * 4.4).
   */
  readonly owner: { readonly username: string; readonly password: string } | undefined;
  readonly scope: string | undefined;
}

/** Life of a token whose server does not say, s. Chosen: `expires_in` is only recommended. */
const DEFAULT_LIFE_S = 300;
/** Longest life that is believed, s. Chosen: a day. */
const MAX_LIFE_S = 86_400;
/**
 * Part of its life that a token is used for, so that it does not end under way. More risks a refusal under way;
 * less asks for tokens more often.
 */
const USED_PART = 0.9;
/** What may follow `Bearer ` (RFC 6750 section 2.1), and more: visible ASCII; longest chosen. */
const TOKEN = /^[!-~]{1,8192}$/;

/**
 * Asks for a token (RFC 6749). A client with a secret uses basic authentication, which every server has
 * to support, and the body if that is refused, as some want it. A client without a secret uses the body.
 * @throws FleetFailure why there is none.
 */
export async function requestToken(
  { tokenUrl, client, owner, scope }: TokenRequest,
  ask: Ask,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<AccessToken> {
  const grant = owner === undefined ? "client_credentials" : "password";
  const form = { grant_type: grant, ...owner, ...(scope === undefined ? {} : { scope }) };
  const post = (fields: Readonly<Record<string, string>>, headers: Record<string, string>) =>
    ask({
      method: "POST",
      url: tokenUrl,
      headers: {
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
      maxBodyBytes: MAX_TOKEN_BYTES,
      signal,
    });
  const answer = await asClient(client, (fields, headers) => post({ ...form, ...fields }, headers));
  const { status } = answer;
  if (status === 400) {
    throw new FleetFailure("the log-in answered 400: the credentials were refused", {
      httpStatus: status,
      isRefusal: true,
    });
  }
  if (status !== 200) {
    const { message, retryAfterMs, isRefusal } = statusFailure(answer, now());
    const more = { httpStatus: status, retryAfterMs, isRefusal };
    throw new FleetFailure(`the log-in ${message}`, more);
  }
  return readToken(answer.body ?? new Uint8Array(), now());
}

type Post = (
  fields: Readonly<Record<string, string>>,
  headers: Record<string, string>,
) => ReturnType<Ask>;

/** Posts as the client, in the form that the server takes. */
async function asClient(client: TokenRequest["client"], post: Post): ReturnType<Ask> {
  if (client === undefined) return post({}, {});
  const { id, secret } = client;
  if (secret === undefined) return post({ client_id: id }, {});
  // Section 2.3.1: form-encoded before they are credentials.
  const authorization = basicCredentials(encodeURIComponent(id), encodeURIComponent(secret));
  const answer = await post({}, { authorization });
  if (answer.status !== 400 && answer.status !== 401) return answer;
  // Then the client is known, and asking again would count as one more wrong password of the user.
  if (readObject(answer.body ?? new Uint8Array())["error"] === "invalid_grant") return answer;
  return post({ client_id: id, client_secret: secret }, {});
}

function readToken(body: Uint8Array, nowMs: number): AccessToken {
  const found = readObject(body);
  const text = found["access_token"];
  if (typeof text !== "string" || !TOKEN.test(text)) {
    throw new FleetFailure("the log-in answered without a token", { httpStatus: 200 });
  }
  const lifeS = Math.min(looseNumber(found["expires_in"]) ?? DEFAULT_LIFE_S, MAX_LIFE_S);
  return { text, usableUntilMs: nowMs + Math.max(0, lifeS) * 1_000 * USED_PART };
}

function readObject(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return readJsonObject(body);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return {};
  }
}
