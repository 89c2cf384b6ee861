import { expect, test } from "vitest";
import type { WorkZone } from "../../../../domain/sites/work-zone.ts";
import { zoneTask } from "../../../../processing/progress/analysis/zone-task.ts";
import { workZone } from "../../../contracts/records/progress-rows.ts";

const fill = workZone("z1", {
  metric: { kind: "fill" },
  polygon: [
    [13, 52],
    [13.001, 52],
    [13.001, 52.001],
    [13, 52],
  ],
  design: { kind: "level", height_m: 3, reference: "baseline" },
});
const changed = (change: Partial<WorkZone>) => zoneTask({ ...fill, ...change }) !== zoneTask(fill);

test("the task of a zone of surfaces is its metric, outline, baseline and design, and nothing else", () => {
  expect(changed({ design: { kind: "level", height_m: 6, reference: "baseline" } })).toBe(true);
  expect(changed({ baseline: { kind: "raster", surface_key: "zones/z1/baseline/a.tif" } })).toBe(
    true,
  );
  expect(changed({ metric: { kind: "fill", tolerance_m: 0.2 } })).toBe(true);
  expect(changed({ polygon: undefined })).toBe(true);
  expect(changed({ name: "Renamed", weight: 9, declared_progress: 30 })).toBe(false);
});

test("the task of a zone of images is its metric alone", () => {
  const image = { ...fill, metric: { kind: "image" } as const };
  expect(zoneTask({ ...image, polygon: undefined })).toBe(zoneTask(image));
  const stages = (credit: number) => ({
    kind: "stages" as const,
    stages: [
      { name: "framing", credit },
      { name: "paint", credit: 100 },
    ],
  });
  expect(zoneTask({ ...image, metric: stages(20) })).not.toBe(
    zoneTask({ ...image, metric: stages(30) }),
  );
});
