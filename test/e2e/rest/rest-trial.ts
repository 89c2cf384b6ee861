import fc from "fast-check";
import { seededRandom } from "../../support/seeded-random.ts";
import { createAnswerCheck } from "./answer-check.ts";
import { type Answer, type SentRequest, send, writeRequest } from "./http-request.ts";
import { createIdPools, type IdPools, type Tenant } from "./id-pools.ts";
import { type Operation, readDescription } from "./operations.ts";
import { type RequestPlan, requestPlan } from "./request-plan.ts";

export interface RestTrial {
  readonly base: URL;
  readonly tenants: readonly [Tenant, Tenant];
  readonly adminKey: string;
  /** Has one scope, and sees every project. */
  readonly narrowKey: string;
  readonly count: number;
  readonly seed: number;
  readonly only: readonly string[] | undefined;
  /** Also counts answers by operation, caller, status and message. */
  readonly isVerbose: boolean;
  readonly say: (line: string) => void;
}

export interface RestOutcome {
  readonly expectations: readonly (readonly [name: string, isSo: boolean])[];
  /** Each kind of failure once, with what was sent. */
  readonly findings: readonly { readonly text: string; readonly requestId: string }[];
}

/** Requests that are under way at once. */
const AT_ONCE = 8;
/** Requests after which most operations have had a right one. */
const ENOUGH = 5_000;
/** Figures of the whole installation, without a key; ids of webhooks are labels there. */
const OF_OPERATORS = "/metrics";
/** Kinds of failures that are shown. */
const MOST_FINDINGS = 40;
/** A copy of all stores: one in so many of its requests is sent. */
const BACKUP_SHARE = 50;
function days(fromNow: number): string {
  return `${new Date(Date.now() + fromNow * 86_400_000).toISOString().slice(0, 19)}Z`;
}

/** The same for everybody: what the first report of a fleet has, and types of machines. */
const FIXED = {
  type: ["dump_truck", "excavator", "equipment.geofence.entered"],
  asset_type: ["dump_truck", "excavator", "no-such-type"],
  page: ["1", "2", "0"],
  start: [days(-3), days(-1), days(-60)],
  end: [days(1), days(-2), days(60)],
} as const;

