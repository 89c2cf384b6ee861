import type { Random } from "../../randomness/random.ts";
import { spanM } from "../site/plane.ts";
import type { PlaceName, Site, Stop } from "../site/site.ts";
import { type DriveLimits, planTrip } from "../site/trip.ts";
import { type Activity, drive, type Manner, stand } from "./activity.ts";
import type { Bays } from "./bays.ts";
import type { Duty } from "./duty.ts";

/** The endless sequence of what one machine does. Pulled one activity at a time, as time passes. */
export type Plan = Generator<Activity, never, void>;

/** What a plan is written with: it knows where the machine is and what time it is. */
export interface Driver {
  readonly site: Site;
  readonly random: Random;
  /** Number of this machine among its kind on the site, from 0: its own parking spot and queue place. */
  readonly index: number;
  /** The loading places of the site, shared by its machines. */
  readonly bays: Readonly<Record<"load" | "batch", Bays>>;
  /** End of the last activity, ms since the Unix epoch: when the next one starts. */
  readonly nowMs: number;
  readonly stop: Stop;
  isOnDuty(): boolean;
  /** Drives to a spot; a machine that is there already stays for a second instead. */
  drive(name: string, to: Stop, limits?: Partial<DriveLimits>): Activity;
  stand(name: string, seconds: number, manner: Manner): Activity;
}

export interface DriverOptions {
  readonly site: Site;
  readonly random: Random;
  readonly index: number;
  readonly bays: Driver["bays"];
  readonly duty: Duty;
  readonly limits: DriveLimits;
  readonly start: Stop;
  readonly startMs: number;
}

/** A driver at its starting place, engine not yet on. */
export function createDriver(options: DriverOptions): Driver {
  const { site, random, index, bays, duty, limits } = options;
  let nowMs = options.startMs;
  let stop = options.start;
  let headingDeg = random.uniform(0, 360);
  let payloadKg = 0;

  function done(activity: Activity): Activity {
    nowMs = activity.endMs;
    const end = activity.motionAt(activity.endMs);
    payloadKg = end.payloadKg;
    headingDeg = end.headingDeg;
    return activity;
  }

  function standHere(name: string, seconds: number, manner: Manner): Activity {
    return done(stand(name, nowMs, seconds, { point: stop.point, headingDeg, payloadKg }, manner));
  }

  return {
    site,
    random,
    index,
    bays,
    get nowMs() {
      return nowMs;
    },
    get stop() {
      return stop;
    },
    isOnDuty: () => duty.isOn(nowMs),
    drive(name, to, special) {
      if (spanM(stop.point, to.point) < 0.5) return standHere(name, 1, { engine: "idle" });
      const trip = planTrip(site.route(stop, to), { ...limits, ...special });
      stop = to;
      return done(drive(name, nowMs, trip, payloadKg));
    },
    stand: standHere,
  };
}

/** Off duty: parks (or stays where it is), lets the engine cool down, and waits with it off. */
export function* rest(
  driver: Driver,
  parkAt: PlaceName | undefined,
): Generator<Activity, void, void> {
  if (parkAt !== undefined) {
    const spot = driver.site.stop(parkAt, driver.index);
    if (spanM(spot.point, driver.stop.point) >= 0.5) {
      yield driver.drive("drive_to_parking", spot);
      yield driver.stand("cool_down", driver.random.uniform(40, 120), { engine: "idle" });
    }
  } else {
    yield driver.stand("cool_down", driver.random.uniform(40, 120), { engine: "idle" });
  }
  // In pieces of a minute, so that the end of the break is noticed within one.
  do {
    yield driver.stand("off", 60, { engine: "off" });
  } while (!driver.isOnDuty());
  yield driver.stand("warm_up", driver.random.uniform(40, 120), { engine: "idle" });
}
