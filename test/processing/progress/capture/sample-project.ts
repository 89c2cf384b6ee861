import type { JobId, ProjectId } from "../../../../domain/ids.ts";
import type { Project } from "../../../../domain/project.ts";
import type { Capture, ZoneEstimate } from "../../../../domain/sites/capture.ts";
import type { WorkZone } from "../../../../domain/sites/work-zone.ts";
import type {
  AnalyserInput,
  CaptureAnalyser,
  CaptureFindings,
} from "../../../../processing/progress/analysis/analyser.ts";
import {
  type CaptureJobTools,
  type CaptureOutcome,
  createCaptureJob,
} from "../../../../processing/progress/capture/capture-job.ts";
import { captureJob } from "../../../../processing/progress/capture/capture-request.ts";
import type { CorrectionTools } from "../../../../processing/progress/report/correct-report.ts";
import type { Files } from "../../../../storage/open.ts";
import type { Job } from "../../../../storage/ports/platform/jobs.ts";
import { capture, workZone } from "../../../contracts/records/progress-rows.ts";
import { openMemoryFiles } from "../../../support/memory-files.ts";
import { type MemoryRecords, openMemoryRecords } from "../../../support/memory-records.ts";

/** Noon of a day of November 2026. */
export const day = (number: number) => `2026-11-${String(number).padStart(2, "0")}T12:00:00.000Z`;

/** A project from the 1st to the 20th of November: 5 % a day, so that noon of the 11th is at 52.5 %. */
const PROJECT: Project = {
  id: "p1" as ProjectId,
  name: "Bridge <north>",
  location: { latitude: 52.5, longitude: 13.4 },
  time_zone: "UTC",
  shift: { start: "00:00", end: "24:00" },
  planned_start: "2026-11-01",
  planned_finish: "2026-11-20",
  created_at: day(1),
  updated_at: day(1),
};

/** What an analyser finds in a capture of that day. */
export const findings = (
  date: number,
  estimates: readonly ZoneEstimate[],
  change: Partial<CaptureFindings> = {},
): CaptureFindings => ({
  captureDateMs: Date.parse(day(date)),
  images: [{ url: "https://images.example/1.jpg", status: "used" }],
  estimates,
  products: undefined,
  baselines: [],
  datum: undefined,
  views: [],
  moved: [],
  pictures: [],
  warnings: [],
  ...change,
});

/** A project in memory whose captures find what a test says. */
export interface SampleProject {
  readonly records: MemoryRecords;
  readonly files: Files["store"];
  readonly tools: CaptureJobTools & CorrectionTools;
  /** How often zones were drawn. */
  readonly drawn: { count: number };
  /** Stores a capture; `find` is called with each attempt. */
  add(
    id: string,
    find: (input: AnalyserInput) => CaptureFindings | Promise<CaptureFindings>,
    change?: Partial<Capture>,
  ): Promise<void>;
  /** One attempt at a capture's job. */
  attempt(id: string, change?: Partial<Job>, signal?: AbortSignal): Promise<CaptureOutcome>;
  /** Keys of all files, ascending. */
  keys(): Promise<readonly string[]>;
}

export async function sampleProject(
  zones: readonly WorkZone[] = [workZone("z1")],
  project: Partial<Project> = {},
): Promise<SampleProject> {
  const records = openMemoryRecords();
  const { store: files } = openMemoryFiles(Date.now, new Uint8Array(32));
  await records.projects.insert({ ...PROJECT, ...project });
  for (const zone of zones) await records.workZones.insert(zone);
  const finds = new Map<
    string,
    (input: AnalyserInput) => CaptureFindings | Promise<CaptureFindings>
  >();
  const drawn = { count: 0 };
  const analyser: CaptureAnalyser = {
    async analyse(input, { onProgress }) {
      onProgress("looking", 50);
      const find = finds.get(input.capture.id);
      if (find === undefined) throw new Error("no such capture");
      return await find(input);
    },
  };
  const tools: SampleProject["tools"] = {
    ...records,
    files,
    analysers: { drone: analyser, cctv: analyser, manual: analyser },
    async drawZonePlan() {
      drawn.count += 1;
      return { map: Uint8Array.of(drawn.count), model: Uint8Array.of(drawn.count) };
    },
  };
  const handler = createCaptureJob(tools);
  return {
    records,
    files,
    tools,
    drawn,
    async add(id, find, change = {}) {
      finds.set(id, find);
      await records.captures.insert(capture(id, change));
    },
    async attempt(id, change = {}, signal = new AbortController().signal) {
      const row = await records.captures.find(capture(id).id);
      const job: Job = {
        ...captureJob({ ...(row ?? capture(id)), job_id: `job_${id}` as JobId }, ["data:,"]),
        state: "running",
        attempts: 1,
        runner: "test",
        stage: "",
        progress: 0,
        cancelRequested: false,
        result: undefined,
        error: undefined,
        createdAtMs: 0,
        notBeforeMs: 0,
        startedAtMs: 0,
        finishedAtMs: undefined,
        ...change,
      };
      return (await handler(job, { signal, progress: () => undefined })) as CaptureOutcome;
    },
    async keys() {
      const keys: string[] = [];
      for await (const { key } of files.list("")) keys.push(key);
      return keys;
    },
  };
}
