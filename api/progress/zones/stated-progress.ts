import type { WorkZone } from "../../../domain/sites/work-zone.ts";
import { invalidParameter } from "../../validation/validation.ts";

/**
 * What a person says of a zone: a percent, or one of its stages.
 * @throws ParameterError for a stage that the zone does not have, and for neither stage nor progress.
 */
export function readProgress(
  {
    progress,
    stage: named,
  }: { readonly progress?: number | undefined; readonly stage?: string | undefined },
  { metric }: WorkZone,
): { readonly progress: number; readonly stage: string | undefined } {
  const stages = metric.kind === "stages" ? metric.stages : [];
  if (named === undefined) {
    if (progress === undefined) throw invalidParameter("progress", "is required");
    // JSON can say -0, and the stores need not keep it.
    return { progress: progress + 0, stage: stages.find((one) => one.credit === progress)?.name };
  }
  const stage = stages.find(({ name }) => name === named);
  if (stage === undefined) {
    const has =
      stages.length === 0
        ? `the zone's metric is ${metric.kind}, which has no stages`
        : `the zone has ${stages.map(({ name }) => name).join(", ")}`;
    throw invalidParameter("stage", `is not a stage of the zone: ${has}`);
  }
  if (progress !== undefined && progress !== stage.credit) {
    const message = `must be ${stage.credit}, the credit of the stage, or absent; not ${progress}`;
    throw invalidParameter("progress", message);
  }
  return { progress: stage.credit, stage: stage.name };
}
