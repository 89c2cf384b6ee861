import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { type AssetTrack, newAssetTrack } from "../track/asset-track.ts";
import type { AssetState, LiveAssets } from "./asset-state.ts";
import { viewOf } from "./track-view.ts";

/** The tracks of all assets, owned by the pipeline, with the read side that the API sees. */
export interface AssetTracks extends LiveAssets {
  /** The track of an asset, made at its first reading. */
  track(assetId: AssetId, projectId: ProjectId): AssetTrack;
  find(assetId: AssetId): AssetTrack | undefined;
  /** Takes a stored track in; at start only. */
  restore(track: AssetTrack): void;
  /** Says that a track was changed: its view is made again at the next read. */
  touch(track: AssetTrack): void;
  /** May be walked through more than once. */
  all(): Iterable<AssetTrack>;
  /** Tracks with late readings that wait for a re-run. */
  late(): Iterable<AssetTrack>;
}

export function createAssetTracks(): AssetTracks {
  const tracks = new Map<AssetId, AssetTrack>();
  /** What was returned since the last change; `undefined`: that there is no track yet. */
  const views = new Map<AssetId, AssetState | undefined>();
  const late = new Set<AssetTrack>();
  const listeners: ((assetId: AssetId) => void)[] = [];

  function noteLate(track: AssetTrack): void {
    if (Number.isFinite(track.lateFromMs)) late.add(track);
    else late.delete(track);
  }

  return {
    track(assetId, projectId) {
      let track = tracks.get(assetId);
      if (track === undefined) {
        track = newAssetTrack(assetId, projectId);
        tracks.set(assetId, track);
      }
      return track;
    },
    find: (assetId) => tracks.get(assetId),
    restore(track) {
      tracks.set(track.assetId, track);
      noteLate(track);
    },
    touch(track) {
      noteLate(track);
      // The first change since the last read; more changes before the next read add nothing.
      if (views.delete(track.assetId)) for (const listener of listeners) listener(track.assetId);
    },
    all: () => ({ [Symbol.iterator]: () => tracks.values() }),
    late: () => late.values(),
    state(assetId) {
      const view = views.get(assetId);
      if (view !== undefined) return view;
      const track = tracks.get(assetId);
      const made = track && viewOf(track);
      // Also that there is none: a reader of that has to hear of the first reading.
      views.set(assetId, made);
      return made;
    },
    onChange(listener) {
      listeners.push(listener);
    },
  };
}
