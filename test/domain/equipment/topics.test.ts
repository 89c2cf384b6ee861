import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  deviceFilters,
  isReservedTopic,
  matchesFilter,
  parseDeviceTopic,
} from "../../../domain/equipment/topics.ts";

describe("a topic filter", () => {
  it.each([
    ["a/b", "a/b", true],
    ["a/b", "a/c", false],
    ["a/b", "a/b/c", false],
    ["a/b/c", "a/b", false],
    ["a/+/c", "a/b/c", true],
    ["a/+/c", "a//c", true],
    ["a/+", "a/b/c", false],
    ["+/+", "a", false],
    ["a/#", "a", true],
    ["a/#", "a/b/c/d", true],
    ["a/#", "ab", false],
    ["a/+/#", "a", false],
    ["a/+/#", "a/b", true],
    ["#", "a/b", true],
    ["A/b", "a/b", false],
    ["/a", "a", false],
    ["a/", "a", false],
    ["a/#", "a/+/#", true],
    ["a/+/#", "a/b/#", true],
    ["a/+/#", "a/#", false],
    ["a/+", "a/#", false],
    ["a/b", "a/+", false],
    ["+/b", "+/b", true],
  ])("%s for the topic or filter %s: %s (MQTT 3.1.1, 4.7.1)", (filter, topic, expected) => {
    expect(matchesFilter(filter, topic)).toBe(expected);
  });

  it("a topic filter means the same topics as a regular expression made of it", () => {
    const name = fc.constantFrom("a", "b", "");
    const topics = fc.array(name, { minLength: 1, maxLength: 5 });
    const wanted = fc.array(fc.oneof(name, fc.constant("+")), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(wanted, fc.boolean(), topics, (levels, hasRest, names) => {
        const filter = [...levels, ...(hasRest ? ["#"] : [])].join("/");
        const pattern = levels.map((level) => (level === "+" ? "[^/]*" : level)).join("/");
        const expected = new RegExp(`^${pattern}${hasRest ? "(/.*)?" : ""}$`).test(names.join("/"));
        expect(matchesFilter(filter, names.join("/"))).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

it.each([
  ["sites/p/assets/a/telemetry", true],
  ["sites", true],
  ["$SYS/broker", true],
  ["$share/group/owntracks/#", true],
  ["sitesabc/data", false],
  ["owntracks/a/b", false],
])("%s is ours or the broker's own: %s", (topic, expected) => {
  expect(isReservedTopic(topic)).toBe(expected);
});

it("every topic of a device is meant by one filter of its project, and nothing else is by any", () => {
  const filters = deviceFilters("p", "+");
  const levels = ["telemetry", "device", "owntracks", "cmd", "event", "x y", ""];
  const topics = levels.flatMap((format) => [
    `sites/p/assets/a/${format}`,
    ...levels.map((below) => `sites/p/assets/a/${format}/${below}`),
  ]);
  const isHeard = (topic: string) =>
    filters.filter((filter) => matchesFilter(filter, topic)).length;
  const isRead = (topic: string) => parseDeviceTopic(topic) !== undefined;
  expect(topics.filter(isRead).map(isHeard)).toEqual(Array.from({ length: 15 }, () => 1));
  // A broker lets empty levels and blanks through, and commands to a device are not for us.
  expect(topics.filter((topic) => isHeard(topic) > 0 && !isRead(topic))).toEqual([
    "sites/p/assets/a/device/x y",
    "sites/p/assets/a/device/",
    "sites/p/assets/a/owntracks/x y",
    "sites/p/assets/a/owntracks/",
    "sites/p/assets/a/x y",
    "sites/p/assets/a/",
  ]);
});
