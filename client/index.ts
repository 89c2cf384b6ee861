import createFetchClient, { type Client } from "openapi-fetch";
import type { paths } from "./api-types.ts";

export type { components, operations, paths } from "./api-types.ts";

export interface PlumblineClientOptions {
  /** Address of the service, without `/api/v1`, such as `https://plumbline.example.com`. */
  readonly baseUrl: string;
  /** API key; absent for what needs none. */
  readonly apiKey?: string;
  /** In place of the global `fetch`: for proxies, certificates, tests. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** What is answered unless a request asks for something else: rows of CSV and positions of GeoJSON have no types. */
type Media = "application/json";

/** A client whose paths, parameters, bodies and answers are those of `openapi.json`. */
export type PlumblineClient = Client<paths, Media>;

/**
 * A typed client of a Plumbline service. Every call yields `{ data, error, response }`: `data` of a success, `error`
 * of a failure, with its `code`. It throws only where no answer came.
 */
export function createPlumblineClient({
  baseUrl,
  apiKey,
  fetch,
}: PlumblineClientOptions): PlumblineClient {
  return createFetchClient<paths, Media>({
    baseUrl,
    ...(fetch === undefined ? {} : { fetch }),
    ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
    // Lists of a query are parted by commas.
    querySerializer: { array: { style: "form", explode: false } },
  });
}
