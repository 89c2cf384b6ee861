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
