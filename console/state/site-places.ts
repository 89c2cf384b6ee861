import { batch, type Signal } from "@preact/signals";
import type { components } from "../../client/index.ts";
import { api } from "../api/client.ts";
import type { Failure } from "../api/failure.ts";
import { type Outcome, outcomeOf } from "../api/outcome.ts";
import { perSession } from "./per-session.ts";

type Schemas = components["schemas"];
/** Corners as the API has them, `[latitude, longitude]` in degrees; its client makes arrays of the pairs. */
type Corners = readonly (readonly number[])[];

/** A zone of progress; without a polygon it is nowhere on a map. */
export type WorkZone = Omit<Schemas["WorkZone"], "polygon"> & { readonly polygon?: Corners };
/** A stockpile; without a footprint it is nowhere on a map. */
export type Stockpile = Omit<Schemas["Stockpile"], "footprint"> & { readonly footprint?: Corners };

/** A list that is read when somebody wants to see it. */
interface PlaceList<T> {
  readonly items: Signal<readonly T[]>;
  /** Whether it was ever read, and what the last read failed with. */
  readonly state: Signal<Failure | "unread" | "read">;
  /** Reads it, of some projects; a failure leaves what there was. */
  readonly read: (projectIds: readonly string[]) => Promise<void>;
}

const PAGE = 100;

/** Zones of progress. */
export const workZones = placeList<WorkZone>((project_id, offset) =>
  outcomeOf(
    api.GET("/api/v1/progress/zones", { params: { query: { project_id, limit: PAGE, offset } } }),
    ({ data, pagination }) => ({ items: data, hasMore: pagination.has_more }),
  ),
);

/** Stockpiles. */
export const stockpiles = placeList<Stockpile>((project_id, offset) =>
  outcomeOf(
    api.GET("/api/v1/materials/stockpiles", {
      params: { query: { project_id, limit: PAGE, offset } },
    }),
    ({ data, pagination }) => ({ items: data, hasMore: pagination?.has_more === true }),
  ),
);

interface Page<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

function placeList<T>(
  page: (projectId: string, offset: number) => Promise<Outcome<Page<T>>>,
): PlaceList<T> {
  const items = perSession<readonly T[]>([]);
  const state = perSession<Failure | "unread" | "read">("unread");
  let reads = 0;

  async function read(projectIds: readonly string[]): Promise<void> {
    reads += 1;
    const own = reads;
    const found: T[] = [];
    for (const projectId of projectIds) {
      for (let offset = 0; ; offset += PAGE) {
        const outcome = await page(projectId, offset);
        // Another project was chosen meanwhile.
        if (own !== reads) return;
        if ("failure" in outcome) {
          state.value = outcome.failure;
          return;
        }
        found.push(...outcome.value.items);
        if (!outcome.value.hasMore) break;
      }
    }
    batch(() => {
      items.value = found;
      state.value = "read";
    });
  }

  return { items, state, read };
}
