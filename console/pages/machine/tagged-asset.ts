import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";
import type { AssetDetail } from "./tab.ts";

/** A machine with the entity tag of its state, which a change has to name. */
export interface TaggedAsset {
  readonly asset: AssetDetail;
  readonly etag: string;
}

const tagged = (asset: AssetDetail, response: Response): TaggedAsset => ({
  asset,
  etag: response.headers.get("etag") ?? "*",
});

const pathOf = (id: string) => ({ path: { asset_id: id } });

export const readAsset = (id: string): Promise<Outcome<TaggedAsset>> =>
  outcomeOf(api.GET("/api/v1/equipment/assets/{asset_id}", { params: pathOf(id) }), tagged);

/** 412: somebody else changed it since `etag`. */
export const changeAsset = (
  { asset, etag }: TaggedAsset,
  body: components["schemas"]["AssetChange"],
): Promise<Outcome<TaggedAsset>> =>
  outcomeOf(
    api.PATCH("/api/v1/equipment/assets/{asset_id}", {
      params: { ...pathOf(asset.id), header: { "If-Match": etag } },
      body,
    }),
    tagged,
  );
