import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";
import type { Stockpile } from "../../state/site-places.ts";

type Schemas = components["schemas"];
export type NewStockpile = Schemas["NewStockpile"];
export type StockpileChange = Schemas["StockpileChange"];

/** A stockpile with the entity tag of its state, which a change has to name. */
export interface TaggedPile {
  readonly pile: Stockpile;
  readonly etag: string;
}

export const readPile = (id: string): Promise<Outcome<TaggedPile>> =>
  outcomeOf<Stockpile, TaggedPile>(
    api.GET("/api/v1/materials/stockpiles/{stockpile_id}", {
      params: { path: { stockpile_id: id } },
    }) as never,
    (pile, response) => ({ pile, etag: response.headers.get("etag") ?? "*" }),
  );

export const createPile = (body: NewStockpile, key: string): Promise<Outcome<Stockpile>> =>
  outcomeOf<Stockpile>(
    api.POST("/api/v1/materials/stockpiles", {
      params: { header: { "Idempotency-Key": key } },
      body,
    }),
  );

/** 412: somebody else changed it since `etag`. */
export const changePile = (
  { pile, etag }: TaggedPile,
  body: StockpileChange,
): Promise<Outcome<Stockpile>> =>
  outcomeOf<Stockpile>(
    api.PATCH("/api/v1/materials/stockpiles/{stockpile_id}", {
      params: { path: { stockpile_id: pile.id }, header: { "If-Match": etag } },
      body,
    }),
  );
