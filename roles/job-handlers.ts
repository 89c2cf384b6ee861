import { createMeasureJob } from "../processing/measurement/measure-job.ts";
import { MEASURE_JOB } from "../processing/measurement/measure-request.ts";
import { createSurveyJob, SURVEY_JOB } from "../processing/survey/survey-job.ts";
import type { CreateJobHandlers } from "./processing.ts";

/** Every kind of job that this service works on. */
export const createJobHandlers: CreateJobHandlers = (tools) =>
  new Map([
    [SURVEY_JOB, createSurveyJob(tools)],
    [MEASURE_JOB, createMeasureJob(tools)],
  ]);
