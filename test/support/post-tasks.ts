import type { RunTask } from "../../api/dependencies/dependencies.ts";
import { READ_RASTERS } from "../../processing/engine/raster/tasks.ts";
import { measureVolume } from "../../processing/measurement/surface/measure-volume.ts";
import { MEASURE_STORED } from "../../processing/measurement/surface/tasks.ts";
import { heapInput, heapSurvey } from "./heap-survey.ts";

/** What the tasks of the routes that {@link POST_ROUTES} asks would yield, without a thread. */
export const runPostTask = (async (task: { readonly name: string }) => {
  if (task.name === READ_RASTERS.name) return { ...heapSurvey(), isUnitStated: true, findings: [] };
  if (task.name === MEASURE_STORED.name) return measureVolume(heapInput()).figures;
  return { map: Buffer.from("a map"), model: Buffer.from("a model") };
}) as RunTask;
