import type { AssetRegistration } from "../../../../domain/equipment/asset.ts";
import type { AssetId } from "../../../../domain/ids.ts";
import type {
  TakenSections,
  TakenSeries,
} from "../../../../storage/ports/equipment/fleet-sources.ts";
import { MAX_AHEAD_MS } from "../../../intake/readings/clock.ts";
import type { FleetSection } from "../../read-fleet.ts";

/**
 * What was taken of each machine of one source. At every poll a server repeats the sections of a machine
 * that has been parked for a week, and none of that is a sign of life.
 */
export class SectionMemory {
  readonly #taken = new Map<AssetId, TakenSections>();
  readonly #unsaved = new Set<AssetId>();

  constructor(rows: readonly TakenSections[]) {
    for (const row of rows) this.#taken.set(row.assetId, row);
  }

  /** The sections that are newer than what was taken of theirs before. */
  newOf(
    asset: AssetRegistration,
    sections: readonly FleetSection[],
    nowMs: number,
  ): readonly FleetSection[] {
    const taken = this.#rowOf(asset).sections;
    return sections.filter(({ name, timeMs }) => {
      const before = taken[name];
      if (before === undefined || timeMs > before) return true;
      // One time from the future must not shut out all that follow.
      return before > nowMs + MAX_AHEAD_MS && timeMs !== before;
    });
  }

  /** How far the asset's series were taken. */
  seriesOf(asset: AssetRegistration): TakenSeries {
    return this.#rowOf(asset).series ?? { cursors: {}, faults: [] };
  }

  /** When the newest section of that name was taken that was not of a series, ms; `undefined`: none was. */
  newestOf(asset: AssetRegistration, section: string): number | undefined {
    return this.#rowOf(asset).sections[section];
  }

  /** They are durable. */
  tookSeries(asset: AssetRegistration, series: TakenSeries): void {
    this.#taken.set(asset.id, { ...this.#rowOf(asset), series });
    this.#unsaved.add(asset.id);
  }

  /** They are durable. */
  took(asset: AssetRegistration, sections: readonly FleetSection[]): void {
    const row = this.#rowOf(asset);
    const times = sections.map(({ name, timeMs }) => [name, timeMs]);
    this.#taken.set(asset.id, {
      ...row,
      sections: { ...row.sections, ...Object.fromEntries(times) },
    });
    this.#unsaved.add(asset.id);
  }

  /** Rows that have changed since they were stored. */
  unsaved(): readonly TakenSections[] {
    return [...this.#unsaved].flatMap((id) => this.#taken.get(id) ?? []);
  }

  /** These rows are stored; what was taken meanwhile is not. */
  saved(rows: readonly TakenSections[]): void {
    for (const row of rows) {
      if (this.#taken.get(row.assetId) === row) this.#unsaved.delete(row.assetId);
    }
  }

  /** An asset that was registered again, or for another machine, has taken nothing yet. */
  #rowOf({ id, hardware_id, created_at }: AssetRegistration): TakenSections {
    const machine = `${created_at} ${hardware_id}`;
    const known = this.#taken.get(id);
    return known?.machine === machine ? known : { assetId: id, machine, sections: {} };
  }
}
