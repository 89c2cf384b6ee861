import { describe, expect, it } from "vitest";
import {
  type FleetFilter,
  facetCounts,
  filterOf,
  isFiltering,
  NO_FILTER,
  passes,
  typesOf,
} from "../../console/state/fleet-filter.ts";
import type { Machine } from "../../console/state/machine.ts";

const machine = (id: string, part: Partial<Machine>): Machine =>
  ({ id, name: id, type: "van", status: "active", connection: "ok", ...part }) as Machine;

const FLEET = [
  machine("driving", { speedKmh: 12 }),
  machine("creeping", { speedKmh: 1 }),
  machine("working", { speedKmh: undefined, type: "crane" }),
  machine("lost", { speedKmh: 12, connection: "offline" }),
  machine("parked", { speedKmh: 0, status: "idle" }),
];
const idsOf = (part: Partial<FleetFilter>) =>
  FLEET.filter((one) => passes(one, { ...NO_FILTER, ...part })).map(({ id }) => id);

describe("a filter of machines", () => {
  it("means by moving a machine that is connected, active and faster than 1 km/h", () => {
    expect(idsOf({ status: "moving" })).toEqual(["driving"]);
    expect(idsOf({ status: "active" })).toEqual(["driving", "creeping", "working", "lost"]);
  });

  it("takes all of its parts together", () => {
    expect(idsOf({ type: "van", status: "active", connection: "ok" })).toEqual([
      "driving",
      "creeping",
    ]);
    expect(idsOf({ type: "van", search: "park" })).toEqual(["parked"]);
    expect(idsOf({})).toHaveLength(FLEET.length);
  });

  it("finds words in any order and case, in name, id and type", () => {
    const van = machine("van-10", { name: "Van 10", type: "excavator" });
    const finds = (search: string) => passes(van, { ...NO_FILTER, search });
    expect(["EXCA van ", "", "van crane"].map(finds)).toEqual([true, true, false]);
  });

  it("counts for each choice what it leaves with the other parts as they are", () => {
    const { type, status, connection } = facetCounts(FLEET, { ...NO_FILTER, status: "active" });
    expect(Object.fromEntries(type)).toEqual({ "": 4, van: 3, crane: 1 });
    expect(Object.fromEntries(status)).toEqual({ "": 5, moving: 1, active: 4, idle: 1 });
    expect(Object.fromEntries(connection)).toEqual({ "": 4, ok: 3, offline: 1 });
  });

  it("is read from an address, where a choice that there is not is no condition", () => {
    expect(filterOf("?q=no%201&type=crane&status=idle&connection=silent")).toEqual({
      search: "no 1",
      type: "crane",
      status: "idle",
      connection: "silent",
    });
    expect(filterOf("?status=flying&connection=&type=")).toEqual(NO_FILTER);
    expect(isFiltering(filterOf("?asset=a"))).toBe(false);
    expect(isFiltering(filterOf("?type=crane"))).toBe(true);
  });

  it("offers the types that there are, and the chosen one of an address", () => {
    expect(typesOf(FLEET, "roller")).toEqual(["crane", "roller", "van"]);
  });
});
