import { Session } from "node:inspector/promises";
import { writeFileSync } from "node:fs";
import { beforeAll, afterAll } from "vitest";
import { describeAnyOrder } from "./any-order-trial.ts";
const session = new Session();
beforeAll(async () => { session.connect(); await session.post("Profiler.enable"); await session.post("Profiler.setSamplingInterval", { interval: 500 }); await session.post("Profiler.start"); });
afterAll(async () => { const { profile } = await session.post("Profiler.stop"); writeFileSync("/tmp/xc/prof4/a.cpuprofile", JSON.stringify(profile)); });
describeAnyOrder(100, 15);
