import type { components, operations } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { type Outcome, outcomeOf } from "../../../api/outcome.ts";
import { type Tagged, tagged } from "../form/tagged.ts";

type Schemas = components["schemas"];
export type FleetSource = Schemas["FleetSource"];
export type FleetPoll = Schemas["FleetPoll"];
export type NewFleetSource = Schemas["NewFleetSource"];
export type GivenAuth = Schemas["GivenFleetAuth"];
export type SourceChange =
  operations["updateFleetSource"]["requestBody"]["content"]["application/json"];

const MOST = 1_000;
const pathOf = (id: string) => ({ path: { source_id: id } });

export const readSources = (): Promise<Outcome<Schemas["FleetSourceList"]>> =>
  outcomeOf(api.GET("/api/v1/equipment/fleet-sources", { params: { query: { limit: MOST } } }));

export const readSource = (id: string): Promise<Outcome<Tagged<FleetSource>>> =>
  outcomeOf<FleetSource, Tagged<FleetSource>>(
    api.GET("/api/v1/equipment/fleet-sources/{source_id}", { params: pathOf(id) }),
    tagged,
  );

export const createSource = (body: NewFleetSource, key: string): Promise<Outcome<FleetSource>> =>
  outcomeOf<FleetSource>(
    api.POST("/api/v1/equipment/fleet-sources", {
      params: { header: { "Idempotency-Key": key } },
      body,
    }),
  );

/** @param etag Absent: whatever is stored is changed. 412: somebody else changed it since. */
export const changeSource = (
  id: string,
  body: SourceChange,
  etag?: string,
): Promise<Outcome<FleetSource>> =>
  outcomeOf<FleetSource>(
    api.PATCH("/api/v1/equipment/fleet-sources/{source_id}", {
      params: { ...pathOf(id), ...(etag === undefined ? {} : { header: { "If-Match": etag } }) },
      body,
    }),
  );

export const deleteSource = (id: string): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(
    api.DELETE("/api/v1/equipment/fleet-sources/{source_id}", { params: pathOf(id) }),
  );

/** Asks for a poll now; the answer comes before it is done. */
export const pollSource = (id: string, key: string): Promise<Outcome<FleetSource>> =>
  outcomeOf<FleetSource>(
    api.POST("/api/v1/equipment/fleet-sources/{source_id}/poll", {
      params: { ...pathOf(id), header: { "Idempotency-Key": key } },
    }),
  );
