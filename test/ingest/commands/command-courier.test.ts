import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Command, toAnswer } from "../../../domain/equipment/command.ts";
import { withdraw } from "../../../domain/equipment/command-steps.ts";
import { DomainError } from "../../../domain/errors.ts";
import type { AssetId, CommandId, ProjectId } from "../../../domain/ids.ts";
import {
  CommandCourier,
  type CommandCourierOptions,
} from "../../../ingest/commands/command-courier.ts";
import type { CommandLink } from "../../../ingest/commands/command-link.ts";
import { newCommand } from "../../contracts/records/commands.ts";
import { NOON_MS } from "../../contracts/records/rows.ts";
import { assetEntry, type FixedDirectory, fixedDirectory } from "../../support/fixed-directory.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";

const A1 = "a1" as AssetId;
const OK = toAnswer(Buffer.from('{"ok":true}'));

let records: MemoryRecords;
let directory: FixedDirectory;
const couriers: CommandCourier[] = [];

/** What a link wrote: the command's id and attempt, and what the record said at that moment. */
interface Written {
  readonly id: string;
  readonly attempt: number;
  readonly stored: string;
}

function linkTo(written: Written[], confirmsReceipt = true): CommandLink {
  return {
    carrier: confirmsReceipt ? "mqtt" : "codec12",
    confirmsReceipt,
    prepare: ({ id, attempt }) => {
      return () => {
        const stored = records.rows.commands.get(id);
        written.push({ id, attempt, stored: `${stored?.state} ${stored?.attempt}` });
      };
    },
  };
}

async function start(more: Partial<CommandCourierOptions> = {}): Promise<CommandCourier> {
  const courier = await CommandCourier.start({
    commands: records.commands,
    directory,
    changed: () => undefined,
    log: pino({ level: "silent" }),
    now: Date.now,
    ...more,
  });
  couriers.push(courier);
  return courier;
}

const insert = (id: string, change: Parameters<typeof newCommand>[1] = {}): Promise<Command> =>
  records.commands.insert(newCommand(id, change));
const find = (id: string): Command | undefined => records.rows.commands.get(id as CommandId);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ now: NOON_MS });
  records = openMemoryRecords();
  directory = fixedDirectory([assetEntry("a1"), assetEntry("a2")]);
});

afterEach(async () => {
  await Promise.all(couriers.splice(0).map((courier) => courier.stop()));
  vi.useRealTimers();
});

