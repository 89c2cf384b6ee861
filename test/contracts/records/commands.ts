import { describe, expect, it } from "vitest";
import {
  type NewCommand,
  OPEN_COMMANDS_PER_ASSET,
  toAnswer,
} from "../../../domain/equipment/command.ts";
import {
  beginAttempt,
  confirmReceipt,
  endOverdue,
  takeAnswer,
  withdraw,
} from "../../../domain/equipment/command-steps.ts";
import type { AssetId, CommandId, ProjectId } from "../../../domain/ids.ts";
import { NOON_MS, type OpenStore } from "./rows.ts";

const A1 = "a1" as AssetId;

/** A command of asset a1 that lives for an hour from noon. */
export const newCommand = (id: string, change: Partial<NewCommand> = {}): NewCommand => ({
  id: id as CommandId,
  assetId: A1,
  projectId: "p1" as ProjectId,
  name: "set_interval",
  parameters: { seconds: 10, text: "\u0000 ü" },
  maxAttempts: 3,
  createdBy: "key_1",
  createdAtMs: NOON_MS,
  expiresAtMs: NOON_MS + 3_600_000,
  ...change,
});

/** What every store must do with commands to devices. */
export function describeCommandRecords(current: () => OpenStore): void {
  const commands = () => current().store.commands;
  const eventTypes = async () =>
    (await current().store.events.after(0, { limit: 100 })).map(({ type, data }) => [
      type,
      data["command_id"],
      data["attempt"],
    ]);

  describe("commands", () => {
    it("commands are found with every field through each state, and each state has its event", async () => {
      const queued = await commands().insert(newCommand("c1"));
      const find = () => commands().find("c1" as CommandId);
      expect(queued).toEqual({
        ...newCommand("c1"),
        sequence: expect.any(Number),
        state: "queued",
        attempt: 0,
        changedAtMs: NOON_MS,
      });
      expect(await find()).toEqual(queued);

      const sent = await commands().update(queued.id, (before) =>
        beginAttempt(before, { attempt: 1, carrier: "mqtt", atMs: NOON_MS + 1 }),
      );
      expect(await find()).toEqual(sent);
      expect(sent).toMatchObject({ state: "sent", attempt: 1, sentAtMs: NOON_MS + 1 });

      const delivered = await commands().update(queued.id, (before) =>
        confirmReceipt(before, NOON_MS + 2),
      );
      expect(await find()).toEqual(delivered);

      const answer = toAnswer(Buffer.from('{"ok":true,"text":"\\u0000"}'));
      const answered = await commands().update(queued.id, (before) =>
        takeAnswer(before, { answer, refusal: undefined, atMs: NOON_MS + 3 }),
      );
      expect(await find()).toEqual(answered);
      expect(answered).toMatchObject({ state: "answered", answer, answeredAtMs: NOON_MS + 3 });

      expect(await eventTypes()).toEqual([
        ["equipment.command.queued", "c1", 0],
        ["equipment.command.sent", "c1", 1],
        ["equipment.command.delivered", "c1", 1],
        ["equipment.command.answered", "c1", 1],
      ]);
    });

    it("commands keep JSON null apart from no parameters", async () => {
      await commands().insert(newCommand("c1", { parameters: null }));
      await commands().insert(newCommand("c2", { parameters: undefined }));

      const found = await commands().list({ assetId: A1, limit: 10, offset: 0 });
      expect(found.commands.map(({ parameters }) => parameters)).toEqual([undefined, null]);
    });

    it("commands stay as they are, without an event, where the change yields nothing", async () => {
      const { id } = await commands().insert(newCommand("c1"));
      await commands().update(id, (before) => withdraw(before, NOON_MS + 1));

      expect(await commands().update(id, (before) => withdraw(before, NOON_MS + 2))).toBe(
        undefined,
      );
      expect(await commands().update("none" as CommandId, (before) => before)).toBe(undefined);
      expect((await eventTypes()).map(([type]) => type)).toEqual([
        "equipment.command.queued",
        "equipment.command.cancelled",
      ]);
    });

    it("commands are sent in the order of their sequence, of which the first open one is the head", async () => {
      const first = await commands().insert(newCommand("c1"));
      const second = await commands().insert(newCommand("c2"));
      const other = await commands().insert(newCommand("c3", { assetId: "a2" as AssetId }));

      expect(await commands().head(A1)).toEqual(first);
      await commands().update(first.id, (before) => withdraw(before, NOON_MS));
      expect(await commands().head(A1)).toEqual(second);
      expect(await commands().head("a3" as AssetId)).toBe(undefined);
      expect([...(await commands().openAssets())].sort()).toEqual(["a1", "a2"]);
      expect(await commands().since(first.sequence, 10)).toEqual([
        { sequence: second.sequence, assetId: "a1" },
        { sequence: other.sequence, assetId: "a2" },
      ]);
      expect(await commands().lastSequence()).toBe(other.sequence);
      expect(await commands().findBySequence(A1, second.sequence)).toEqual(second);
      expect(await commands().findBySequence(A1, other.sequence)).toBe(undefined);
    });

    it("commands are refused beyond 100 open ones of an asset, and taken again when one has ended", async () => {
      const made: CommandId[] = [];
      for (let i = 0; i < OPEN_COMMANDS_PER_ASSET; i += 1) {
        made.push((await commands().insert(newCommand(`c${i}`))).id);
      }
      const one = () => commands().insert(newCommand("more"));

      await expect(one()).rejects.toMatchObject({ code: "LIMIT_REACHED" });
      await commands().insert(newCommand("other", { assetId: "a2" as AssetId }));
      await commands().update(made[50] as CommandId, (before) => withdraw(before, NOON_MS));
      expect(await one()).toMatchObject({ id: "more", state: "queued" });
    });

    it("commands are listed newest first, by project and state", async () => {
      await commands().insert(newCommand("c1"));
      const second = await commands().insert(newCommand("c2", { projectId: "p2" as ProjectId }));
      const third = await commands().insert(newCommand("c3"));
      await commands().update(third.id, (before) => withdraw(before, NOON_MS));
      const ids = async (filter: object) => {
        const { commands: found, total } = await commands().list({
          ...{ assetId: A1, limit: 2, offset: 0 },
          ...filter,
        });
        return [found.map(({ id }) => id), total];
      };

      expect(await ids({})).toEqual([["c3", "c2"], 3]);
      expect(await ids({ offset: 2 })).toEqual([["c1"], 3]);
      expect(await ids({ projectIds: [second.projectId] })).toEqual([["c2"], 1]);
      expect(await ids({ states: ["cancelled"] })).toEqual([["c3"], 1]);
    });

    it("commands are overdue while they are open and their time is over", async () => {
      const first = await commands().insert(newCommand("c1"));
      const second = await commands().insert(
        newCommand("c2", { expiresAtMs: first.expiresAtMs - 1 }),
      );
      const atMs = first.expiresAtMs;

      expect(await commands().overdue(second.expiresAtMs, 10)).toEqual(["c2"]);
      expect(await commands().overdue(atMs, 10)).toEqual(["c2", "c1"]);
      await commands().update(first.id, (before) => endOverdue(before, atMs));
      expect(await commands().overdue(atMs, 10)).toEqual(["c2"]);
    });

    it("commands expire when they have ended and are old; open ones stay", async () => {
      const old = await commands().insert(newCommand("c1"));
      await commands().insert(newCommand("c2"));
      await commands().update(old.id, (before) => withdraw(before, NOON_MS));

      expect(await commands().expire(NOON_MS)).toBe(false);
      expect(await commands().find(old.id)).toBeDefined();
      await commands().expire(NOON_MS + 1);
      expect(await commands().find(old.id)).toBe(undefined);
      expect(await commands().head(A1)).toMatchObject({ id: "c2" });
    });

    it("commands are undone with the transaction that made them", async () => {
      const { store } = current();
      const undone = new Error("undone");
      const made = store.transaction(async (transaction) => {
        await transaction.commands.insert(newCommand("c1"));
        throw undone;
      });

      await expect(made).rejects.toBe(undone);
      expect(await commands().find("c1" as CommandId)).toBe(undefined);
      expect(await eventTypes()).toEqual([]);
    });
  });
}
