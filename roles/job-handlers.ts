import { createMeasureJob } from "../processing/measurement/measure-job.ts";
import { MEASURE_JOB } from "../processing/measurement/measure-request.ts";
import { createCameraAnalyser } from "../processing/progress/camera/camera-analyser.ts";
import { createLabelJob } from "../processing/progress/camera/label-job.ts";
import { LABEL_JOB } from "../processing/progress/camera/label-request.ts";
import { createCaptureJob } from "../processing/progress/capture/capture-job.ts";
import { CAPTURE_JOB } from "../processing/progress/capture/capture-request.ts";
import { createFlightAnalyser } from "../processing/progress/flight/flight-analyser.ts";
import { DRAW_ZONE_PLAN } from "../processing/progress/report/zone-plan/tasks.ts";
import { createSurveyJob, SURVEY_JOB } from "../processing/survey/survey-job.ts";
import type { CreateJobHandlers } from "./processing.ts";

/** Every kind of job that this service works on. */
export const createJobHandlers: CreateJobHandlers = (tools) => {
  const { engines } = tools;
  const cameras = createCameraAnalyser({ ...tools, pool: engines });
  return new Map([
    [SURVEY_JOB, createSurveyJob(tools)],
    [MEASURE_JOB, createMeasureJob(tools)],
    [LABEL_JOB, createLabelJob({ ...tools, pool: engines })],
    [
      CAPTURE_JOB,
      createCaptureJob({
        ...tools,
        analysers: { drone: createFlightAnalyser(tools), cctv: cameras, manual: cameras },
        drawZonePlan: (input, signal) => engines.run(DRAW_ZONE_PLAN, input, signal),
      }),
    ],
  ]);
};
