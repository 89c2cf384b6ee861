/** An answer of the service, and how long it took. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Whatever JSON it holds: a measurement, a list, an error. */
  readonly body: AnswerBody;
  readonly ms: number;
}

/** The fields that checks read. */
export interface AnswerBody extends Readonly<Record<string, unknown>> {
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: readonly Readonly<Record<string, unknown>>[];
  };
  readonly pagination?: { readonly total: number };
}

/** A client that takes every answer, whatever its status. Paths are relative to `/api/v1`. */
export interface Client {
  readonly url: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, signal?: AbortSignal): Promise<Answer>;
  /** A request of another method, with JSON or with bytes of a type. */
  send(
    method: "PUT" | "PATCH" | "DELETE" | "POST",
    path: string,
    body?: unknown,
    type?: string,
  ): Promise<Answer>;
  /** Text at an address as it was given, without the key. */
  open(
    url: string,
  ): Promise<{ readonly status: number; readonly type: string; readonly text: string }>;
}

export function createClient(url: string, key: string): Client {
  async function call(path: string, init: RequestInit): Promise<Answer> {
    const sinceMs = performance.now();
    const response = await fetch(`${url}/api/v1${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${key}`,
        ...(init.body === undefined ? {} : { "content-type": "application/json" }),
        ...init.headers,
      },
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : { text },
      ms: performance.now() - sinceMs,
    };
  }
  return {
    url,
    get: (path, headers = {}) => call(path, { headers }),
    post: (path, body, signal) =>
      call(path, {
        method: "POST",
        body: JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      }),
    send: (method, path, body, type) =>
      call(path, {
        method,
        ...(body === undefined
          ? {}
          : type === undefined
            ? { body: JSON.stringify(body) }
            : {
                body: body as string | Uint8Array<ArrayBuffer>,
                headers: { "content-type": type },
              }),
      }),
    async open(address) {
      const response = await fetch(address);
      return {
        status: response.status,
        type: response.headers.get("content-type") ?? "",
        text: await response.text(),
      };
    },
  };
}
