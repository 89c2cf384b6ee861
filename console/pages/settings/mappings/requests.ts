import type { components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { type Outcome, outcomeOf } from "../../../api/outcome.ts";
import { type Tagged, tagged } from "../form/tagged.ts";

type Schemas = components["schemas"];
export type TypeMapping = Schemas["TypeMapping"];
export type PayloadMapping = Schemas["PayloadMapping"];
export type FieldMapping = Schemas["FieldMapping"];
export type DryRun = Schemas["DryRun"];

const MOST = 1_000;
const pathOf = (type: string) => ({ path: { asset_type: type } });

export const readMappings = (): Promise<Outcome<Schemas["TypeMappingList"]>> =>
  outcomeOf(api.GET("/api/v1/equipment/mappings", { params: { query: { limit: MOST } } }));

export const readMapping = (type: string): Promise<Outcome<Tagged<TypeMapping>>> =>
  outcomeOf<TypeMapping, Tagged<TypeMapping>>(
    api.GET("/api/v1/equipment/mappings/{asset_type}", { params: pathOf(type) }),
    tagged,
  );

/** @param etag Absent: there was no mapping. 412: somebody else changed it since it was read. */
export const putMapping = (
  type: string,
  body: PayloadMapping,
  etag: string | undefined,
): Promise<Outcome<TypeMapping>> =>
  outcomeOf<TypeMapping>(
    api.PUT("/api/v1/equipment/mappings/{asset_type}", {
      params: {
        ...pathOf(type),
        ...(etag === undefined ? {} : { header: { "If-Match": etag } }),
      },
      body,
    }),
  );

export const deleteMapping = (type: string): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(
    api.DELETE("/api/v1/equipment/mappings/{asset_type}", { params: pathOf(type) }),
  );

/** What a message would become by a mapping that is not stored; nothing is stored by it. */
export const tryMapping = (mapping: PayloadMapping, payload: string): Promise<Outcome<DryRun>> =>
  outcomeOf<DryRun>(
    api.POST("/api/v1/equipment/dry-run", {
      body: { decoder: "mapping", mapping, payload_text: payload },
    }),
  );
