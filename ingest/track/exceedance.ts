import type { Limit } from "../../domain/equipment/maintenance.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { Published } from "../events/event-change.ts";

/** One end of a value's time beyond its limit. */
export interface ExceedanceEnd {
  /** Fix time, ms since the Unix epoch. */
  readonly atMs: number;
  /** The field's value then; `undefined` where the plan changed, not the value. */
  readonly value: number | undefined;
  readonly cause: "level" | "plan_changed";
}

/** One time that a reported value was beyond a limit, as it is known now. */
export interface FoundExceedance {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly ordinal: number;
  readonly limit: Limit;
  readonly exceeded: ExceedanceEnd;
  /** `undefined`: it still is. */
  readonly cleared: ExceedanceEnd | undefined;
}

/** The same, with what was published of it. */
export interface Exceedance extends FoundExceedance {
  readonly id: string;
  readonly published: { readonly exceeded: Published; readonly cleared: Published };
}

/** As JSON; stored tracks name the field `told`. */
export interface PackedExceedance extends Omit<Exceedance, "published"> {
  readonly told: Exceedance["published"];
}

export const packExceedance = ({ published, ...rest }: Exceedance): PackedExceedance => ({
  ...rest,
  told: published,
});

export const unpackExceedance = ({ told, ...rest }: PackedExceedance): Exceedance => ({
  ...rest,
  published: told,
});
