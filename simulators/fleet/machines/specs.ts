import type { PlaceName } from "../site/site.ts";
import type { DriveLimits } from "../site/trip.ts";
import type { Driver, Plan } from "./driver.ts";
import type { EngineSpec } from "./engine.ts";
import { planConcreteMixer, planCrane, planExcavator, planHaulTruck, planVan } from "./plans.ts";

/** One kind of machine: what it can do and how it spends its day. Figures typical of the class. */
export interface MachineSpec {
  /** `type` of the asset in the API. */
  readonly type: string;
  readonly label: string;
  readonly limits: DriveLimits;
  readonly engine: EngineSpec;
  readonly carriesPayload: boolean;
  /** Where one may be found when the run begins. */
  readonly startPlaces: readonly PlaceName[];
  /** First grid spot of this kind at a starting place (Site.stop). */
  readonly startSpot: number;
  readonly plan: (driver: Driver) => Plan;
}

const haulTruck: MachineSpec = {
  type: "haul_truck",
  label: "Haul truck",
  limits: { maxSpeedMps: 12, accelerationMps2: 0.6, decelerationMps2: 0.9 },
  engine: { tankL: 480, idleLph: 5, fullLph: 62, systemV: 24 },
  carriesPayload: true,
  startPlaces: ["parking", "dump", "load_area"],
  startSpot: 12,
  plan: planHaulTruck,
};
const excavator: MachineSpec = {
  type: "excavator",
  label: "Excavator",
  limits: { maxSpeedMps: 1.2, accelerationMps2: 0.4, decelerationMps2: 0.5 },
  engine: { tankL: 620, idleLph: 6, fullLph: 48, systemV: 24 },
  carriesPayload: false,
  startPlaces: ["load_area"],
  startSpot: 30,
  plan: planExcavator,
};
const crane: MachineSpec = {
  type: "crane",
  label: "Crane",
  limits: { maxSpeedMps: 0.5, accelerationMps2: 0.2, decelerationMps2: 0.2 },
  engine: { tankL: 300, idleLph: 4, fullLph: 22, systemV: 24 },
  carriesPayload: true,
  startPlaces: ["pour"],
  startSpot: 12,
  plan: planCrane,
};
const concreteMixer: MachineSpec = {
  type: "concrete_mixer",
  label: "Concrete mixer",
  limits: { maxSpeedMps: 11, accelerationMps2: 0.7, decelerationMps2: 1.1 },
  engine: { tankL: 300, idleLph: 4, fullLph: 38, systemV: 24 },
  carriesPayload: true,
  startPlaces: ["parking", "batch_plant", "pour"],
  startSpot: 12,
  plan: planConcreteMixer,
};
const van: MachineSpec = {
  type: "van",
  label: "Van",
  limits: { maxSpeedMps: 13, accelerationMps2: 1.4, decelerationMps2: 1.8 },
  engine: { tankL: 75, idleLph: 0.9, fullLph: 14, systemV: 12 },
  carriesPayload: false,
  startPlaces: ["parking", "office", "workshop"],
  startSpot: 12,
  plan: planVan,
};

/** The mix of a fleet, repeated as often as needed; the first machines of a small fleet show the most. */
export const FLEET_MIX: readonly MachineSpec[] = [
  haulTruck,
  excavator,
  haulTruck,
  van,
  haulTruck,
  concreteMixer,
  haulTruck,
  crane,
  haulTruck,
  concreteMixer,
];
