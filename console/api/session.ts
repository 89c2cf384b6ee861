import { api } from "./client.ts";
import { type Failure, failureOf, NO_ANSWER } from "./failure.ts";
import { session, signedOut } from "./session-state.ts";

const KEY = "#key=";

/** Takes a key out of the address, where servers and their logs never see it; it does not stay there. */
export function takeKeyFromAddress(): string | undefined {
  if (!location.hash.startsWith(KEY)) return undefined;
  const key = decodeKey(location.hash.slice(KEY.length));
  history.replaceState(null, "", location.pathname + location.search);
  return key;
}

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Logs in; yields what went wrong, if anything did. */
export async function logIn(key: string): Promise<Failure | undefined> {
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
  await api.DELETE("/api/v1/session").catch(() => undefined);
  session.value = "none";
}
