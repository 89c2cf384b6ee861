import { signal } from "@preact/signals";

/** The time by this browser's clock, ms since the Unix epoch, once a second: ages count on without any message. */
export const now = signal(Date.now());

setInterval(() => {
  // A page in the background needs no ages; it gets the right ones within a second of its return.
  if (document.visibilityState === "visible") now.value = Date.now();
}, 1_000);
