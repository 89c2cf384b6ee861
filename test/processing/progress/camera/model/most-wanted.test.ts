import { describe, expect, it } from "vitest";
import type { ObservationId, WorkZoneId } from "../../../../../domain/ids.ts";
import type { ZoneLabel, ZoneView } from "../../../../../domain/sites/site-camera.ts";
import { joinFeatures } from "../../../../../processing/progress/camera/features/view-features.ts";
import { FEATURE_COUNT } from "../../../../../processing/progress/camera/features/zone-features.ts";
import { mostWanted } from "../../../../../processing/progress/camera/model/most-wanted.ts";
import { NETWORK_COUNT } from "../../../../../processing/progress/camera/network/network-count.ts";

const numbers = (length: number, value: number) => new Float32Array(length).fill(value);

function view(name: string, byHand: number, byNetwork: number | undefined): ZoneView {
  const handMade = numbers(FEATURE_COUNT, byHand);
  return {
    capture_id: undefined,
    camera_id: undefined,
    zone_id: "z1" as WorkZoneId,
    image_sha256: name,
    taken_at: "2026-01-01T00:00:00.000Z",
    reference_sha256: undefined,
    features_version: byNetwork === undefined ? 1 : 2,
    features:
      byNetwork === undefined
        ? handMade
        : joinFeatures(handMade, numbers(NETWORK_COUNT, byNetwork)),
  };
}

const label = (of: ZoneView): ZoneLabel => ({
  ...of,
  id: `obs_${of.image_sha256}` as ObservationId,
  progress: 10,
  stage: undefined,
  labelled_by: "Ada",
  labelled_at: "2026-01-02T00:00:00.000Z",
  source: "calibration",
});

describe("the view whose label would teach most", () => {
  const views = [view("by hand", 9, 2), view("by network", 2, 9)];

  it("the view whose label would teach most is the farthest by the network where all have been through it", () => {
    const wanted = mostWanted(views, [label(view("l", 1, 1))], []);
    expect(wanted?.view.image_sha256).toBe("by network");
  });

  it("the view whose label would teach most is the farthest by the hand-made features while a label is older than the network", () => {
    const wanted = mostWanted(views, [label(view("l", 1, undefined))], []);
    expect(wanted?.view.image_sha256).toBe("by hand");
  });
});
