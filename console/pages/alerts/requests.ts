import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";
import { serviceNow } from "../../api/service-clock.ts";
import { type AlertChoice, filterOf } from "./choice.ts";

export type AlertMute = components["schemas"]["AlertMute"];
export type NewAlertMute = components["schemas"]["NewAlertMute"];

/** Requests of one acknowledgement: each takes 1,000 alerts; more than this is a loop without end. */
const MOST_REQUESTS = 100;

/** How many open alerts a choice means, and the time of that answer by the service's clock, ISO 8601. */
export interface MatchCount {
  readonly total: number;
  readonly readAt: string;
}

export const countMatching = (
  choice: AlertChoice,
  projectId: string | undefined,
): Promise<Outcome<MatchCount>> =>
  outcomeOf(
    api.GET("/api/v1/equipment/alerts", {
      params: { query: { ...filterOf(choice, projectId), status: ["open"], limit: 1 } },
    }),
    ({ pagination }, response) => ({
      total: pagination.total,
      readAt: new Date(
        Date.parse(response.headers.get("date") ?? "") || serviceNow(),
      ).toISOString(),
    }),
  );

/** Acknowledges alerts by their ids; how many it changed. */
export const acknowledgeIds = (
  ids: readonly string[],
  note: string,
  key: string,
): Promise<Outcome<number>> =>
  outcomeOf(
    api.POST("/api/v1/equipment/alerts/acknowledge", {
      params: { header: { "Idempotency-Key": key } },
      body: { alert_ids: [...ids], ...(note === "" ? {} : { note }) },
    }),
    ({ acknowledged }) => acknowledged.length,
  );

/**
 * Acknowledges all open alerts that a choice means and that opened until `readAt`; how many that were.
 * @param key of the whole: the requests that it takes have keys of it, so that a repetition goes on where it ended
 */
export async function acknowledgeMatching(
  choice: AlertChoice,
  projectId: string | undefined,
  readAt: string,
  note: string,
  key: string,
): Promise<Outcome<number>> {
  const body = {
    filter: { ...filterOf(choice, projectId), to: readAt },
    ...(note === "" ? {} : { note }),
  };
  let count = 0;
  for (let request = 0; request < MOST_REQUESTS; request += 1) {
    const outcome = await outcomeOf(
      api.POST("/api/v1/equipment/alerts/acknowledge", {
        params: { header: { "Idempotency-Key": `${key}-${request}` } },
        body,
      }),
    );
    if ("failure" in outcome) return outcome;
    count += outcome.value.acknowledged.length;
    if (!outcome.value.has_more) break;
  }
  return { value: count };
}

/** Most mutes of a page; a key that has more sees the newest. */
const MUTES = 100;

/** Mutes in force, newest first. */
export const readMutes = (projectId: string | undefined): Promise<Outcome<readonly AlertMute[]>> =>
  outcomeOf(
    api.GET("/api/v1/equipment/alert-mutes", {
      params: {
        query: { limit: MUTES, ...(projectId === undefined ? {} : { project_id: projectId }) },
      },
    }),
    ({ data }) => data,
  );

export const createMute = (body: NewAlertMute, key: string): Promise<Outcome<AlertMute>> =>
  outcomeOf<AlertMute>(
    api.POST("/api/v1/equipment/alert-mutes", {
      params: { header: { "Idempotency-Key": key } },
      body,
    }),
  );

export const endMute = (id: string): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(
    api.DELETE("/api/v1/equipment/alert-mutes/{mute_id}", { params: { path: { mute_id: id } } }),
  );
