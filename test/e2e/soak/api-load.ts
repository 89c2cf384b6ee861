import { setTimeout as delay } from "node:timers/promises";

/** What became of the requests of a run. */
export interface ApiLoad {
  readonly counts: {
    answered: number;
    /** Answers with a status of 500 or more. */
    failed: number;
    /** Connections that ended without an answer: the process was killed. */
    unanswered: number;
    keyed: number;
    /** Keyed requests that made two resources. */
    doubled: number;
  };
  /** The process answers here from now on. */
  moveTo(url: string): void;
  /** Rejects when a request is refused that the service must take. */
  readonly refused: Promise<never>;
  /** Ends after the request that runs. */
  stop(): Promise<void>;
}

/** Time between two requests, ms. */
const PAUSE_MS = 500;
/** Time between two attempts of a keyed request, ms. */
const RETRY_MS = 1_000;

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * What people and programs do beside the devices: lists, a history, events, and every sixth time a
 * POST with an `Idempotency-Key`, repeated until it is answered. Its project is then read and deleted,
 * so that the load leaves nothing behind that grows.
 */
export function startApiLoad(key: string, ids: readonly string[], projectId: string): ApiLoad {
  const counts = { answered: 0, failed: 0, unanswered: 0, keyed: 0, doubled: 0 };
  const stopping = new AbortController();
  let base = "";

  /** `undefined`: no answer came. */
  async function send(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<{ readonly status: number; readonly body: unknown } | undefined> {
    try {
      const response = await fetch(`${base}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      counts.answered += 1;
      if (response.status >= 500) counts.failed += 1;
      return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
    } catch {
      counts.unanswered += 1;
      return undefined;
    }
  }

  /** Repeats a request until it is answered with a success. */
  async function insist(method: string, path: string, body?: object, idempotencyKey?: string) {
    const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
    for (;;) {
      const answer = await send(method, path, body, headers);
      // A removal whose answer was lost finds nothing when it is repeated.
      const isDone = answer !== undefined && (answer.status < 300 || answer.status === 404);
      if (isDone) return answer.body;
      if (answer !== undefined && answer.status < 500 && answer.status !== 429) {
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      await delay(RETRY_MS);
    }
  }

  async function postOnce(number: number): Promise<void> {
    const name = `soak ${number}`;
    const location = { latitude: 52.5, longitude: 13.4 };
    await insist("POST", "/projects", { name, location }, `soak-${number}`);
    counts.keyed += 1;
    const { data } = (await insist("GET", "/projects?limit=100")) as { data: readonly Named[] };
    const made = data.filter((project) => project.name === name);
    if (made.length !== 1) counts.doubled += 1;
    for (const { id } of made) await insist("DELETE", `/projects/${id}`);
  }

  const idAt = (number: number): string => ids[number % ids.length] ?? "";
  const reads: readonly ((number: number) => string)[] = [
    () => `/equipment/assets?project_id=${projectId}`,
    (number) => `/equipment/assets/${idAt(number)}/location?history=true`,
    (number) => `/equipment/assets/${idAt(number)}/telemetry?limit=1000`,
    () => "/events?limit=100",
    () => `/equipment/alerts?project_id=${projectId}`,
  ];

  async function run(): Promise<void> {
    for (let number = 1; !stopping.signal.aborted; number += 1) {
      const read = reads[number % (reads.length + 1)];
      if (read === undefined) await postOnce(number);
      else await send("GET", read(number));
      await delay(PAUSE_MS);
    }
  }

  let running: Promise<void> | undefined;
  let refuse = (_error: unknown): void => undefined;
  const refused = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  return {
    counts,
    refused,
    moveTo(url) {
      base = url;
      running ??= run().catch(refuse);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
