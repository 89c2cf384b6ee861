import { moved } from "../site/plane.ts";
import { PLACE_NAMES } from "../site/site.ts";
import { type Driver, type Plan, rest } from "./driver.ts";

/** Loads, haulage and payloads below are typical of 40 t articulated dumpers. */
export function* planHaulTruck(driver: Driver): Plan {
  const { site, random, index, bays } = driver;
  for (;;) {
    if (!driver.isOnDuty()) yield* rest(driver, "parking");
    if (random.chance(0.03)) {
      yield driver.drive("drive_to_workshop", site.stop("workshop", index));
      yield driver.stand("service", random.uniform(600, 1_500), { engine: "off" });
    }
    // The load area from the road inwards: two rows of queue, the bays, the excavators.
    yield driver.drive("return", site.stop("load_area", index % 12));
    const passes = random.integer(4, 6);
    const loadS = passes * random.uniform(24, 34);
    // Spotting in front of the excavator takes about 25 s of the bay's time.
    const turn = bays.load.book(driver.nowMs, (loadS + 25) * 1_000);
    if (turn.startMs > driver.nowMs) {
      yield driver.stand("queue", (turn.startMs - driver.nowMs) / 1_000, { engine: "idle" });
    }
    yield driver.drive("spot", site.stop("load_area", 24 + (turn.bay % 6)), { maxSpeedMps: 3 });
    const payloadKg = Math.round(random.uniform(28_000, 39_500));
    yield driver.stand("load", loadS, {
      engine: "idle",
      payload: { fromKg: 0, toKg: payloadKg, steps: passes },
    });
    yield driver.drive("haul", site.stop("dump", random.integer(0, 11)), { maxSpeedMps: 8.5 });
    yield driver.stand("dump", random.uniform(35, 60), {
      engine: { mean: 38, amplitude: 8, periodS: 20 },
      payload: { fromKg: payloadKg, toKg: 0, steps: 8 },
    });
  }
}

/** Digs on the spot with a turning upper carriage; now and then moves a few metres on its tracks. */
export function* planExcavator(driver: Driver): Plan {
  const { site, random, index } = driver;
  for (;;) {
    if (!driver.isOnDuty()) yield* rest(driver, undefined);
    const cycleS = random.uniform(18, 26);
    yield driver.stand("dig", random.uniform(300, 1_200), {
      engine: { mean: 62, amplitude: 24, periodS: cycleS / 2 },
      swing: { deg: 70, periodS: cycleS },
    });
    yield driver.stand("wait", random.uniform(30, 240), { engine: "idle" });
    if (random.chance(0.3)) {
      const home = site.stop("load_area", 30 + (index % 6)).point;
      const point = moved(home, random.uniform(0, 360), random.uniform(4, 16));
      yield driver.drive("relocate", { place: "load_area", point }, { maxSpeedMps: 0.9 });
    }
  }
}

/** A tower crane: never moves, lifts and waits. */
export function* planCrane(driver: Driver): Plan {
  const { random } = driver;
  for (;;) {
    if (!driver.isOnDuty()) yield* rest(driver, undefined);
    const payloadKg = Math.round(random.uniform(400, 6_000));
    const liftS = random.uniform(70, 200);
    yield driver.stand("hook_on", random.uniform(30, 150), { engine: "idle" });
    yield driver.stand("lift", liftS, {
      engine: { mean: 45, amplitude: 20, periodS: 30 },
      payload: { fromKg: payloadKg, toKg: payloadKg, steps: 1 },
      swing: { deg: random.uniform(30, 120), periodS: liftS * 2 },
    });
    yield driver.stand("hook_off", random.uniform(20, 90), {
      engine: "idle",
      payload: { fromKg: 0, toKg: 0, steps: 1 },
    });
  }
}

/** Fills the drum at the batch plant, pours, washes out. */
export function* planConcreteMixer(driver: Driver): Plan {
  const { site, random, index, bays } = driver;
  for (;;) {
    if (!driver.isOnDuty()) yield* rest(driver, "parking");
    yield driver.drive("drive_to_plant", site.stop("batch_plant", 6 + (index % 12)));
    const fillS = random.uniform(240, 360);
    const turn = bays.batch.book(driver.nowMs, (fillS + 20) * 1_000);
    if (turn.startMs > driver.nowMs) {
      yield driver.stand("queue", (turn.startMs - driver.nowMs) / 1_000, { engine: "idle" });
    }
    yield driver.drive("spot", site.stop("batch_plant", 0), { maxSpeedMps: 2.5 });
    const payloadKg = Math.round(random.uniform(14_000, 20_000));
    yield driver.stand("fill", fillS, {
      engine: { mean: 26, amplitude: 6, periodS: 9 },
      payload: { fromKg: 0, toKg: payloadKg, steps: 12 },
    });
    yield driver.drive("deliver", site.stop("pour", index % 12));
    yield driver.stand("pour", random.uniform(480, 900), {
      engine: { mean: 36, amplitude: 8, periodS: 12 },
      payload: { fromKg: payloadKg, toKg: 0, steps: 30 },
    });
    yield driver.stand("wash", random.uniform(120, 240), { engine: "idle" });
  }
}

/** Carries people and tools from place to place; the engine is off at most stops. */
export function* planVan(driver: Driver): Plan {
  const { site, random, index } = driver;
  for (;;) {
    if (!driver.isOnDuty()) yield* rest(driver, "parking");
    const places = PLACE_NAMES.filter((name) => name !== driver.stop.place);
    yield driver.drive("drive", site.stop(random.pick(places), 18 + (index % 12)));
    const engine = random.chance(0.6) ? "off" : "idle";
    yield driver.stand("stop", random.uniform(60, 600), { engine });
  }
}
