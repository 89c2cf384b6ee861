/**
 * What `GET /assets` of 10,000 assets costs over sending its bytes.
 *
 *   npx tsx bench/asset-list.ts [seconds per run] [assets]
 *
 * As it is, as brotli, as gzip, and to a client that has it (304), each beside a bare Fastify route that sends
 * the same ready bytes. All in one server process, rounds interleaved, the clients in this process. First nothing
 * moves: the answers are kept. Then 1 and 100 assets move in a second. Answers must not stream: their length is read.
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import fastify from "fastify";
import type { AssetId } from "../domain/ids.ts";
import { ADMIN_KEY, FIX, openTestApp } from "../test/support/api-app.ts";
import { load, portOf, type Run } from "./api/load.ts";
import { median } from "./figures/median.ts";

const LIST = "/api/v1/equipment/assets";
/** Each enterprise key may ask 10,000 times a minute; enough of them for the whole bench. */
const KEYS = 400;
const ROUNDS = 5;
const MOVES_PER_S = [0, 1, 100];
const FORMS = ["identity", "br", "gzip", "304"] as const;
type Form = (typeof FORMS)[number];

interface Ready {
  readonly barePort: number;
  readonly apiPort: number;
  readonly keys: readonly string[];
  readonly etag: string;
  readonly lengths: Record<Form, number>;
}

/** The child: both servers. It says its CPU time when it is asked, and takes how many assets move in a second. */
async function serve(count: number): Promise<void> {
  const t = await openTestApp({ now: Date.now });
  const project_id = await t.project();
  const ids: AssetId[] = [];
  for (let i = 0; i < count; i += 1) {
    ids.push(await t.asset({ project_id, name: `Excavator ${i}` }));
  }
  for (const [i, id] of ids.entries()) move(id, 53 + i / 1e5);
  const keys: string[] = [];
  for (let i = 0; i < KEYS; i += 1) keys.push(await t.key({ plan: "enterprise" }));
  await t.app.listen({ host: "127.0.0.1", port: 0 });
  const bare = fastify();
  const lengths: Record<Form, number> = { identity: 0, br: 0, gzip: 0, "304": 0 };
  for (const form of FORMS) {
    const { rawPayload } = await t.get(LIST, ADMIN_KEY, { "accept-encoding": form });
    lengths[form] = form === "304" ? 0 : rawPayload.length;
    bare.get(`/${form}`, (_request, reply) =>
      form === "304"
        ? reply.code(304).send()
        : reply.type("application/json; charset=utf-8").send(rawPayload),
    );
  }
  await bare.listen({ host: "127.0.0.1", port: 0 });
  let timer: NodeJS.Timeout | undefined;
  let turn = 0;
  process.on("message", (question) => {
    if (question === "cpu") return process.send?.(process.cpuUsage());
    clearInterval(timer);
    if (question === "end") process.exit(0);
    const perS = Number(question);
    if (perS > 0) timer = setInterval(() => move(ids[turn++ % count] as AssetId), 1_000 / perS);
    return undefined;
  });
  function move(id: AssetId, latitude = 53 + Math.random()): void {
    const nowMs = Date.now();
    const fix = { ...FIX, latitude, fixTimeMs: nowMs };
    t.live(id, { fix, lastUpdateMs: nowMs, lastWorkedAtMs: nowMs });
  }
  const etag = String((await t.get(LIST, ADMIN_KEY)).headers["etag"]);
  const [barePort, apiPort] = [portOf(bare.server.address()), portOf(t.app.server.address())];
  process.send?.({ barePort, apiPort, keys, etag, lengths } satisfies Ready);
}

async function measure(seconds: number, count: number): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), ["serve", String(count)]);
  const [ready] = (await once(child, "message")) as [Ready];
  const cpu = async () => {
    child.send("cpu");
    const [used] = (await once(child, "message")) as [NodeJS.CpuUsage];
    return (used.user + used.system) / 1e6;
  };
  const requestsFor = (form: Form) => {
    const same = form === "304" ? `if-none-match: ${ready.etag}\r\n` : "";
    const headers = `host: 127.0.0.1\r\naccept-encoding: ${form}\r\n${same}`;
    const bare = [Buffer.from(`GET /${form} HTTP/1.1\r\n${headers}\r\n`)];
    const api = ready.keys.map((key) =>
      Buffer.from(`GET ${LIST} HTTP/1.1\r\n${headers}authorization: Bearer ${key}\r\n\r\n`),
    );
    return { bare, api };
  };
  for (const moves of MOVES_PER_S) {
    child.send(String(moves));
    console.log(`GET /assets, ${count} assets, ${moves} move in a second (medians of ${ROUNDS})`);
    for (const form of FORMS) {
      const { bare, api } = requestsFor(form);
      const runs: { readonly bare: Run; readonly api: Run }[] = [];
      await load(ready.apiPort, api, seconds / 2, cpu);
      for (let round = 0; round < ROUNDS; round += 1) {
        const sent = await load(ready.barePort, bare, seconds, cpu);
        runs.push({ bare: sent, api: await load(ready.apiPort, api, seconds, cpu) });
      }
      const cpuMs = (of: "bare" | "api") =>
        (median(runs.map((run) => 1_000 / run[of].perCpuS)) ?? Number.NaN).toFixed(3);
      const ratio = (of: keyof Run) =>
        (median(runs.map((run) => run.api[of] / run.bare[of])) ?? Number.NaN).toFixed(2);
      console.log(
        `  ${form.padEnd(9)} ${String(ready.lengths[form]).padStart(8)} bytes: ${cpuMs("api")} ms of CPU an answer, bare ${cpuMs("bare")}; ` +
          `${ratio("perS")} x as many a second, ${ratio("perCpuS")} x a second of CPU (goal 0.85)`,
      );
    }
  }
  child.send("end");
  await once(child, "exit");
}

if (process.argv[2] === "serve") await serve(Number(process.argv[3]));
else await measure(Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 10_000));
