import type { RunTask } from "../../api/dependencies/dependencies.ts";
import { measureVolume } from "../../processing/measurement/surface/measure-volume.ts";
import { MEASURE_STORED } from "../../processing/measurement/surface/tasks.ts";
import { heapInput } from "./heap-survey.ts";

/** What the tasks of the routes that {@link POST_ROUTES} asks would yield, without a thread. */
export const runPostTask = (async (task: { readonly name: string }) =>
  task.name === MEASURE_STORED.name
    ? measureVolume(heapInput()).figures
    : { map: Buffer.from("a map"), model: Buffer.from("a model") }) as RunTask;
