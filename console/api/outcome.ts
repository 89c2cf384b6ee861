import { type Failure, failureOf, NO_ANSWER } from "./failure.ts";

/** What came of a request: its answer, or why there is none. */
export type Outcome<T> = { readonly value: T } | { readonly failure: Failure };

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** Waits for an answer; `read` takes more of it than its body, such as a header. Never throws. */
export async function outcomeOf<T, R = T>(
  request: Promise<Answer<T>>,
  read?: (data: T, response: Response) => R,
): Promise<Outcome<R>> {
  try {
    const { data, error, response } = await request;
    if (!response.ok) return { failure: failureOf(error, response) };
    // 204 has no body.
    const value = data as T;
    return { value: read === undefined ? (value as unknown as R) : read(value, response) };
  } catch {
    return { failure: NO_ANSWER };
  }
}

/**
 * Keys for `Idempotency-Key`: the same body gets the same one, so that a second press, or one after an answer that was
 * lost, does one thing. `crypto.randomUUID` is not there over plain HTTP.
 */
export function requestKeys(): (body: unknown) => string {
  let last = { text: "", key: "" };
  return (body) => {
    const text = JSON.stringify(body);
    if (text !== last.text || last.key === "") last = { text, key: randomKey() };
    return last.key;
  };
}

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
