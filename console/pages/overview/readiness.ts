import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { failureOf, NO_ANSWER } from "../../api/failure.ts";
import type { Outcome } from "../../api/outcome.ts";

/** What the service says of itself; whoever reaches it may ask. */
export type Readiness = components["schemas"]["Readiness"];

/** Asks whether the service takes, stores and answers. "Not ready" (503) is an answer like any other. */
export async function readReadiness(): Promise<Outcome<Readiness>> {
  try {
    const { data, error, response } = await api.GET("/health/ready");
    const said = data ?? error;
    // A proxy in between answers 503 too, with a page of its own.
    return Array.isArray(said?.reasons) ? { value: said } : { failure: failureOf(error, response) };
  } catch {
    return { failure: NO_ANSWER };
  }
}
