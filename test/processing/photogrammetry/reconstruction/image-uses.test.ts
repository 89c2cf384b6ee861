import { expect, it } from "vitest";
import { namingUses } from "../../../../processing/engine/run/naming-uses.ts";
import { type GateFinding, GateRefusal } from "../../../../processing/gates/gates.ts";
import { imageUses } from "../../../../processing/photogrammetry/reconstruction/image-uses.ts";
import { errorOf, failureOf } from "../../../../processing/pool/task-result.ts";
import { smallSurvey } from "../products/small-survey.ts";

const { images } = smallSurvey("yard", ["A.JPG", "B.JPG", "B.JPG", "C.JPG", "D.JPG"]);
const finding = (gate: GateFinding["gate"], names: readonly string[]): GateFinding => ({
  ...{ gate, severity: "warn", value: 1, threshold: 0, unit: "images", advice: "", images: names },
});

it("of two files of one name the second is the copy, and the first is what it is", () => {
  const findings = [finding("DUPLICATE_IMAGES", ["B.JPG"]), finding("LOW_SHARPNESS", ["A.JPG"])];
  const cameras = [{ image: 3 }] as never;
  const uses = imageUses(images, ["E.JPG is damaged"], findings, { cameras });
  expect(uses.map(({ name, use }) => `${name} ${use}`)).toEqual([
    "A.JPG blurred",
    "B.JPG not_oriented",
    "B.JPG duplicate",
    "C.JPG used",
    "D.JPG not_oriented",
    "E.JPG unreadable",
  ]);
  for (const { use, reason } of uses) expect(reason === undefined).toBe(use === "used");
});

it("a refusal lists every image, also behind a thread and in the details of a job", async () => {
  const refusal = new GateRefusal(finding("TOO_FEW_IMAGES", []), [finding("LENS_CAP", ["D.JPG"])]);
  const work = namingUses({ images, refused: [] }, () => Promise.reject(refusal));
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof GateRefusal)) throw new Error("it was not refused");
  const again = errorOf(failureOf(error));
  expect(again instanceof GateRefusal && again.uses.map(({ use }) => use)).toEqual([
    ...["not_reached", "not_reached", "not_reached", "not_reached", "one_tone"],
  ]);
});

it("an engine that does not say which images it used leaves none out", () => {
  expect(imageUses(images, [], [], undefined).every(({ use }) => use === "used")).toBe(true);
});
