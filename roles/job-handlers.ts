import type { CreateJobHandlers } from "./processing.ts";

/** Every kind of job that this service works on; what it is not asked for by any route is not here. */
export const createJobHandlers: CreateJobHandlers = () => new Map();
