import type { AlertUpsert } from "../../storage/ports/equipment/alerts.ts";
import type { ActiveFault, FaultBook } from "./fault-book.ts";
import type { Baseline, ServiceLevel } from "./service-due.ts";
import type { UsageMeter } from "./usage-meter.ts";

/** One service item of an asset's plan, and what was published of it. */
export interface WatchedService {
  readonly baseline: Baseline;
  /** The highest level published since the baseline. */
  readonly publishedLevel: ServiceLevel;
  /** The intervals that were published; a plan that changes them publishes again. */
  readonly publishedIntervals: string;
  /** The open alert as it was written last; `undefined` while none is open. */
  readonly alert: AlertUpsert | undefined;
}

/** Everything of an asset's maintenance that does not go by fix time; changed in place. */
export interface MaintenanceState {
  readonly faults: FaultBook;
  /** The machine's own meters; `undefined` until it reports one. */
  meters: { readonly hours: UsageMeter | undefined; readonly km: UsageMeter | undefined };
  readonly services: Map<string, WatchedService>;
}

export const newMaintenanceState = (): MaintenanceState => ({
  faults: new Map(),
  meters: { hours: undefined, km: undefined },
  services: new Map(),
});

/** As JSON; stored states name the fields `told` and `toldOf`. */
interface PackedService extends Pick<WatchedService, "baseline" | "alert"> {
  readonly told: ServiceLevel;
  readonly toldOf: string;
}

const packService = (service: WatchedService): PackedService => ({
  baseline: service.baseline,
  told: service.publishedLevel,
  toldOf: service.publishedIntervals,
  alert: service.alert,
});

const unpackService = ({ baseline, told, toldOf, alert }: PackedService): WatchedService => ({
  baseline,
  publishedLevel: told,
  publishedIntervals: toldOf,
  alert,
});

/** As JSON. */
export interface PackedMaintenance {
  readonly faults: readonly (readonly [key: string, fault: ActiveFault])[];
  readonly meters: MaintenanceState["meters"];
  readonly services: readonly (readonly [item: string, service: PackedService])[];
}

/** `undefined`, which JSON leaves out, for an asset without anything to keep. */
export function packMaintenance(state: MaintenanceState): PackedMaintenance | undefined {
  const { faults, meters, services } = state;
  const isEmpty = faults.size + services.size === 0 && (meters.hours ?? meters.km) === undefined;
  if (isEmpty) return undefined;
  const packed = Array.from(services, ([item, one]) => [item, packService(one)] as const);
  return { faults: [...faults], meters, services: packed };
}

export function unpackMaintenance(packed: PackedMaintenance | undefined): MaintenanceState {
  if (packed === undefined) return newMaintenanceState();
  const { hours, km } = packed.meters;
  return {
    faults: new Map(packed.faults),
    meters: { hours, km },
    services: new Map(packed.services.map(([item, one]) => [item, unpackService(one)])),
  };
}
