import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isVendorTopic, namingFilters } from "../../../ingest/decoders/vendor-topics.ts";
import { VendorTopicIndex } from "../../../ingest/remote-broker/vendor-topic-index.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";

function tracked(
  id: string,
  hardware_id?: string,
  decoder: "owntracks" | "thingsboard" = "owntracks",
) {
  const entry = assetEntry(id);
  const named = hardware_id === undefined ? {} : { hardware_id };
  return { ...entry, asset: { ...entry.asset, decoder, ...named } };
}

describe("the index of vendors' topics", () => {
  it("the index of vendors' topics knows the assets that are there, and follows each change", () => {
    const directory = fixedDirectory([tracked("van", "fred/pixel"), assetEntry("crane")]);
    const index = new VendorTopicIndex(directory);
    expect(index.find("owntracks/fred/pixel/event")).toEqual(["van"]);
    expect(index.find("owntracks/crane/phone")).toEqual([]);
    directory.change("van", tracked("van", "anna/pixel"));
    expect(index.find("owntracks/fred/pixel")).toEqual([]);
    expect(index.find("owntracks/anna/pixel")).toEqual(["van"]);
    expect(index.filtersOf(tracked("van").asset.id)).toEqual([
      "owntracks/van/+/#",
      "owntracks/anna/pixel/#",
    ]);
    directory.change("van", undefined);
    expect(index.find("owntracks/van/x")).toEqual([]);
    expect(index.filtersOf(tracked("van").asset.id)).toEqual([]);
  });

  it("the index of vendors' topics yields every asset that claims a topic, each once", () => {
    const directory = fixedDirectory([
      tracked("van", "fred"),
      tracked("fred"),
      tracked("truck", "truck/phone"),
    ]);
    const index = new VendorTopicIndex(directory);
    expect([...index.find("owntracks/fred/phone")].sort()).toEqual(["fred", "van"]);
    expect(index.find("owntracks/truck/phone")).toEqual(["truck"]);
  });

  it("the index of vendors' topics has no topic that is the same for every device, and none of ours", () => {
    const board = tracked("board", "sites/p1/assets/crane", "thingsboard");
    const index = new VendorTopicIndex(fixedDirectory([board]));
    expect(index.find("v1/devices/me/telemetry")).toEqual([]);
    expect(index.find("sites/p1/assets/crane/data")).toEqual([]);
    expect(index.find("x/".repeat(30_000))).toEqual([]);
  });

  it("the index of vendors' topics finds what going through all filters finds, after any changes", () => {
    const names = ["a", "b", "c/d", "a/x", "c"];
    const change = fc.record({
      id: fc.constantFrom("a", "b", "c"),
      hardware: fc.option(fc.constantFrom(...names), { nil: undefined }),
      isGone: fc.boolean(),
    });
    const topic = fc
      .array(fc.constantFrom("owntracks", "a", "b", "c", "d", "x"), { minLength: 1, maxLength: 4 })
      .map((levels) => levels.join("/"));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.array(topic), (changes, topics) => {
        const directory = fixedDirectory([tracked("a", "b")]);
        const index = new VendorTopicIndex(directory);
        for (const { id, hardware, isGone } of changes) {
          directory.change(id, isGone ? undefined : tracked(id, hardware));
        }
        for (const one of [...topics, "owntracks/a/x", "owntracks/c/d/event"]) {
          const claims = [...directory.entries()].filter(({ asset }) =>
            isVendorTopic(namingFilters(asset), one),
          );
          expect([...index.find(one)].sort()).toEqual(claims.map(({ asset }) => asset.id).sort());
        }
      }),
    );
  });
});
