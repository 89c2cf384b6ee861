import { effect, type Signal } from "@preact/signals";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { fenceFeatures, type MachineFeature } from "../../map/features.ts";
import { gapFeatures, lateFeatures, placeFeatures, runFeatures } from "../../map/track-features.ts";
import { type TrackDrawing, TrackMap } from "../../map/track-map.ts";
import { MapFrame } from "../../parts/map-frame.tsx";
import { baseMap } from "../../state/base-map.ts";
import { fences, readFences } from "../../state/fences.ts";
import { theme } from "../../state/preferences.ts";
import { projectId } from "../../state/project.ts";
import { momentAt, timeNear } from "../../track/moment.ts";
import type { Track } from "../../track/track.ts";
import { crossingLabel } from "./fence-words.ts";

interface TrackPaneProps {
  readonly tracks: readonly Track[];
  readonly at: Signal<number | undefined>;
  /** Machine that the map keeps in its middle. */
  readonly followed: Signal<string | undefined>;
}

/** The map with lines and with the machines where they were. It follows the state without being rendered again. */
export function TrackPane({ tracks, at, followed }: TrackPaneProps) {
  function open(container: HTMLElement) {
    const drawn = new TrackMap({
      container,
      theme: theme.peek(),
      base: baseMap.peek(),
      drawing: drawingOf(tracks),
      zoomIn: t("map.zoom_in"),
      zoomOut: t("map.zoom_out"),
      onPoint(place, where) {
        const track = tracks[place];
        const ms = track === undefined ? undefined : timeNear(track, where, at.peek() ?? 0);
        if (ms !== undefined) at.value = ms;
      },
      onChoose(ms) {
        at.value = ms;
      },
      onMove() {
        followed.value = undefined;
      },
    });
    const ends = [
      effect(() => void readFences(projectId.value)),
      effect(() => drawn.setTheme(theme.value)),
      effect(() => drawn.setFences(fenceFeatures(fences.value))),
      // Names of fences and the person's language and units are in the labels.
      effect(() => drawn.setDrawing(drawingOf(tracks))),
      effect(() => {
        const ms = at.value ?? 0;
        const machines = tracks.flatMap((track) => machineAt(track, ms) ?? []);
        drawn.setMachines(machines);
        const [longitude, latitude] =
          machines.find(({ id }) => id === followed.value)?.geometry.coordinates ?? [];
        if (longitude !== undefined && latitude !== undefined) {
          drawn.centre({ longitude, latitude });
        }
      }),
    ];
    return { map: drawn, ends };
  }

  return <MapFrame label={t("track.map")} all={t("track.show_all")} subject={tracks} open={open} />;
}

function drawingOf(tracks: readonly Track[]): TrackDrawing {
  const late = (mostMs: number) => t("track.late_label", { delay: show.span(mostMs) });
  const words = { duration: show.span, crossing: crossingLabel, late };
  return {
    runs: runFeatures(tracks),
    gaps: gapFeatures(tracks, words),
    places: placeFeatures(tracks, words),
    late: lateFeatures(tracks, words),
    trackCount: tracks.length,
    bounds: tracks.flatMap(({ points }) => points),
  };
}

/** A machine where it was: an arrow where it moved and said where to, dashed where nothing was heard of it. */
function machineAt(track: Track, ms: number): MachineFeature | undefined {
  const { id, name } = track;
  const moment = momentAt(track, ms);
  if (moment.kind === "unknown") return undefined;
  const isKnown = moment.kind === "known";
  const { longitude, latitude } = isKnown ? moment : moment.point;
  const heading = isKnown && moment.stop === undefined ? moment.heading : undefined;
  const look = isKnown ? (heading === undefined ? "active-still" : "active") : "stale";
  return {
    type: "Feature",
    id,
    properties: { id, name, look, turn: heading ?? 0 },
    geometry: { type: "Point", coordinates: [longitude, latitude] },
  };
}
