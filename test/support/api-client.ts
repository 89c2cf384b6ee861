/** The few HTTP calls that tests make of a running service. Paths are relative to `/api/v1`, `text` to the root. */
export interface ApiClient {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  put<T>(path: string, body: unknown): Promise<T>;
  text(path: string): Promise<string>;
}

/** A client that throws on every answer that is not a success, with the answer in the message. */
export function createApiClient(url: string, key: string): ApiClient {
  async function call(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    });
    if (!response.ok) {
      throw new Error(
        `${init.method ?? "GET"} ${path}: ${response.status} ${await response.text()}`,
      );
    }
    return response;
  }
  const send = async <T>(method: "POST" | "PUT", path: string, body: unknown) =>
    (await call(`/api/v1${path}`, { method, body: JSON.stringify(body) })).json() as Promise<T>;
  return {
    // The caller names the shape that the route's own contract tests check.
    get: async <T>(path: string) => (await call(`/api/v1${path}`, {})).json() as Promise<T>,
    post: (path, body) => send("POST", path, body),
    put: (path, body) => send("PUT", path, body),
    text: async (path) => (await call(path, {})).text(),
  };
}
