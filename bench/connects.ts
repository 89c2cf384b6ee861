import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import mqttPacket from "mqtt-packet";
import { pino } from "pino";
import { ClientSessionClaims } from "../ingest/client-sessions/client-session-claims.ts";
import type { ClientSessions } from "../storage/ports/equipment/client-sessions.ts";
import { openRecordStore } from "../storage/records/open.ts";
import { createPostgresDatabase } from "../test/support/databases.ts";
import { openBrokerUnderTest } from "../test/support/open-broker.ts";
import { connectOf } from "../test/support/raw-mqtt.ts";

/**
 * What it costs that a device's session is on record in PostgreSQL: 1,000 devices that come back at once after another
 * process died, with the record and without, in turns; then 200 devices one after the other. Processor time of this
 * process (broker and clients) and of PostgreSQL, a connection. Run: `DATABASE_URL=... npx tsx bench/connects.ts`
 */
const AT_ONCE = 1_000;
const ONE_BY_ONE = 200;
const ROUNDS = 3;
const TICK_MS = 10;

const database = await createPostgresDatabase();
const records = await openRecordStore({ dataDir: "", databaseUrl: database.url });
let statements = 0;
const counted: ClientSessions = new Proxy(records.clientSessions, {
  get(target, name) {
    const member: unknown = Reflect.get(target, name);
    if (typeof member !== "function") return member;
    return (...given: unknown[]) => {
      statements += 1;
      return Reflect.apply(member, target, given);
    };
  },
});

/** Ticks of processor time of each process of PostgreSQL on this machine, by its number. */
function postgresTicks(): ReadonlyMap<string, number> {
  const ticks = new Map<string, number>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, "utf8");
      if (!text.includes("(postgres)")) continue;
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      ticks.set(pid, Number(fields[11]) + Number(fields[12]));
    } catch {
      // It has ended.
    }
  }
  return ticks;
}

/** Processor time of PostgreSQL since `before`, ms. */
function postgresMs(before: ReadonlyMap<string, number>): number {
  let ticks = 0;
  for (const [pid, now] of postgresTicks()) ticks += now - (before.get(pid) ?? 0);
  return ticks * TICK_MS;
}

function ownMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function logIn(port: number, name: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.write(mqttPacket.generate(connectOf("a1", { clientId: name })));
  const [answer] = await once(socket, "data");
  if (answer[3] !== 0) throw new Error(`refused: ${answer[3]}`);
  return socket;
}

async function measure(isRecorded: boolean, count: number, atOnce: boolean): Promise<string> {
  const parts = { nodeId: `alive-${Math.random()}`, log: pino({ level: "silent" }) };
  const claims = await ClientSessionClaims.start({ sessions: counted, ...parts });
  const world = await openBrokerUnderTest(isRecorded ? { sessionClaims: claims } : {});
  const port = world.broker.ports.mqtt ?? 0;
  const names = Array.from({ length: count }, (_, i) => `device-${i}`);
  const dead = await ClientSessionClaims.start({
    sessions: records.clientSessions,
    ...parts,
    nodeId: "dead",
  });
  await Promise.all(
    names.map((name) => {
      const owner = { name: `a1/${name}`, assetId: undefined, isLink: true };
      return dead.claim(owner, () => undefined).decided;
    }),
  );
  await dead.stop();
  statements = 0;
  const before = { wallMs: performance.now(), own: ownMs(), postgres: postgresTicks() };
  const sockets: Socket[] = [];
  if (atOnce) sockets.push(...(await Promise.all(names.map((name) => logIn(port, name)))));
  else for (const name of names) sockets.push(await logIn(port, name));
  const wallMs = performance.now() - before.wallMs;
  const asked = statements;
  const own = (ownMs() - before.own) / count;
  const postgres = postgresMs(before.postgres) / count;
  for (const socket of sockets) socket.destroy();
  await world.close();
  await claims.stop();
  for (const nodeId of [parts.nodeId, "dead"]) {
    for (;;) {
      const left = await records.clientSessions.ofNode(nodeId, 1_000);
      if (left.length === 0) break;
      await records.clientSessions.release(nodeId, left);
    }
    await records.clientSessions.forgetNode(nodeId);
  }
  const kind = isRecorded ? "on record" : "without  ";
  const how = atOnce ? "at once" : "one by one";
  return `${count} ${how}, ${kind}: ${wallMs.toFixed(0)} ms, ${asked} statements; a connection: own ${own.toFixed(3)} ms, PostgreSQL ${postgres.toFixed(3)} ms`;
}

for (let round = 0; round < ROUNDS; round += 1) {
  for (const isRecorded of [false, true]) console.log(await measure(isRecorded, AT_ONCE, true));
}
for (const isRecorded of [false, true]) console.log(await measure(isRecorded, ONE_BY_ONE, false));
await records.close();
await database.drop();
