import type { AssetId } from "../../domain/ids.ts";
import type { FenceDirectory } from "../directories/fence-directory.ts";

/** A fence directory as one of several pipelines has it: what was learned waits until it takes it. */
export interface FenceView extends FenceDirectory {
  /** Forgets it: nothing is kept for it any more. */
  end(): void;
}

interface Waiting {
  changes: number[];
  newAssets: AssetId[];
  readonly listeners: Set<() => void>;
}

/** Lets several pipelines of one process follow one fence directory: each learns of every change. */
export class SharedFences {
  readonly #fences: FenceDirectory;
  readonly #views = new Set<Waiting>();

  constructor(fences: FenceDirectory) {
    this.#fences = fences;
    fences.onChange(() => this.#spread());
  }

  /** Knows all there is; keeps what is learned from now on. */
  openView(): FenceView {
    const fences = this.#fences;
    const waiting: Waiting = { changes: [], newAssets: [], listeners: new Set() };
    // What came before is known to the view.
    this.#spread();
    this.#views.add(waiting);
    return {
      timeline: fences.timeline,
      find: (id) => fences.find(id),
      get seen() {
        return fences.seen;
      },
      changedAfter: (seen) => fences.changedAfter(seen),
      takeChanges() {
        const taken = [...new Set(waiting.changes)].sort((a, b) => a - b);
        waiting.changes = [];
        return taken;
      },
      takeNewAssets() {
        const taken = waiting.newAssets;
        waiting.newAssets = [];
        return taken;
      },
      onChange(listener) {
        waiting.listeners.add(listener);
        return () => waiting.listeners.delete(listener);
      },
      refresh: () => fences.refresh(),
      // The directory outlives its views.
      close: () => undefined,
      end: () => void this.#views.delete(waiting),
    };
  }

  #spread(): void {
    const changes = this.#fences.takeChanges();
    const newAssets = this.#fences.takeNewAssets();
    for (const view of this.#views) {
      view.changes.push(...changes);
      view.newAssets.push(...newAssets);
    }
    for (const { listeners } of [...this.#views]) for (const listener of [...listeners]) listener();
  }
}
