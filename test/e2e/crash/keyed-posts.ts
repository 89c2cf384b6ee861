import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createApiClient } from "../../support/api-client.ts";
import { ADMIN_KEY, PROJECT } from "./plumbline-target.ts";
import type { CrashParty } from "./target.ts";

/** Posts at once, and the pause of each behind an answer, ms: some 40 posts a second. */
const WRITERS = 4;
const PAUSE_MS = 100;
const RETRY_MS = 25;
const FINISH_MS = 120_000;
const PAGE_ROWS = 100;

/** A kind of resource whose id the server chooses; its name is the key that it was posted with. */
interface Kind {
  readonly path: string;
  body(name: string): object;
  nameOf(row: Readonly<Record<string, unknown>>): unknown;
}

const KINDS: readonly Kind[] = [
  {
    path: "/equipment/geofences",
    body: (name) => ({
      name,
      project_id: PROJECT,
      polygon: [
        [10, 10],
        [10, 10.001],
        [10.001, 10.001],
      ],
    }),
    nameOf: ({ name }) => name,
  },
  {
    path: "/materials/stockpiles",
    body: (location) => ({
      location,
      project_id: PROJECT,
      material: "gravel",
      max_capacity_m3: 500,
    }),
    nameOf: ({ location }) => location,
  },
];

interface RowPage {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

interface Posted {
  readonly kind: Kind;
  readonly key: string;
  readonly id: string;
}

/**
 * Clients that post with an Idempotency-Key and repeat a POST under its key until it is answered, over
 * all kills. At the end each key must have made one resource, and be answered with it again.
 */
export function createKeyedPosts(http: string): CrashParty {
  const posted: Posted[] = [];
  const refusals: string[] = [];
  let repeated = 0;
  let isOver = false;
  let isClosed = false;
  let writers: readonly Promise<void>[] = [];

  async function post({ path, body }: Kind, key: string): Promise<Response | undefined> {
    return await fetch(`${http}/api/v1${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify(body(key)),
    }).catch(() => undefined);
  }

  /** The id that the POST was answered with, however often it had to be sent. */
  async function postUntilAnswered(kind: Kind, key: string): Promise<string | undefined> {
    for (let attempt = 1; !isClosed; attempt += 1) {
      if (attempt === 2) repeated += 1;
      const response = await post(kind, key);
      const text = await response?.text().catch(() => undefined);
      if (response?.status === 201 && text !== undefined) return JSON.parse(text).id as string;
      // Not now: the program starts or stops, or another POST with that key is under way.
      const isFinal = response !== undefined && response.status < 500 && response.status !== 409;
      if (isFinal && text !== undefined) {
        refusals.push(`${response.status} ${text}`);
        return undefined;
      }
      await delay(RETRY_MS);
    }
    return undefined;
  }

  async function write(): Promise<void> {
    while (!isOver) {
      const kind = KINDS[posted.length % KINDS.length];
      if (kind === undefined) return;
      const key = randomUUID();
      const id = await postUntilAnswered(kind, key);
      if (id !== undefined) posted.push({ kind, key, id });
      await delay(PAUSE_MS);
    }
  }

  /** Ids of every resource of a kind by the key in its name. */
  async function idsByKey(kind: Kind): Promise<ReadonlyMap<unknown, readonly unknown[]>> {
    const api = createApiClient(http, ADMIN_KEY);
    const ids = new Map<unknown, unknown[]>();
    for (let offset = 0; ; offset += PAGE_ROWS) {
      const query = new URLSearchParams({
        project_id: PROJECT,
        limit: String(PAGE_ROWS),
        offset: String(offset),
      });
      const { data } = await api.get<RowPage>(`${kind.path}?${query}`);
      for (const row of data) {
        const name = kind.nameOf(row);
        ids.set(name, [...(ids.get(name) ?? []), row["id"]]);
      }
      if (data.length < PAGE_ROWS) return ids;
    }
  }

  return {
    async begin() {
      writers = Array.from({ length: WRITERS }, () => write());
    },
    async settle() {
      isOver = true;
      const timer = setTimeout(() => {
        isClosed = true;
      }, FINISH_MS);
      await Promise.all(writers);
      clearTimeout(timer);
      let twice = 0;
      let lost = 0;
      let changed = 0;
      for (const kind of KINDS) {
        const ids = await idsByKey(kind);
        for (const own of ids.values()) if (own.length > 1) twice += 1;
        const mine = posted.filter((one) => one.kind === kind);
        for (const { key, id } of mine) if (ids.get(key)?.includes(id) !== true) lost += 1;
        for (const { key, id } of mine.slice(-50)) {
          if ((await postUntilAnswered(kind, key)) !== id) changed += 1;
        }
      }
      const figures = `${posted.length} posts, ${repeated} of them repeated, ${twice} made two resources, ${lost} answered but gone, ${changed} answered otherwise later`;
      return [
        { name: "keyed POSTs that made two resources = 0", passed: twice === 0, figures },
        { name: "keyed POSTs keep their answer", passed: lost === 0 && changed === 0, figures },
        {
          name: "no keyed POST was refused",
          passed: refusals.length === 0,
          figures: `${refusals.length} ${refusals[0] ?? ""}`,
        },
      ];
    },
    async close() {
      isOver = true;
      isClosed = true;
      await Promise.all(writers);
    },
  };
}
