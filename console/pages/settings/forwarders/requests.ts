import type { components, operations } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { type Outcome, outcomeOf } from "../../../api/outcome.ts";
import { type Tagged, tagged } from "../form/tagged.ts";

type Schemas = components["schemas"];
export type Forwarder = Schemas["Forwarder"];
export type NewForwarder = Schemas["NewForwarder"];
export type Credentials = Schemas["ForwarderCredentials"];
export type ForwarderChange =
  operations["updateForwarder"]["requestBody"]["content"]["application/json"];

const MOST = 1_000;
const pathOf = (id: string) => ({ path: { forwarder_id: id } });

export const readForwarders = (): Promise<Outcome<Schemas["ForwarderList"]>> =>
  outcomeOf(api.GET("/api/v1/forwarders", { params: { query: { limit: MOST } } }));

export const readForwarder = (id: string): Promise<Outcome<Tagged<Forwarder>>> =>
  outcomeOf<Forwarder, Tagged<Forwarder>>(
    api.GET("/api/v1/forwarders/{forwarder_id}", { params: pathOf(id) }),
    tagged,
  );

export const createForwarder = (body: NewForwarder, key: string): Promise<Outcome<Forwarder>> =>
  outcomeOf<Forwarder>(
    api.POST("/api/v1/forwarders", { params: { header: { "Idempotency-Key": key } }, body }),
  );

/** @param etag Absent: whatever is stored is changed. 412: somebody else changed it since. */
export const changeForwarder = (
  id: string,
  body: ForwarderChange,
  etag?: string,
): Promise<Outcome<Forwarder>> =>
  outcomeOf<Forwarder>(
    api.PATCH("/api/v1/forwarders/{forwarder_id}", {
      params: { ...pathOf(id), ...(etag === undefined ? {} : { header: { "If-Match": etag } }) },
      body,
    }),
  );

export const deleteForwarder = (id: string): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(api.DELETE("/api/v1/forwarders/{forwarder_id}", { params: pathOf(id) }));
