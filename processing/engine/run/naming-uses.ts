import { GateRefusal } from "../../gates/gates.ts";
import { imageUses } from "../../photogrammetry/reconstruction/image-uses.ts";
import type { ReadSurvey } from "./read-survey.ts";

/** Runs work on a survey's images; a refusal lists each of them with what became of it until then. */
export async function namingUses<T>(
  { images, refused }: Pick<ReadSurvey, "images" | "refused">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GateRefusal)) throw error;
    const { finding, others } = error;
    const uses = imageUses(images, refused, [finding, ...others], { refusedBy: finding.gate });
    throw new GateRefusal(finding, others, uses);
  }
}
