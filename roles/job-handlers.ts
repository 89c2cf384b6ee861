import { createNodeOdmClient } from "../processing/engine/nodeodm/client.ts";
import { createStageStores } from "../processing/engine/stage-stores.ts";
import { createSurveyJob, SURVEY_JOB } from "../processing/survey/survey-job.ts";
import type { CreateJobHandlers } from "./processing.ts";

/** Every kind of job that this service works on. */
export const createJobHandlers: CreateJobHandlers = ({ settings, ...tools }) => {
  const { nodeodmUrl, nodeodmToken } = settings;
  const nodeOdm =
    nodeodmUrl === undefined ? undefined : createNodeOdmClient(nodeodmUrl, nodeodmToken);
  const stages = createStageStores();
  return new Map([[SURVEY_JOB, createSurveyJob({ ...tools, nodeOdm, stages })]]);
};
