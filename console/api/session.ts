import { api } from "./client.ts";
import { forgetEarly } from "./early-answers.ts";
import { type Failure, failureOf, NO_ANSWER } from "./failure.ts";
import { session, signedOut } from "./session-state.ts";

/** Logs in; yields what went wrong, if anything did. */
export async function logIn(key: string): Promise<Failure | undefined> {
  forgetEarly();
  try {
    const { error, response } = await api.POST("/api/v1/session", { body: { key } });
    return error === undefined ? await readSession() : failureOf(error, response);
  } catch {
    return NO_ANSWER;
  }
}

/** Asks the service whose session this is. */
export async function readSession(): Promise<Failure | undefined> {
  try {
    const { data, error, response } = await api.GET("/api/v1/session");
    if (data !== undefined) session.value = data;
    // 404: a request without a session.
    else if (response.status === 404) signedOut();
    else if (response.status !== 401) return failureOf(error, response);
    return undefined;
  } catch {
    return NO_ANSWER;
  }
}

/** Ends the session at the service, then here. */
export async function logOut(): Promise<void> {
  forgetEarly();
  await api.DELETE("/api/v1/session").catch(() => undefined);
  session.value = "none";
}