describe("a courier of commands", () => {
  it("stores a command as sent before the first byte leaves, and sends the next when it is received", async () => {
    const courier = await start();
    const written: Written[] = [];
    courier.attach(A1, linkTo(written));
    for (const id of ["c1", "c2"]) await insert(id);
    courier.wake(A1);
    await pass(1);
    expect(written).toEqual([{ id: "c1", attempt: 1, stored: "sent 1" }]);
    expect(find("c2")).toMatchObject({ state: "queued" });

    courier.received(A1, "c1" as CommandId);
    await pass(1);

    expect(written.map(({ id }) => id)).toEqual(["c1", "c2"]);
    expect(find("c1")).toMatchObject({ state: "delivered", deliveredAtMs: expect.any(Number) });
  });

  it("finds commands that another process stored, without being woken", async () => {
    const courier = await start();
    const written: Written[] = [];
    courier.attach(A1, linkTo(written));
    await pass(1);
    await insert("c1");
    await pass(600);

    expect(written).toMatchObject([{ id: "c1", attempt: 1 }]);
  });

  it("sends a command that waits as soon as its device is there", async () => {
    await insert("c1");
    const courier = await start();
    await pass(5_000);
    const written: Written[] = [];
    courier.attach(A1, linkTo(written));
    await pass(1);

    expect(written).toMatchObject([{ id: "c1", attempt: 1 }]);
  });

  it("a courier of commands counts another attempt where the link broke before the receipt, after a grace of 2 s", async () => {
    await insert("c1");
    const courier = await start();
    const [first, second]: [Written[], Written[]] = [[], []];
    const link = linkTo(first);
    courier.attach(A1, link);
    await pass(1);
    courier.detach(A1, link);
    courier.attach(A1, linkTo(second));
    await pass(1_900);
    expect(second).toEqual([]);
    await pass(200);

    expect([first, second]).toMatchObject([
      [{ id: "c1", attempt: 1, stored: "sent 1" }],
      [{ id: "c1", attempt: 2, stored: "sent 2" }],
    ]);
    const sent = records.rows.events.filter(({ type }) => type === "equipment.command.sent");
    expect(sent.map(({ data }) => data["attempt"])).toEqual([1, 2]);
  });

  it("a courier of commands does not send again what the device answers within the grace", async () => {
    await insert("c1");
    const courier = await start();
    const written: Written[] = [];
    const link = linkTo(written);
    courier.attach(A1, link);
    await pass(1);
    courier.detach(A1, link);
    courier.attach(A1, linkTo(written));
    await pass(1_000);
    expect(await courier.answered(A1, { id: "c1" as CommandId }, OK)).toBe(true);
    await pass(10_000);

    expect(written).toHaveLength(1);
    expect(find("c1")).toMatchObject({ state: "answered", answer: OK, attempt: 1 });
  });

  it("a courier of commands of a new process sends again what the killed one had stored as sent, as another attempt", async () => {
    await insert("c1");
    const killed = await start();
    // The bytes never left: the process ends between the two.
    const lost = { ...linkTo([]), prepare: () => () => undefined };
    killed.attach(A1, lost);
    await pass(1);
    expect(find("c1")).toMatchObject({ state: "sent", attempt: 1 });
    await killed.stop();

    const next = await start();
    const written: Written[] = [];
    next.attach(A1, linkTo(written));
    await pass(2_100);

    expect(written).toMatchObject([{ id: "c1", attempt: 2 }]);
  });

  it("a courier of commands gives up where no attempt is left, and takes an answer that comes all the same", async () => {
    await insert("c1", { maxAttempts: 1 });
    await insert("c2");
    const courier = await start();
    const written: Written[] = [];
    const link = linkTo(written);
    courier.attach(A1, link);
    await pass(1);
    courier.detach(A1, link);
    courier.attach(A1, linkTo(written));
    await pass(2_100);
    expect(find("c1")).toMatchObject({ state: "failed", failure: "unconfirmed", attempt: 1 });
    // The next one is not held up.
    expect(written.map(({ id }) => id)).toEqual(["c1", "c2"]);

    await courier.answered(A1, { id: "c1" as CommandId }, OK);
    expect(find("c1")).toMatchObject({ state: "answered", failure: undefined });
  });

  it("a courier of commands waits 30 s for an answer where receipts are not acknowledged", async () => {
    await insert("c1", { maxAttempts: 2 });
    const courier = await start();
    const written: Written[] = [];
    courier.attach(A1, linkTo(written, false));
    await pass(29_000);
    expect(written).toHaveLength(1);
    await pass(1_100);
    expect(written.map(({ attempt }) => attempt)).toEqual([1, 2]);
    await pass(30_100);

    expect(written).toHaveLength(2);
    expect(find("c1")).toMatchObject({ state: "failed", failure: "unconfirmed", attempt: 2 });
  });

  it("a courier of commands waits 30 s for an answer also when another link of the asset comes and goes meanwhile", async () => {
    await insert("c1", { maxAttempts: 1 });
    const courier = await start();
    const written: Written[] = [];
    courier.attach(A1, linkTo(written, false));
    await pass(1_000);
    const other = linkTo([]);
    courier.attach(A1, other);
    await pass(1_000);
    courier.detach(A1, other);
    await pass(29_000);

    expect(written).toHaveLength(1);
    expect(find("c1")).toMatchObject({ state: "failed", failure: "unconfirmed" });
  });

  it("a courier of commands publishes a refusal that comes after a command failed for want of confirmation", async () => {
    await insert("c1", { maxAttempts: 1 });
    const courier = await start();
    courier.attach(A1, linkTo([], false));
    await pass(31_000);
    await courier.answered(A1, { id: "c1" as CommandId }, OK, "no such thing");

    const failed = records.rows.events.filter(({ type }) => type === "equipment.command.failed");
    expect(failed.map(({ data }) => data["failure"])).toEqual(["unconfirmed", "refused"]);
    expect(new Set(failed.map(({ id }) => id)).size).toBe(2);
  });

  it("a courier of commands keeps the first answer and takes none for another asset's command", async () => {
    await insert("c1");
    const courier = await start();
    courier.attach(A1, linkTo([]));
    await pass(1);

    const other = await courier.answered("a2" as AssetId, { id: "c1" as CommandId }, OK);
    expect([other, find("c1")?.state]).toEqual([false, "sent"]);
    const refused = await courier.answered(A1, { id: "c1" as CommandId }, OK, "no such thing");
    const again = await courier.answered(A1, { id: "c1" as CommandId }, OK);
    expect([refused, again]).toEqual([true, false]);
    expect(find("c1")).toMatchObject({
      ...{ state: "failed", failure: "refused", detail: "no such thing", answer: OK },
    });
  });

  it("never sends a command to an asset that is another project's by now", async () => {
    await insert("c1");
    directory.change("a1", assetEntry("a1", "p2"));
    const courier = await start();
    const written: Written[] = [];
    courier.attach(A1, linkTo(written));
    await pass(6_100);

    expect(written).toEqual([]);
    expect(find("c1")).toMatchObject({ state: "failed", failure: "asset_moved", attempt: 0 });
  });

  it("sends a command that was made just after its asset moved, once this process knows of the move", async () => {
    await insert("c1", { projectId: "p2" as ProjectId });
    const courier = await start();
    const written: Written[] = [];
    courier.attach(A1, linkTo(written));
    await pass(900);
    directory.change("a1", assetEntry("a1", "p2"));
    await pass(1_100);

    expect(written).toMatchObject([{ id: "c1", attempt: 1 }]);
  });

  it("a courier of commands does not send what is cancelled while it is about to be sent", async () => {
    const { id } = await insert("c1");
    const courier = await start();
    const written: Written[] = [];
    const link = linkTo(written);
    courier.attach(A1, {
      ...link,
      prepare(command) {
        records.rows.commands.set(id, withdraw(command, Date.now()) ?? command);
        return link.prepare(command);
      },
    });
    await pass(1);

    expect(written).toEqual([]);
    expect(find("c1")).toMatchObject({ state: "cancelled" });
  });

  it("a courier of commands says why a protocol cannot carry a command, and goes on with the next", async () => {
    await insert("c1");
    await insert("c2");
    const courier = await start();
    const written: Written[] = [];
    const link = linkTo(written);
    courier.attach(A1, {
      ...link,
      prepare(command) {
        if (command.id === "c1") throw new DomainError("PARAMETER_INVALID", "text only");
        return link.prepare(command);
      },
    });
    await pass(1);

    expect(find("c1")).toMatchObject({
      state: "failed",
      failure: "not_encodable",
      detail: "text only",
    });
    expect(written).toMatchObject([{ id: "c2" }]);
  });

  it("a courier of commands ends what is overdue: expired where it was never sent, unconfirmed where it was", async () => {
    const soon = { expiresAtMs: NOON_MS + 5_000 };
    await insert("c1", soon);
    await insert("c2", soon);
    await insert("c3", { ...soon, assetId: "a2" as AssetId });
    const courier = await start();
    const written: Written[] = [];
    courier.attach(A1, linkTo(written));
    await pass(6_100);

    expect(written.map(({ id }) => id)).toEqual(["c1"]);
    expect(["c1", "c2", "c3"].map((id) => [find(id)?.state, find(id)?.failure])).toEqual([
      ["failed", "unconfirmed"],
      ["expired", undefined],
      ["expired", undefined],
    ]);
    expect(courier.stats()).toMatchObject({ commands_expired: 2, commands_unconfirmed: 1 });
  });

  it("a courier of commands stores a receipt that comes after the command's time was over", async () => {
    await insert("c1", { expiresAtMs: NOON_MS + 5_000 });
    const courier = await start();
    courier.attach(A1, linkTo([]));
    await pass(6_100);
    expect(find("c1")).toMatchObject({ state: "failed", failure: "unconfirmed" });
    courier.received(A1, "c1" as CommandId);
    await pass(1);

    expect(find("c1")).toMatchObject({ state: "delivered", failure: undefined, detail: undefined });
  });

  it("a courier of commands goes on where it was when the store is back, and stores a receipt of meanwhile", async () => {
    await insert("c1");
    const courier = await start();
    const written: Written[] = [];
    courier.attach(A1, linkTo(written));
    await pass(1);
    records.away = true;
    courier.received(A1, "c1" as CommandId);
    await pass(3_500);
    await expect(courier.answered(A1, { id: "c1" as CommandId }, OK)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    records.away = false;
    await insert("c2");
    await pass(2_000);

    expect(find("c1")).toMatchObject({ state: "delivered" });
    expect(written.map(({ id, attempt }) => [id, attempt])).toEqual([
      ["c1", 1],
      ["c2", 1],
    ]);
  });

  it("a courier of commands asks the store for those of a returning fleet alone that have open commands", async () => {
    await insert("c1");
    const asked: string[] = [];
    const commands = {
      ...records.commands,
      head: async (assetId: AssetId) => {
        asked.push(assetId);
        return await records.commands.head(assetId);
      },
    };
    for (const name of ["openAssets", "lastSequence", "since", "overdue", "update"] as const) {
      Object.assign(commands, { [name]: records.commands[name] });
    }
    const courier = await start({ commands });
    for (const id of ["a1", "a2", "a3"]) courier.attach(id as AssetId, linkTo([]));
    await pass(1);

    expect(asked).toEqual(["a1"]);
  });
});
