import { expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { SharedFences } from "../../../ingest/partitions/shared-fences.ts";
import { fixedFences } from "../../support/fixed-fences.ts";

/** A directory that learns what it is told. */
function openFences() {
  let changes: number[] = [];
  let newAssets: AssetId[] = [];
  let notify: () => void = () => undefined;
  const take = <T>(of: T[]): T[] => of.splice(0, of.length);
  return {
    directory: {
      ...fixedFences(),
      takeChanges: () => take(changes),
      takeNewAssets: () => take(newAssets),
      onChange(listener: () => void) {
        notify = listener;
        return () => undefined;
      },
    },
    learn(atMs: readonly number[], ids: readonly string[] = [], isSilent = false): void {
      changes = [...changes, ...atMs];
      newAssets = [...newAssets, ...(ids as readonly AssetId[])];
      if (!isSilent) notify();
    },
  };
}

it("every view of a fence directory learns of every change, once", () => {
  const { directory, learn } = openFences();
  const shared = new SharedFences(directory);
  const [a, b] = [shared.openView(), shared.openView()];
  learn([7, 3], ["a1"]);
  learn([3, 9]);
  expect(a.takeChanges()).toEqual([3, 7, 9]);
  expect(a.takeChanges()).toEqual([]);
  expect(a.takeNewAssets()).toEqual(["a1"]);
  learn([11]);
  expect(a.takeChanges()).toEqual([11]);
  expect(b.takeChanges()).toEqual([3, 7, 9, 11]);
  expect(b.takeNewAssets()).toEqual(["a1"]);
});

it("a view begins with what comes after it, and is told of nothing after its end", () => {
  const { directory, learn } = openFences();
  const shared = new SharedFences(directory);
  learn([1], [], true);
  const view = shared.openView();
  let calls = 0;
  const unfollow = view.onChange(() => {
    calls += 1;
  });
  learn([2]);
  expect([view.takeChanges(), calls]).toEqual([[2], 1]);
  unfollow();
  learn([3]);
  expect([view.takeChanges(), calls]).toEqual([[3], 1]);
  view.end();
  learn([4]);
  expect(view.takeChanges()).toEqual([]);
});
