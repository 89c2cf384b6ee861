import { readFile } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { ApiKeyId, ProjectId, ScheduleId } from "../../domain/ids.ts";
import {
  makeSchedule,
  readSchedule,
} from "../../processing/progress/schedule/read/read-schedule.ts";
import { schedulePlan } from "../../processing/progress/schedule/schedule-plan.ts";

/** What one file took; sent to the process that forked this one. */
export interface ReadFigures {
  readonly tasks: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMib: number;
  readonly stallMs: number;
  readonly plannedMs: number;
}

const DATES = 100;

const content = await readFile(process.argv[2] ?? "");
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const startedMs = performance.now();
const startedCpu = process.cpuUsage();
const draft = await readSchedule(content);
const seconds = (performance.now() - startedMs) / 1_000;
const { user, system } = process.cpuUsage(startedCpu);
const peakMib = process.resourceUsage().maxRSS / 1_024;
delay.disable();
const schedule = makeSchedule(draft, {
  id: "sch_bench" as ScheduleId,
  project_id: "bench" as ProjectId,
  revision: 1,
  sha256: "",
  imported_by: "bench" as ApiKeyId,
  imported_at: "2026-01-01T00:00:00.000Z",
});
const plan = schedulePlan(schedule, [], "Europe/Berlin");
const plannedFromMs = performance.now();
for (let i = 0; i < DATES; i++) {
  plan.plannedPercent(plan.startMs + (i / DATES) * (plan.finishMs - plan.startMs));
}
const figures: ReadFigures = {
  tasks: draft.tasks.length,
  seconds,
  cpuSeconds: (user + system) / 1e6,
  peakMib,
  stallMs: delay.max / 1e6,
  plannedMs: performance.now() - plannedFromMs,
};
process.send?.(figures);
process.disconnect();
