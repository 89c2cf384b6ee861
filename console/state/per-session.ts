import { computed, type Signal, signal } from "@preact/signals";
import { session } from "../api/session-state.ts";

const sessionId = computed(() => {
  const { value } = session;
  return typeof value === "object" ? value.id : undefined;
});

/**
 * What a session sees: it goes back to its first value when the session ends or another one begins, so that the next
 * person in this tab is shown nothing of what the former key saw.
 */
export function perSession<T>(initial: T): Signal<T> {
  const kept = signal(initial);
  sessionId.subscribe(() => {
    kept.value = initial;
  });
  return kept;
}
