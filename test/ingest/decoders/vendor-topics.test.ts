import { describe, expect, it } from "vitest";
import type { DECODER_NAMES } from "../../../domain/equipment/asset.ts";
import type { AssetId } from "../../../domain/ids.ts";
import {
  decoderFilters,
  isVendorTopic,
  namingFilters,
  vendorFilters,
} from "../../../ingest/decoders/vendor-topics.ts";

/** As much of a registration as topics depend on. */
const device = (decoder: (typeof DECODER_NAMES)[number], hardware_id?: string) => ({
  id: "van-7" as AssetId,
  decoder,
  ...(hardware_id === undefined ? {} : { hardware_id }),
});

describe("the vendors' own topics of an asset", () => {
  it("are none for our own JSON, whatever the hardware calls itself", () => {
    expect(vendorFilters(device("plumbline", "356307042441013"))).toEqual([]);
  });

  it("the vendors' own topics of an asset are those of the OwnTracks app under the asset's id and under its user and device", () => {
    const own = vendorFilters(device("owntracks", "fred/pixel"));
    expect(own).toEqual(["owntracks/van-7/+/#", "owntracks/fred/pixel/#"]);
    const heard = [
      "owntracks/van-7/phone",
      "owntracks/van-7/phone/event",
      "owntracks/fred/pixel",
      "owntracks/fred/pixel/waypoints",
    ];
    expect(heard.map((topic) => isVendorTopic(own, topic))).toEqual(heard.map(() => true));
    const others = [
      "owntracks/fred",
      "owntracks/van-7",
      "owntracks/fred/pixel2",
      "owntracks/van-77/a",
    ];
    expect(others.map((topic) => isVendorTopic(own, topic))).toEqual(others.map(() => false));
  });

  it("the vendors' own topics of an asset name no topic twice, because a broker would deliver it twice", () => {
    expect(vendorFilters(device("owntracks", "van-7/phone"))).toEqual(["owntracks/van-7/+/#"]);
    expect(vendorFilters(device("owntracks", "van-7"))).toEqual(["owntracks/van-7/#"]);
    const topics = () => ["a/b", "a/+", "a/b", "c/#", "c/d/+"];
    const device7 = { assetId: "van-7", hardwareId: undefined };
    expect(decoderFilters({ name: "x", topics }, device7)).toEqual(["a/+", "c/#"]);
    const same = () => ["a/b", "a/b"];
    expect(decoderFilters({ name: "x", topics: same }, device7)).toEqual(["a/b"]);
  });

  it("the vendors' own topics of an asset are those of Teltonika by IMEI, or by an asset id that is one", () => {
    const imei = "356307042441013";
    const byHardware = decoderFilters(
      { name: "teltonika" },
      { assetId: "van-7", hardwareId: imei },
    );
    expect(byHardware).toEqual([`${imei}/data`, `+/+/teltonika/${imei}/data`]);
    expect(decoderFilters({ name: "teltonika" }, { assetId: imei, hardwareId: undefined })).toEqual(
      byHardware,
    );
    expect(isVendorTopic(byHardware, `master/fleet/teltonika/${imei}/data`)).toBe(true);
    expect(isVendorTopic(byHardware, `master/teltonika/${imei}/data`)).toBe(false);
  });

  it("the vendors' own topics of an asset are that of every ThingsBoard device, which names none of them", () => {
    const own = vendorFilters(device("thingsboard", "x"));
    expect(own).toEqual(["v1/devices/me/telemetry", "v2/t", "v2/t/+", "v1/gateway/telemetry"]);
    expect(namingFilters(device("thingsboard", "me"))).toEqual([]);
    expect(namingFilters(device("owntracks"))).toEqual(["owntracks/van-7/+/#"]);
  });

  it("the vendors' own topics of an asset are what a decoder says itself, before the list", () => {
    const topics = ({
      assetId,
      hardwareId,
    }: {
      assetId: string;
      hardwareId?: string | undefined;
    }) => [`acme/${hardwareId ?? "none"}/${assetId}/up`];
    const acme = { name: "owntracks", topics };
    expect(decoderFilters(acme, { assetId: "a", hardwareId: "b/c" })).toEqual(["acme/b/c/a/up"]);
    expect(decoderFilters({ name: "toString" }, { assetId: "a", hardwareId: "b" })).toEqual([]);
    expect(decoderFilters(undefined, { assetId: "a", hardwareId: "b" })).toEqual([]);
  });

  it("the vendors' own topics of an asset are never ours nor the broker's own, whatever a device is called", () => {
    const named = (hardwareId: string) =>
      decoderFilters({ name: "teltonika" }, { assetId: "van-7", hardwareId });
    expect(named("sites/p1/assets/van-8")).toEqual(["+/+/teltonika/sites/p1/assets/van-8/data"]);
    expect(named("$share/group")).toEqual(["+/+/teltonika/$share/group/data"]);
    expect(isVendorTopic(["+/+/teltonika/1/data"], "sites/p1/teltonika/1/data")).toBe(false);
    expect(isVendorTopic(["#"], "$SYS/broker/uptime")).toBe(false);
  });

  it("the vendors' topics exclude wildcards and topics longer than 256 bytes", () => {
    const own = ["owntracks/van-7/#"];
    for (const topic of ["owntracks/van-7/+", "owntracks/van-7/#", "owntracks/van-7/\0"]) {
      expect(isVendorTopic(own, topic)).toBe(false);
    }
    expect(isVendorTopic(own, `owntracks/van-7/${"x".repeat(240)}`)).toBe(true);
    expect(isVendorTopic(own, `owntracks/van-7/${"x".repeat(241)}`)).toBe(false);
  });
});
