import { openStageStore, type StageStore } from "./stage-store.ts";

/** Stores of finished stages of this process: one for each folder, so that jobs wait for each other. */
export interface StageStores {
  open(dir: string): Promise<StageStore>;
}

export function createStageStores(): StageStores {
  const stores = new Map<string, Promise<StageStore>>();
  return {
    async open(dir) {
      const opened = stores.get(dir) ?? openStageStore(dir);
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
