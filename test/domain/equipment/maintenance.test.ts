import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { faultSeverity } from "../../../domain/equipment/fault-severity.ts";
import { fmiName } from "../../../domain/equipment/fmi-names.ts";
import {
  limitsOf,
  MaintenancePlan,
  plannedSeverity,
  planProblems,
} from "../../../domain/equipment/maintenance.ts";
import { spnName } from "../../../domain/equipment/spn-names.ts";

const oil = { item: "oil", name: "Engine oil", every_hours: 250 };
const hot = { id: "hot", field: "coolant_temperature_c", above: 105 };
const low = { id: "low", field: "fuel_level_percent", below: 10 };

describe("a maintenance plan", () => {
  it.each<[string, MaintenancePlan, string, string]>([
    [
      "a service without an interval",
      { services: [{ item: "oil", name: "Oil" }] },
      "services.0",
      '"oil" needs every_hours, every_days or every_km',
    ],
    ["two services of one id", { services: [oil, oil] }, "services.1.item", '"oil" is there twice'],
    [
      "a limit with no side",
      { limits: [{ id: "hot", field: "x" }] },
      "limits.0",
      '"hot" needs either above or below',
    ],
    [
      "a limit with both sides",
      { limits: [{ ...hot, below: 1 }] },
      "limits.0",
      '"hot" needs either above or below',
    ],
    [
      "a clear level above an upper limit",
      { limits: [{ ...hot, clear_at: 105.1 }] },
      "limits.0.clear_at",
      'of "hot" must not be greater than above, 105',
    ],
    [
      "a clear level below a lower limit",
      { limits: [low, { ...low, id: "b", clear_at: 9 }] },
      "limits.1.clear_at",
      'of "b" must not be less than below, 10',
    ],
    [
      "two limits of one id",
      { limits: [hot, { ...low, id: "hot" }] },
      "limits.1.id",
      '"hot" is there twice',
    ],
    [
      "a fault of two severities",
      { faults: { info: [{ spn: 1, fmi: 2 }], critical: [{ spn: 1, fmi: 2 }] } },
      "faults.critical.0",
      '"SPN 1 FMI 2" is there twice',
    ],
  ])("with %s is refused by name", (_case, plan, parameter, message) => {
    expect(Check(MaintenancePlan, plan)).toBe(true);
    expect(planProblems(plan)).toEqual([{ parameter, message }]);
  });

  it.each<[string, unknown]>([
    ["no item id", { services: [{ name: "Oil", every_hours: 250 }] }],
    ["an interval of nothing", { services: [{ ...oil, every_hours: 0 }] }],
    ["a warning beyond the end", { services: [{ ...oil, warn_at_percent: 101 }] }],
    ["a field that is none", { limits: [{ ...hot, field: "__proto__" }] }],
    [
      "a level that JSON reads as infinite",
      { limits: [{ ...hot, above: Number.POSITIVE_INFINITY }] },
    ],
    ["a severity of its own", { limits: [{ ...hot, severity: "fatal" }] }],
    [
      "more limits than are checked",
      { limits: Array.from({ length: 51 }, (_, i) => ({ ...hot, id: `l${i}` })) },
    ],
    ["a fault that no controller reports", { faults: { critical: [{ spn: 524_288 }] } }],
  ])("with %s does not fit its schema", (_case, plan) => {
    expect(Check(MaintenancePlan, plan)).toBe(false);
  });

  it("a maintenance plan may be empty, and may clear at the limit itself", () => {
    expect(planProblems({})).toEqual([]);
    expect(
      planProblems({
        limits: [
          { ...hot, clear_at: 105 },
          { ...low, clear_at: 10 },
        ],
      }),
    ).toEqual([]);
  });

  it("a maintenance plan has its limits' open ends filled in", () => {
    expect(
      limitsOf({
        limits: [hot, { ...low, name: "Fuel", for_s: 60, clear_at: 15, severity: "info" }],
      }),
    ).toEqual([
      {
        id: "hot",
        name: "hot",
        field: "coolant_temperature_c",
        bound: "above",
        level: 105,
        clearAt: 105,
        forMs: 0,
        severity: "warning",
      },
      {
        id: "low",
        name: "Fuel",
        field: "fuel_level_percent",
        bound: "below",
        level: 10,
        clearAt: 15,
        forMs: 60_000,
        severity: "info",
      },
    ]);
  });
});

describe("the severity of a fault", () => {
  it.each([
    ["engine oil pressure far too low", 100, 1, "critical"],
    ["engine oil pressure far too high: nothing breaks at once", 100, 0, "warning"],
    ["coolant temperature far too high", 110, 0, "critical"],
    ["coolant temperature far too low: a cold engine", 110, 1, "warning"],
    ["coolant temperature moderately high", 110, 16, "warning"],
    ["coolant temperature a little high", 110, 15, "info"],
    ["a short in the sensor of the oil pressure", 100, 4, "warning"],
    ["the engine was shut down to protect it", 1110, 31, "critical"],
    ["a sensor that drifts", 411, 20, "info"],
  ])("%s", (_case, spn, fmi, severity) => {
    expect(faultSeverity({ spn, fmi })).toBe(severity);
  });

  it("the severity of a fault is the plan's where the plan names it, the failure mode before the parameter", () => {
    const plan = { faults: { critical: [{ spn: 639 }], info: [{ spn: 639, fmi: 9 }] } };
    expect(plannedSeverity(plan, { spn: 639, fmi: 2 })).toBe("critical");
    expect(plannedSeverity(plan, { spn: 639, fmi: 9 })).toBe("info");
    expect(plannedSeverity(plan, { spn: 640, fmi: 9 })).toBeUndefined();
    expect(plannedSeverity(undefined, { spn: 639, fmi: 9 })).toBeUndefined();
  });
});

describe("names of faults", () => {
  it("names of faults say parameter and failure mode", () => {
    expect(spnName(110)).toBe("engine coolant temperature");
    expect(fmiName(3)).toBe("voltage above normal, or shorted to high source");
    expect(fmiName(31)).toBe("condition exists");
  });

  it("names of faults of unknown parameters are not invented", () => {
    expect(spnName(4)).toBeUndefined();
    expect(spnName(520_192)).toBe("maker's own parameter 520192");
  });

  it("names of faults cover all 32 failure modes", () => {
    const names = Array.from({ length: 32 }, (_, fmi) => fmiName(fmi));
    expect(names.filter((name) => name.startsWith("FMI"))).toEqual([]);
    expect(new Set(names).size).toBe(24);
  });
});
