import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";
import { serviceNow } from "../../api/service-clock.ts";
import type { Visit } from "../fences/visits-csv.ts";

type Schemas = components["schemas"];

/** What the card of a machine asks for, beside what list and live stream have. */
export interface CardAnswer {
  /** Newest value of every field that the device reported. */
  readonly latest: Schemas["AssetDetail"]["latest"];
  /** Stays that have not ended, the latest first. */
  readonly visits: readonly Visit[];
  /** The last messages, newest first. */
  readonly messages: readonly Schemas["MessageEntry"][];
}

/** Fences that a machine is in at a time: nested ones are a handful. */
const FENCES = 50;
/** As many as the service keeps of a machine: the one that brought the newest position is among them. */
const MESSAGES = 50;
/** How far back a stay may end that is asked for, ms: more than the clocks of two processes are apart. */
const NOW_MS = 60_000;

/** Reads it; without one of the three there is none of it. */
export async function readCard(id: string): Promise<Outcome<CardAnswer>> {
  const path = { asset_id: id };
  const from = new Date(serviceNow() - NOW_MS).toISOString();
  const [asset, visits, messages] = await Promise.all([
    outcomeOf(api.GET("/api/v1/equipment/assets/{asset_id}", { params: { path } })),
    outcomeOf(
      api.GET("/api/v1/equipment/visits", {
        params: { query: { asset_id: id, from, limit: FENCES } },
      }),
      ({ data }) => data.filter(({ exited_at }) => exited_at === undefined),
    ),
    outcomeOf(
      api.GET("/api/v1/equipment/assets/{asset_id}/messages", {
        params: { path, query: { limit: MESSAGES } },
      }),
      ({ data }) => data,
    ),
  ]);
  if ("failure" in asset) return asset;
  if ("failure" in visits) return visits;
  if ("failure" in messages) return messages;
  return {
    value: { latest: asset.value.latest, visits: visits.value, messages: messages.value },
  };
}
