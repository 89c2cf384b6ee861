import { DomainError } from "../../../../domain/errors.ts";
import { type FleetPage, readFleet } from "../../read-fleet.ts";
import { type Ask, statusFailure } from "./ask.ts";
import { FleetFailure } from "./failure.ts";
import { MAX_PAGE_BYTES, MAX_PROBLEM } from "./limits.ts";
import type { FleetLogin } from "./login.ts";

/** By what a server knows whether a page is as it was. */
export interface Validators {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** A page as it is now; `unchanged`: as it was when its validators were given. */
export type FetchedPage =
  | "unchanged"
  | { readonly page: FleetPage; readonly validators: Validators };

/** XML is the standard's own form; servers that have only JSON send that. */
const ACCEPT = "application/xml, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1";
/**
 * Longest validator that is sent back, characters. Longer makes requests that servers refuse; shorter reads pages
 * again that did not change.
 */
const MAX_VALIDATOR = 1_000;

/** What a request for a page needs. */
interface GetOptions {
  readonly ask: Ask;
  readonly login: FleetLogin;
  /** Of the page as it is known; `undefined`: it has to come whole. */
  readonly known: Validators | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

/**
 * Gets one page, with fresh credentials once when the server refuses what it took before.
 * @throws FleetFailure when there is no page to be had.
 */
export async function fetchPage(
  url: string,
  options: GetOptions & {
    /** Whether the server is known to send levels as percent; set when a page shows so. */
    readonly levels: { isPercent: boolean };
  },
): Promise<FetchedPage> {
  const { levels } = options;
  const fetched = await getBody(url, options);
  if (fetched === "unchanged") return "unchanged";
  const { body, validators } = fetched;
  const page = readBody(() => readFleet(body, levels.isPercent));
  levels.isPercent ||= page.reportsPercent;
  return { page, validators };
}

/** Gets the body of one page as {@link fetchPage} does. @throws FleetFailure */
export async function getBody(
  url: string,
  { ask, login, known, signal, now }: GetOptions,
): Promise<"unchanged" | { readonly body: Uint8Array; readonly validators: Validators }> {
  const get = async () =>
    ask({
      method: "GET",
      url,
      headers: {
        accept: ACCEPT,
        "user-agent": "plumbline",
        ...conditions(known),
        ...(await login.headers(signal)),
      },
      maxBodyBytes: MAX_PAGE_BYTES,
      signal,
    });
  let answer = await get();
  if (answer.status === 401 && login.refused()) answer = await get();
  const { status, body = new Uint8Array(), etag, lastModified } = answer;
  if (status === 304 && known !== undefined) return "unchanged";
  if (status !== 200) throw statusFailure(answer, now());
  return { body, validators: { etag, lastModified } };
}

/** What `read` makes of an answer. @throws FleetFailure where it cannot be read. */
export function readBody<Page>(read: () => Page): Page {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new FleetFailure(error.message.slice(0, MAX_PROBLEM), { httpStatus: 200 });
  }
}

function conditions(known: Validators | undefined): Record<string, string> {
  const { etag, lastModified } = known ?? {};
  return {
    ...(isSendable(etag) ? { "if-none-match": etag } : {}),
    ...(isSendable(lastModified) ? { "if-modified-since": lastModified } : {}),
  };
}

const isSendable = (validator: string | undefined): validator is string =>
  validator !== undefined && /^[ -~]+$/.test(validator) && validator.length <= MAX_VALIDATOR;
