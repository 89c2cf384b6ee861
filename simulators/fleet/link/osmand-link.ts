import { Agent, type ClientRequest, get } from "node:http";
import type { DeviceLink, LinkOptions } from "./device-link.ts";
import { OneByOne } from "./one-by-one.ts";

export interface OsmandLinkOptions extends LinkOptions {
  readonly host: string;
  readonly port: number;
}

/** Longest wait for an answer before the request is made anew, ms; that of the Traccar Client app. */
const ANSWER_MS = 15_000;

/**
 * Opens the HTTP side of one phone: a GET for each message, the next after the answer to the last. What
 * is not answered by 200 is kept and sent again.
 */
export function openOsmandLink(options: OsmandLinkOptions): DeviceLink {
  const { host, port, retryMs } = options;
  const turn = new OneByOne(options);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let request: ClientRequest | undefined;
  let retry: NodeJS.Timeout | undefined;
  let networkUp = true;
  let isClosed = false;
  /** HTTP has no connection to speak of: whether the last request was answered by 200. */
  let isConnected = false;

  function later(): void {
    isConnected = false;
    if (!isClosed && networkUp) retry = setTimeout(pump, retryMs);
  }

  function pump(): void {
    retry = undefined;
    if (request !== undefined || isClosed || !networkUp) return;
    const message = turn.current();
    if (message === undefined) return;
    let status: number | undefined;
    const asked = get({ host, port, agent, path: `/?${message.payload}`, timeout: ANSWER_MS });
    request = asked;
    asked.on("response", (response) => {
      response.resume();
      // The whole answer, or the connection could not be used again.
      response.on("end", () => {
        status = response.statusCode;
      });
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => undefined);
    asked.on("close", () => {
      request = undefined;
      if (status !== 200) {
        if (status !== undefined) options.onRefused(`${host}:${port} answered ${status}`);
        later();
        return;
      }
      isConnected = true;
      turn.acknowledge();
      pump();
    });
  }

  return {
    get isConnected() {
      return isConnected;
    },
    get inFlightCount() {
      return turn.inFlightCount;
    },
    get queuedCount() {
      return turn.queue.size;
    },
    send(message) {
      turn.queue.push(message);
      if (retry === undefined) pump();
    },
    setNetwork(up) {
      if (up === networkUp) return;
      networkUp = up;
      clearTimeout(retry);
      retry = undefined;
      if (up) pump();
      else agent.destroy();
    },
    close() {
      isClosed = true;
      clearTimeout(retry);
      agent.destroy();
      return Promise.resolve();
    },
  };
}
