import { signal } from "@preact/signals";
import type { components } from "../../client/index.ts";
import { forgetEarly } from "./early-answers.ts";

/** The session of this browser, and what its key may do. */
export type Session = components["schemas"]["OwnSession"];
type Scope = Session["scopes"][number];

/** `unknown` until the service has said; `ended`: there was one, and the page goes on after a log-in. */
export const session = signal<Session | "unknown" | "none" | "ended">("unknown");

/** The service did not accept the cookie. */
export function signedOut(): void {
  forgetEarly();
  session.value = typeof session.peek() === "object" ? "ended" : "none";
}

/** Whether the key has a scope; what it may not do is not shown as a button. */
export function may(scope: Scope): boolean {
  const { value } = session;
  return typeof value === "object" && value.scopes.includes(scope);
}

/** Whether the key sees every project, also later ones. */
export function seesEveryProject(): boolean {
  const { value } = session;
  return typeof value === "object" && value.project_ids === undefined;
}
