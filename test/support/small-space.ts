import { type DiskSpace, openDiskSpace } from "../../storage/disk/disk-space.ts";

/** An admission with so many bytes above its line; `state.aboveBytes` changes that. */
export function smallSpace(aboveBytes: number): {
  readonly disk: DiskSpace;
  readonly state: { aboveBytes: number };
} {
  const state = { aboveBytes };
  const disk = openDiskSpace({
    dir: ".",
    minFreeBytes: 0,
    marginBytes: 0,
    space: () => ({ freeBytes: state.aboveBytes, totalBytes: 2 ** 40 }),
  });
  return { disk, state };
}
