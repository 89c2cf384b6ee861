import { describe, expect, it } from "vitest";
import { DECODER_NAMES } from "../../../domain/equipment/asset.ts";
import { REGISTERED_FORMAT } from "../../../domain/equipment/topics.ts";
import { DECODERS } from "../../../ingest/decoders/registry.ts";
import { routeTopic } from "../../../ingest/intake/topic-route.ts";
import { assetEntry } from "../../support/fixed-directory.ts";

const van = (decoder: (typeof DECODER_NAMES)[number], hardware_id?: string) => ({
  ...assetEntry("van").asset,
  decoder,
  ...(hardware_id === undefined ? {} : { hardware_id }),
});

/** What became of the topic: format, decoder, project; `undefined`: not the asset's own. */
function routed(topic: string, asset: ReturnType<typeof van>) {
  const { own } = routeTopic(topic, asset);
  return own && [own.format, own.decoder?.name, own.projectId];
}

describe("a topic", () => {
  it.each(
    DECODERS,
  )("a topic of the format of $name leads to it, whatever is registered", (decoder) => {
    const topic = `sites/p1/assets/van/${decoder.topicFormat}`;
    expect(routed(topic, van("plumbline"))).toEqual([decoder.topicFormat, decoder.name, "p1"]);
  });

  it.each(
    DECODER_NAMES,
  )("a topic that ends in device leads to the registered decoder, %s", (name) => {
    const format = DECODERS.find((decoder) => decoder.name === name)?.topicFormat;
    expect(routed("sites/p1/assets/van/device", van(name))).toEqual([format, name, "p1"]);
  });

  it("a topic that ends in device of an asset that a newer version registered has no decoder here", () => {
    const asset = { ...van("plumbline"), decoder: "morse" as "plumbline" };
    expect(routed("sites/p1/assets/van/device", asset)).toEqual(["morse", undefined, "p1"]);
    expect(routed("owntracks/van/phone", asset)).toBeUndefined();
  });

  it("a topic of the vendor is the asset's own when it is registered with that format", () => {
    expect(routed("owntracks/van/phone", van("owntracks"))).toEqual([
      "owntracks",
      "owntracks",
      undefined,
    ]);
    expect(routed("owntracks/van/phone", van("plumbline"))).toBeUndefined();
    expect(routed("owntracks/other/phone", van("owntracks"))).toBeUndefined();
    expect(routed("owntracks/other/phone", van("owntracks", "other/phone"))).toEqual([
      "owntracks",
      "owntracks",
      undefined,
    ]);
    // In a session of the embedded broker nobody else can be meant.
    expect(routed("v1/devices/me/telemetry", van("thingsboard"))?.[0]).toBe("thingsboard");
  });

  it("one level below OwnTracks' is the asset's own, as the app's events and waypoints are", () => {
    const app = ["owntracks", "owntracks", "p1"];
    for (const below of [
      "event",
      "waypoint",
      "waypoints",
      "cmd",
      "status",
      "info",
      "step",
      "dump",
    ]) {
      const own = `sites/p1/assets/van/owntracks/${below}`;
      expect(routed(own, van("plumbline"))).toEqual(app);
      expect(routed(`sites/p1/assets/van/device/${below}`, van("owntracks"))).toEqual(app);
    }
    expect(routed("sites/p1/assets/crane/owntracks/event", van("owntracks"))).toBeUndefined();
  });

  it.each([
    "sites/p1/assets/van/telemetry/event",
    "sites/p1/assets/van/cmd/event",
    "sites/p1/assets/van/device/event",
    "sites/p1/assets/van/owntracks/event/more",
    "sites/p1/assets/van/owntracks/",
    "sites/p1/assets/van/owntracks/a b",
  ])("%s is nobody's, as long as the asset is registered with our own JSON", (topic) => {
    expect(routed(topic, van("plumbline"))).toBeUndefined();
  });

  it("a topic of another asset is never the asset's own, though its hardware is called so", () => {
    const asset = van("owntracks", "../sites/p1/assets/crane");
    for (const format of ["telemetry", "owntracks", "device"]) {
      expect(routed(`sites/p1/assets/crane/${format}`, asset)).toBeUndefined();
    }
  });
});

it("no decoder has the name that means the registered one", () => {
  expect(DECODERS.map(({ topicFormat }) => topicFormat)).not.toContain(REGISTERED_FORMAT);
});
