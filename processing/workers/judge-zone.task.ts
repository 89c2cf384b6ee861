import {
  type JudgeZoneInput,
  judgeZone,
  type ZoneJudgement,
} from "../progress/camera/judge-zone.ts";

import { settle, type TaskResult } from "./contract.ts";

/** Worker entry: what the views of one zone say. */
export function run(input: JudgeZoneInput): Promise<TaskResult<ZoneJudgement>> {
  return settle(() => judgeZone(input));
}
