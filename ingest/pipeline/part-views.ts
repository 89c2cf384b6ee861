import type { AssetDirectory, AssetEntry } from "../directories/asset-directory.ts";
import type { KnownAssets, StageOutput } from "../stages/stage.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import type { Part, Territory } from "./territory.ts";

/** One part of the territory with the assets that belong to it now. */
export interface PartView {
  readonly part: Part;
  /** May be walked through more than once. */
  readonly tracks: Iterable<AssetTrack>;
  /** Knows the assets of the part only. */
  readonly directory: KnownAssets;
  readonly output: StageOutput;
}

/** Every part with its assets; an asset belongs where its project does, a deleted one where it was last. */
export function partViews(
  territory: Territory,
  tracks: Iterable<AssetTrack>,
  directory: KnownAssets,
  output: StageOutput,
): readonly PartView[] {
  const [first, ...others] = territory.parts;
  if (territory.node === undefined) {
    return first === undefined || others.length > 0
      ? []
      : [{ part: first, tracks, directory, output }];
  }
  const entriesOf = new Map<Part, AssetEntry[]>(territory.parts.map((part) => [part, []]));
  for (const entry of directory.entries()) {
    const part = territory.partOf(entry.project.id);
    if (part !== undefined) entriesOf.get(part)?.push(entry);
  }
  const tracksOf = tracksByPart(territory, tracks, directory);
  return territory.parts.map((part) => ({
    part,
    tracks: tracksOf.get(part) ?? [],
    directory: directoryOf(part, entriesOf.get(part) ?? [], territory, directory),
    output: outputOf(part, output),
  }));
}

/** The tracks of each part. */
export function tracksByPart(
  territory: Territory,
  tracks: Iterable<AssetTrack>,
  directory: Pick<AssetDirectory, "find">,
): ReadonlyMap<Part, readonly AssetTrack[]> {
  const byPart = new Map<Part, AssetTrack[]>(territory.parts.map((part) => [part, []]));
  for (const track of tracks) {
    const projectId = directory.find(track.assetId)?.project.id ?? track.projectId;
    const part = territory.partOf(projectId);
    if (part !== undefined) byPart.get(part)?.push(track);
  }
  return byPart;
}

function directoryOf(
  part: Part,
  entries: readonly AssetEntry[],
  territory: Territory,
  directory: KnownAssets,
): KnownAssets {
  return {
    project: (projectId) => directory.project(projectId),
    entries: () => entries,
    find(assetId) {
      const entry = directory.find(assetId);
      return entry !== undefined && territory.partOf(entry.project.id) === part ? entry : undefined;
    },
  };
}

const outputOf = ({ prefix }: Part, output: StageOutput): StageOutput => ({
  ...output,
  share: (name, state) => output.share(prefix + name, state),
});
