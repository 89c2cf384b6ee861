import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { SESSION_MAX_MS } from "../../domain/platform/session.ts";

/** Random bytes of a session's cookie; 256 bits that nobody guesses. */
const TOKEN_BYTES = 32;
/** They in base64url, which is all that a look-up is worth. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/**
 * Over https, browsers take a cookie of this prefix only with `Secure`, for `/`, and from this very host (RFC 6265bis
 * section 4.1.3.2): no neighbour under the same domain can set one. Over plain http it cannot have it. Each is read
 * where it is set, alone.
 */
const NAMES = { secure: "__Host-plumbline", plain: "plumbline" } as const;

/** A new cookie's value. */
export const newSessionToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

const nameOf = (isSecure: boolean): string => (isSecure ? NAMES.secure : NAMES.plain);

const attributes = (isSecure: boolean) =>
  ({ path: "/", httpOnly: true, sameSite: "strict", secure: isSecure }) as const;

/** The session's cookie of a request, if it has the form of one. */
export function sessionToken(request: FastifyRequest, isSecure: boolean): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const token = request.server.parseCookie(cookie)[nameOf(isSecure)];
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Gives a browser its session. It keeps the cookie for as long as a session may last; when it ends is ours to say. */
export function setSessionCookie(reply: FastifyReply, token: string, isSecure: boolean): void {
  const maxAge = SESSION_MAX_MS / 1_000;
  sendCookie(reply, isSecure, token, { maxAge });
}

/** Takes it away. */
export function clearSessionCookie(reply: FastifyReply, isSecure: boolean): void {
  sendCookie(reply, isSecure, "", { maxAge: 0, expires: new Date(0) });
}

function sendCookie(
  reply: FastifyReply,
  isSecure: boolean,
  value: string,
  lifetime: { readonly maxAge: number; readonly expires?: Date },
): void {
  const options = { ...attributes(isSecure), ...lifetime };
  reply.header("set-cookie", reply.server.serializeCookie(nameOf(isSecure), value, options));
}
