import type { Stockpile } from "../../../../state/site-places.ts";
import type { StockpileChange } from "../../requests.ts";

export const BASE_METHODS = ["plane", "tin", "level", "survey"] as const;
export const THRESHOLDS = ["empty", "low", "full"] as const;
type Threshold = (typeof THRESHOLDS)[number];

/** What a person says of a stockpile. Numbers are in the unit of the API; NaN: what was typed is no number. */
export interface PileForm {
  readonly material: string;
  readonly location: string;
  readonly capacityM3: number | undefined;
  /** t/m³; `undefined`: not known. */
  readonly density: number | undefined;
  /** As they were typed, percent of the capacity. */
  readonly empty: string;
  readonly low: string;
  readonly full: string;
  readonly method: Stockpile["base"]["method"];
  /** Of a level, metres in the heights of the surveys. */
  readonly levelM: number | undefined;
  /** Of the method survey: the address of a surface; empty: the one that is stored. */
  readonly surfaceUrl: string;
  /** Its visits are the loads; empty: none. */
  readonly fenceId: string;
}

export const EMPTY: PileForm = {
  ...{ material: "", location: "", capacityM3: undefined, density: undefined },
  ...{ empty: "", low: "", full: "" },
  ...{ method: "plane", levelM: undefined, surfaceUrl: "", fenceId: "" },
};

/** Fields of a stockpile that the form has. */
type Stored = Pick<
  Stockpile,
  "material" | "location" | "max_capacity_m3" | "density_t_per_m3" | "thresholds" | "base"
> & { readonly geofence_id?: string | undefined };

export const formOf = (pile: Stored): PileForm => ({
  material: pile.material,
  location: pile.location,
  capacityM3: pile.max_capacity_m3,
  density: pile.density_t_per_m3,
  empty: String(pile.thresholds.empty_percent),
  low: String(pile.thresholds.low_percent),
  full: String(pile.thresholds.full_percent),
  method: pile.base.method,
  levelM: pile.base.height_m,
  surfaceUrl: "",
  fenceId: pile.geofence_id ?? "",
});

/** A share that was typed, with a point or a comma; NaN: it is not one from 0 to 100. */
function shareOf(text: string): number {
  const written = text.trim().replace(",", ".");
  const value = /^\d+(\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
  return value <= 100 ? value : Number.NaN;
}

/** What is wrong with a form before anything is sent, by its fields. */
export interface PileProblems extends Readonly<Record<Threshold, "share" | "order" | undefined>> {
  readonly capacity: boolean;
  readonly density: boolean;
  readonly level: boolean;
  /** No surface is chosen, and none is stored. */
  readonly surface: boolean;
}

export function problemsOf(form: PileForm, stored: Pick<Stored, "base">): PileProblems {
  const [empty, low, full] = [shareOf(form.empty), shareOf(form.low), shareOf(form.full)];
  const share = (value: number, before: number) =>
    Number.isNaN(value) ? "share" : value <= before ? "order" : undefined;
  const { capacityM3, density, method, levelM = Number.NaN, surfaceUrl } = form;
  return {
    empty: share(empty, -1),
    low: share(low, empty),
    full: share(full, low),
    capacity: !((capacityM3 ?? 0) > 0),
    density: density !== undefined && !(density > 0),
    level: method === "level" && Number.isNaN(levelM),
    surface: method === "survey" && surfaceUrl === "" && stored.base.method !== "survey",
  };
}

/** Whether the service has no chance to take it. */
export const isWrong = (problems: PileProblems): boolean =>
  Object.values(problems).some((problem) => problem !== undefined && problem !== false);

/** Only what differs from what is stored: what is not sent stays as it is. */
export function changeOf(stored: Stored, form: PileForm): StockpileChange {
  const before = formOf(stored);
  const isNew = (...fields: readonly (keyof PileForm)[]) =>
    fields.some((field) => form[field] !== before[field]);
  return {
    ...(isNew("material") ? { material: form.material.trim() } : {}),
    ...(isNew("location") ? { location: form.location.trim() } : {}),
    ...(isNew("capacityM3") && form.capacityM3 !== undefined
      ? { max_capacity_m3: Math.round(form.capacityM3 * 1_000) / 1_000 }
      : {}),
    ...(isNew("density") ? { density_t_per_m3: form.density ?? null } : {}),
    ...(isNew("empty", "low", "full")
      ? {
          thresholds: {
            empty_percent: shareOf(form.empty),
            low_percent: shareOf(form.low),
            full_percent: shareOf(form.full),
          },
        }
      : {}),
    ...(isNew("method", "surfaceUrl") || (form.method === "level" && isNew("levelM"))
      ? { base: baseOf(form) }
      : {}),
    ...(isNew("fenceId") ? { geofence_id: form.fenceId === "" ? null : form.fenceId } : {}),
  };
}

function baseOf({ method, levelM, surfaceUrl }: PileForm): NonNullable<StockpileChange["base"]> {
  if (method === "level" && levelM !== undefined) {
    return { method, height_m: Math.round(levelM * 1_000) / 1_000 };
  }
  return method === "survey" ? { method, surface_url: surfaceUrl } : { method };
}
