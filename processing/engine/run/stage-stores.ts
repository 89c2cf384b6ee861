import { BOUNDLESS_DISK, type DiskSpace } from "../../../storage/disk/disk-space.ts";
import { openStageStore, type StageStore } from "./stage-store.ts";

/** Stores of finished stages of this process: one for each folder, so that jobs wait for each other. */
export interface StageStores {
  open(dir: string): Promise<StageStore>;
}

/** `disk` admits what is stored. */
export function createStageStores(disk: DiskSpace = BOUNDLESS_DISK): StageStores {
  const stores = new Map<string, Promise<StageStore>>();
  return {
    async open(dir) {
      const opened = stores.get(dir) ?? openStageStore(dir, disk);
      stores.set(dir, opened);
      try {
        return await opened;
      } catch (error) {
        stores.delete(dir);
        throw error;
      }
    },
  };
}
