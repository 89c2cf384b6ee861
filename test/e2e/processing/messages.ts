import type { Job } from "../../../storage/ports/platform/jobs.ts";

/** Input of a job of these tests. */
export interface SurveyLike {
  readonly seed: string;
  /** How long one tile takes, ms. */
  readonly busyMs: number;
  readonly deed?: "works" | "never ends";
  /** The first tile of every stage ends its thread the first time. */
  readonly killThreads?: boolean;
}

export type ToWorker =
  | { readonly kind: "add"; readonly id: string; readonly input: SurveyLike }
  | { readonly kind: "cancel"; readonly id: string }
  | { readonly kind: "find"; readonly id: string }
  | { readonly kind: "stop" };

export type FromWorker =
  | { readonly kind: "ready" }
  /** A stage is worked out, and was not found finished. */
  | { readonly kind: "stage"; readonly name: string }
  | { readonly kind: "job"; readonly job: Job };
