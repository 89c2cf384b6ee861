import type { FastifyInstance, InjectOptions } from "fastify";

/** An answer of the API that is not a success, in words for the assistant. */
export class ApiRefusal extends Error {
  override readonly name = "ApiRefusal";
}

/** Text and numbers of a query; what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Rows of one list, and how many there are in all. */
export interface ListPage<T> {
  readonly data: readonly T[];
  readonly total: number;
}

/**
 * Asks this service's own API in the name of the caller, so that every tool has the caller's scopes, projects and
 * rate, and no rule stands twice. It remembers what it asked: an answer names its sources.
 */
export class ApiReader {
  readonly #app: FastifyInstance;
  readonly #authorization: string;
  readonly #sources: string[] = [];

  /** `authorization`: the caller's header, as it came. */
  constructor(app: FastifyInstance, authorization: string) {
    this.#app = app;
    this.#authorization = authorization;
  }

  /** Every request so far, as `GET /api/v1/equipment/assets?limit=100`. */
  get sources(): readonly string[] {
    return this.#sources;
  }

  /**
   * `path` is relative to `/api/v1`. The caller names the shape, which the route's own tests check.
   * @throws ApiRefusal with the API's own words
   */
  async get<T>(path: string, query: Query = {}): Promise<T> {
    return await this.#ask<T>("GET", `/api/v1${path}${queryText(query)}`);
  }

  /** @throws ApiRefusal with the API's own words */
  async post<T>(path: string, body: object): Promise<T> {
    return await this.#ask<T>("POST", `/api/v1${path}`, body);
  }

  /** At most `most` rows of a list whose pages have 100. */
  async list<T>(path: string, query: Query, most: number): Promise<ListPage<T>> {
    const data: T[] = [];
    for (;;) {
      const page = await this.get<{ data: T[]; pagination?: { total: number; has_more: boolean } }>(
        path,
        { ...query, limit: Math.min(100, most - data.length), offset: data.length },
      );
      data.push(...page.data);
      const { total = data.length, has_more = false } = page.pagination ?? {};
      if (!has_more || data.length >= most) return { data, total };
    }
  }

  async #ask<T>(method: "GET" | "POST", url: string, body?: object): Promise<T> {
    this.#sources.push(`${method} ${url}`);
    const headers = { authorization: this.#authorization, accept: "application/json" };
    const options: InjectOptions = { method, url, headers };
    const answer = await this.#app.inject(
      body === undefined ? options : { ...options, payload: body },
    );
    if (answer.statusCode < 300) return answer.json<T>();
    throw new ApiRefusal(
      `${method} ${url} was answered with ${answer.statusCode}: ${reasonOf(answer.body)}`,
    );
  }
}

function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

function reasonOf(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: string } };
    return error?.message ?? body;
  } catch {
    return body;
  }
}
