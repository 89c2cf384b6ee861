import { setTimeout as delay } from "node:timers/promises";
import { SimulatorError } from "../../command-line/simulator-error.ts";

/** What came back, already read. `body` is `undefined` when it was not JSON. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The service's HTTP API, as a simulator uses it. */
export interface ApiClient {
  /**
   * One request below `/api/v1`; a body that is neither form nor bytes is sent as JSON. Waits out 429 (`Retry-After`); any other status is the caller's.
   * @throws SimulatorError when the service cannot be reached or refuses the key.
   */
  request(
    method: "GET" | "POST" | "PATCH" | "PUT",
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ApiAnswer>;
}

/**
 * A request without answer is given up after this, ms. Shorter fails at a busy service, longer hangs at one that
 * is gone.
 */
const TIMEOUT_MS = 15_000;
/** Wait after a 429 that names no time, seconds: the limit's window is a minute. */
const DEFAULT_RETRY_S = 5;

/** Creates a client of the service at `url`; `signal` ends waiting requests, `timeoutMs` one without answer. */
export function createApiClient(
  url: string,
  key: string,
  signal: AbortSignal,
  timeoutMs: number = TIMEOUT_MS,
): ApiClient {
  const root = url.replace(/\/+$/, "");

  async function send(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const isSentAsItIs = body instanceof FormData || body instanceof Uint8Array;
    const isJson = body !== undefined && !isSentAsItIs;
    try {
      return await fetch(`${root}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(isJson && { "content-type": "application/json" }),
          ...headers,
        },
        ...(isJson && { body: JSON.stringify(body) }),
        ...(isSentAsItIs && { body: body as FormData | Uint8Array<ArrayBuffer> }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
    } catch (cause) {
      signal.throwIfAborted();
      throw new SimulatorError(`no answer from ${root}: is the service running there?`, { cause });
    }
  }

  return {
    async request(method, path, body, headers) {
      for (;;) {
        const response = await send(method, path, body, headers);
        const text = await response.text();
        if (response.status === 401) {
          throw new SimulatorError(`the API key was refused by ${root} (401)`);
        }
        if (response.status !== 429) return { status: response.status, body: parse(text) };
        const waitS = Number(response.headers.get("retry-after") ?? DEFAULT_RETRY_S);
        await delay((Number.isFinite(waitS) ? waitS : DEFAULT_RETRY_S) * 1_000, undefined, {
          signal,
        });
      }
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
