import type { SiteCamera, ZoneLabel, ZoneView } from "../../../../domain/sites/site-camera.ts";
import { featurePart, hasNetworkPart } from "../features/view-features.ts";
import { isCounting } from "./counting-labels.ts";
import { nearestDistance } from "./novelty.ts";
import { scaleOf } from "./ridge.ts";

/** A view whose label would teach most, and why. */
export interface WantedView {
  readonly view: ZoneView;
  readonly reason: string;
}

/**
 * Of unlabelled views, the one that is farthest from all labelled views of its camera: there intervals are
 * widest, and nothing is known. Where a camera has no labels that count, its newest view goes before all
 * others. Views that no model compares any more are left out.
 */
export function mostWanted(
  views: readonly ZoneView[],
  labels: readonly ZoneLabel[],
  cameras: readonly SiteCamera[],
): WantedView | undefined {
  const cameraOf = (view: ZoneView) => cameras.find(({ id }) => id === view.camera_id);
  const useful = views.filter((view) => {
    const camera = cameraOf(view);
    const isThere = view.camera_id === undefined || camera?.state === "active";
    return isThere && isCounting(view, camera);
  });
  const byCamera = new Set(useful.map(({ camera_id }) => camera_id));
  let best: { readonly view: ZoneView; readonly distance: number } | undefined;
  for (const cameraId of byCamera) {
    const mine = useful.filter(({ camera_id }) => camera_id === cameraId);
    const known = labels.filter((label) => {
      return label.camera_id === cameraId && isCounting(label, cameraOf(label));
    });
    const newest = mine.at(-1);
    if (known.length === 0 && newest !== undefined) {
      return { view: newest, reason: "Nothing of this view was labelled so far" };
    }
    const all = [...known, ...mine];
    // Of several versions they have but the hand-made part in common.
    const areDescribed = all.every(({ features }) => hasNetworkPart(features));
    const partOf = ({ features }: ZoneView) =>
      featurePart(features, areDescribed ? "network" : "hand_made");
    // Spread of all that is there: one label alone has none.
    const scale = scaleOf(all.map(partOf));
    const labelled = known.map((label) => scale(partOf(label)));
    for (const view of mine) {
      const distance = nearestDistance(labelled, scale(partOf(view)));
      if (distance > (best?.distance ?? -1)) best = { view, distance };
    }
  }
  return best && { view: best.view, reason: "It is the least like all that was labelled" };
}
