import type { components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { type Outcome, outcomeOf } from "../../../api/outcome.ts";
import { type Tagged, tagged } from "../form/tagged.ts";

type Schemas = components["schemas"];
export type ApiKey = Schemas["ApiKey"];
export type NewApiKey = Schemas["NewApiKey"];
export type CreatedApiKey = Schemas["CreatedApiKey"];
export type SignIn = Schemas["Session"];

/** As many as one answer holds. */
const MOST = 1_000;

export const readKeys = (): Promise<Outcome<Schemas["ApiKeyList"]>> =>
  outcomeOf(api.GET("/api/v1/keys", { params: { query: { limit: MOST, sort: "-created_at" } } }));

export const createKey = (body: NewApiKey, key: string): Promise<Outcome<CreatedApiKey>> =>
  outcomeOf<CreatedApiKey>(
    api.POST("/api/v1/keys", { params: { header: { "Idempotency-Key": key } }, body }),
  );

export const readKey = (id: string): Promise<Outcome<Tagged<ApiKey>>> =>
  outcomeOf<ApiKey, Tagged<ApiKey>>(
    api.GET("/api/v1/keys/{key_id}", { params: { path: { key_id: id } } }),
    tagged,
  );

/** 412: somebody else renamed it since it was read. */
export const renameKey = (
  { value, etag }: Tagged<ApiKey>,
  name: string,
): Promise<Outcome<ApiKey>> =>
  outcomeOf<ApiKey>(
    api.PATCH("/api/v1/keys/{key_id}", {
      params: { path: { key_id: value.id }, header: { "If-Match": etag } },
      body: { name },
    }),
  );

export const revokeKey = (id: string): Promise<Outcome<ApiKey>> =>
  outcomeOf(api.DELETE("/api/v1/keys/{key_id}", { params: { path: { key_id: id } } }));

/** Browsers that are signed in, of all keys. */
export const readSignIns = (): Promise<Outcome<Schemas["SessionList"]>> =>
  outcomeOf(api.GET("/api/v1/sessions", { params: { query: { limit: MOST } } }));