export async function runRest(trial: RestTrial): Promise<RestOutcome> {
  const { count, seed, only, tenants, isVerbose, say } = trial;
  const description = await readDescription();
  const { operations } = description;
  const chosen = operations.filter(({ id }) => only?.includes(id) ?? true);
  const findProblem = createAnswerCheck(description);
  const pools = createIdPools(operations, tenants, FIXED);
  for (const tenant of tenants) {
    pools.know("image_url", tenant, tenant.imageUrl);
    for (const [param, name] of [
      ["project_id", "site"],
      ["asset_id", "truck"],
      ["geofence_id", "fence"],
      ["zone_id", "zone"],
      ["zone_id", "view"],
      ["camera_id", "camera"],
      ["stockpile_id", "pile"],
    ] as const) {
      pools.know(param, tenant, `${tenant.marker}-${name}`);
    }
  }
  const plans = chosen.map((operation) => requestPlan(operation, pools.knows));
  const random = seededRandom(seed);
  const statuses = new Map<string, number>();
  const succeeded = new Set<string>();
  const table = new Map<string, number>();
  const findings = new Map<string, { text: string; requestId: string; times: number }>();
  const counts = { failed: 0, undocumented: 0, foreign: 0, unanswered: 0 };

  function note(
    kind: keyof typeof counts,
    operation: Operation,
    problem: string,
    sent: SentRequest,
    answer?: Answer,
  ) {
    counts[kind] += 1;
    const key = `${operation.id}: ${problem}`;
    const known = findings.get(key);
    if (known !== undefined) {
      known.times += 1;
      return;
    }
    const body =
      sent.body === undefined
        ? ""
        : `\n  body ${Buffer.from(sent.body).toString().slice(0, 1_000)}`;
    const got = answer === undefined ? "" : `\n  got ${answer.status} ${answer.body.slice(0, 600)}`;
    const text = `${key}\n  ${sent.method} ${sent.target.slice(0, 500)}${body}${got}`;
    say(`finding ${findings.size + 1}: ${text}`);
    findings.set(key, { text, requestId: String(answer?.headers["x-request-id"] ?? ""), times: 1 });
  }

  async function tryOne(number: number): Promise<void> {
    const at = Math.floor(random() * chosen.length);
    const operation = chosen[at];
    const arbitrary = plans[at];
    if (operation === undefined || arbitrary === undefined) return;
    const [plan] = fc.sample(arbitrary, { seed: (seed * 1_000_003 + number) | 0, numRuns: 1 });
    if (plan === undefined) return;
    if (operation.id === "createBackup" && number % BACKUP_SHARE !== 0) return;
    const tenant = tenants[plan.tenant];
    const sent = writeRequest(operation, plan, tenant, keyOf(plan, tenant, trial, number), pools);
    let answer: Answer;
    try {
      answer = await send(trial.base, sent);
    } catch (error) {
      note("unanswered", operation, String(error), sent);
      return;
    }
    const { status } = answer;
    statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
    const code = /"code":"(\w+)","message":"([^"]{0,60})/.exec(answer.body);
    const row = `${operation.id} ${plan.caller} ${status} ${code?.[1] ?? ""} ${code?.[2] ?? ""}`;
    if (isVerbose) table.set(row, (table.get(row) ?? 0) + 1);
    const problem = findProblem(operation, answer);
    if (problem !== undefined) {
      const isOurs = status >= 500 && status !== 507;
      note(isOurs ? "failed" : "undocumented", operation, problem, sent, answer);
    }
    if (plan.caller === "any" && operation.path !== OF_OPERATORS) {
      const foreign = foreignIn(answer, sent, tenant, pools);
      if (foreign !== undefined) note("foreign", operation, `shows ${foreign}`, sent, answer);
    }
    if (status >= 200 && status < 300 && problem === undefined) {
      succeeded.add(operation.id);
      const isJson = answer.headers["content-type"]?.startsWith("application/json") === true;
      const isLearnt = plan.caller === "any" || (plan.caller === "admin" && status === 201);
      if (isJson && isLearnt)
        pools.learn(operation, tenant, JSON.parse(answer.body), plan.caller === "any");
    }
  }

  let next = 0;
  const startedMs = performance.now();
  async function lane(): Promise<void> {
    while (next < count) {
      const number = next;
      next += 1;
      if (number > 0 && number % 10_000 === 0) {
        const perS = Math.round(number / ((performance.now() - startedMs) / 1_000));
        say(`${number} requests, ${perS}/s, ${findings.size} kinds of failures`);
      }
      await tryOne(number);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane));

  const byStatus = [...statuses].sort().map(([status, times]) => `${status}: ${times}`);
  say(`seed ${seed}, ${count} requests; ${byStatus.join(", ")}`);
  for (const [row, times] of [...table].sort()) say(`${times}x ${row}`);
  const never = chosen.filter(({ id }) => !succeeded.has(id)).map(({ id }) => id);
  say(
    `${succeeded.size} of ${chosen.length} operations answered 2xx; never: ${never.join(", ") || "none"}`,
  );
  return {
    expectations: [
      [`no request of ${count} was answered with 500`, counts.failed === 0],
      ["every answer has a status and body that the description has", counts.undocumented === 0],
      ["no customer was shown an id or a name of the other", counts.foreign === 0],
      ["every request was answered", counts.unanswered === 0],
      [
        "four of five operations succeeded at least once",
        only !== undefined || count < ENOUGH || succeeded.size > chosen.length * 0.8,
      ],
    ],
    findings: [...findings.values()]
      .slice(0, MOST_FINDINGS)
      .map(({ text, requestId, times }) => ({ text: `${times}x ${text}`, requestId })),
  };
}

function keyOf(
  plan: RequestPlan,
  tenant: Tenant,
  trial: RestTrial,
  number: number,
): string | undefined {
  switch (plan.caller) {
    case "any":
      return tenant.keys[number % tenant.keys.length];
    case "admin":
      return trial.adminKey;
    case "narrow":
      return trial.narrowKey;
    case "wrong key":
      return `${trial.adminKey}x`;
    case "nobody":
      return undefined;
  }
}

/** What an answer has of the other customer that the request did not name. */
function foreignIn(
  answer: Answer,
  sent: SentRequest,
  tenant: Tenant,
  pools: IdPools,
): string | undefined {
  const asked = `${sent.target} ${sent.body === undefined ? "" : Buffer.from(sent.body).toString()}`;
  const { marker } = pools.other(tenant);
  if (answer.body.includes(marker) && !asked.includes(marker)) return `the name ${marker}`;
  const id = pools.foreignIdIn(answer.body, tenant);
  return id === undefined || asked.includes(id) ? undefined : `the id ${id}`;
}
