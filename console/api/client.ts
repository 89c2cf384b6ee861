import { createPlumblineClient } from "../../client/index.ts";
import { takeEarly } from "./early-answers.ts";
import { sendPatiently } from "./patience.ts";
import { compareClocks } from "./service-clock.ts";
import { signedOut } from "./session-state.ts";

/**
 * The API of the service that this page came from, with the session's cookie. An answer of 401 ends the session here
 * too, and the page shows the log-in.
 */
export const api = createPlumblineClient({
  baseUrl: location.origin,
  async fetch(request) {
    // Says that the request comes from the console: a form of another page cannot add it.
    request.headers.set("x-plumbline-console", "1");
    const response = await sendPatiently(request, (one) => takeEarly(one) ?? fetch(one));
    compareClocks(response);
    if (response.status === 401) signedOut();
    return response;
  },
});
