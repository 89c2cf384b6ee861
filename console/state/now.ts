import { signal } from "@preact/signals";
import { clockOffsetMs, serviceNow } from "../api/service-clock.ts";

/** The time by the service's clock, ms since the Unix epoch, once a second: ages count on without any message. */
export const now = signal(serviceNow());

const tick = () => {
  // A page in the background needs no ages; it gets the right ones within a second of its return.
  if (document.visibilityState === "visible") now.value = serviceNow();
};
setInterval(tick, 1_000);
clockOffsetMs.subscribe(tick);
