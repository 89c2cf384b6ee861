import { randomBytes } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FileStore } from "../../storage/ports/files.ts";

/** A fresh, empty store. */
export interface FileStoreUnderTest {
  readonly store: FileStore;
  /** Removes whatever the store left; called after `close`. */
  readonly cleanUp: () => Promise<void>;
}

const HOUR_MS = 3_600_000;

/** The behaviour every FileStore adapter must have. Call it once per backend. */
export function describeFileStore(backend: string, open: () => Promise<FileStoreUnderTest>): void {
  describe(`FileStore on ${backend}`, () => {
    let store: FileStore;
    let opened: FileStoreUnderTest;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(async () => {
      await store.close();
      await opened.cleanUp();
    });

    async function contentOf(key: string, range?: { first: number; last: number }) {
      const found = await store.get(key, range);
      return found && (await buffer(found.body));
    }
    async function keys(prefix: string): Promise<string[]> {
      const found: string[] = [];
      for await (const { key } of store.list(prefix)) found.push(key);
      return found;
    }
    const text = (content: string) => Buffer.from(content);

    it("a file store gives back what was put, with its size, time and tag", async () => {
      const before = Date.now() - 2_000;
      const put = await store.put("images/a.jpg", text("hello"));
      const found = await store.get("images/a.jpg");
      expect(put).toEqual({
        key: "images/a.jpg",
        bytes: 5,
        etag: expect.stringMatching(/^[\w-]+$/),
        modifiedAtMs: expect.any(Number),
      });
      expect(put.modifiedAtMs).toBeGreaterThan(before);
      expect([found?.file, await store.stat("images/a.jpg")]).toEqual([put, put]);
      expect(found && (await buffer(found.body)).toString()).toBe("hello");
    });

    it("a file store keeps a stream of 20 MB byte by byte, in parts of odd sizes", async () => {
      const content = randomBytes(20 * 1024 ** 2 + 17);
      const parts = function* () {
        for (let at = 0; at < content.length; at += 100_003) {
          yield content.subarray(at, at + 100_003);
        }
      };
      const { bytes } = await store.put("surfaces/big.tif", Readable.from(parts()));
      expect(bytes).toBe(content.length);
      expect((await contentOf("surfaces/big.tif"))?.equals(content)).toBe(true);
    });

    it("a file store keeps an empty file", async () => {
      await store.put("empty.txt", new Uint8Array());
      const stat = await store.stat("empty.txt");
      expect([stat?.bytes, (await contentOf("empty.txt"))?.length]).toEqual([0, 0]);
    });

    it("a file store gives a range, and knows the whole size with it", async () => {
      await store.put("a.txt", text("0123456789"));
      const found = await store.get("a.txt", { first: 2, last: 5 });
      expect(found?.file.bytes).toBe(10);
      expect(found && (await buffer(found.body)).toString()).toBe("2345");
      expect((await contentOf("a.txt", { first: 9, last: 9 }))?.toString()).toBe("9");
    });

    it("a file store puts the new content in the place of the old, under another tag", async () => {
      const first = await store.put("a.txt", text("one"));
      const second = await store.put("a.txt", text("two"));
      expect(second.etag).not.toBe(first.etag);
      expect((await contentOf("a.txt"))?.toString()).toBe("two");
      expect(await keys("")).toEqual(["a.txt"]);
    });

    it("a file store has nothing under a key that was never stored or that is not a key", async () => {
      await store.put("a/b.txt", text("x"));
      const none = [
        "a",
        "a/",
        "a/b.txt/c",
        "b",
        "",
        "/a/b.txt",
        "../a/b.txt",
        "a//b.txt",
        "a/../b",
      ];
      for (const key of none) {
        expect([key, await store.stat(key), await store.get(key)]).toEqual([
          key,
          undefined,
          undefined,
        ]);
      }
    });

    it.each([
      "",
      "/",
      "a/",
      "/a",
      "..",
      "a/../b",
      ".hidden",
      "a/.b",
      "a b",
      "ü",
      "a\0",
      "a\\b",
    ])("a file store takes nothing under %j", async (key) => {
      await expect(store.put(key, text("x"))).rejects.toBeInstanceOf(RangeError);
      expect(await keys("")).toEqual([]);
    });

    it("a file store refuses a file larger than the limit and keeps the old one", async () => {
      await store.put("a.bin", text("old"));
      const large = Readable.from([randomBytes(9 * 1024 ** 2), randomBytes(9 * 1024 ** 2)]);
      await expect(store.put("a.bin", large, { maxBytes: 10 * 1024 ** 2 })).rejects.toMatchObject({
        code: "FILE_TOO_LARGE",
      });
      await expect(store.put("b.bin", text("1234"), { maxBytes: 3 })).rejects.toMatchObject({
        code: "FILE_TOO_LARGE",
      });
      expect((await contentOf("a.bin"))?.toString()).toBe("old");
      expect((await store.put("b.bin", text("123"), { maxBytes: 3 })).bytes).toBe(3);
    });

    it.each([
      ["fails", (stream: PassThrough) => stream.destroy(new Error("cut off"))],
      ["ends early", (stream: PassThrough) => stream.destroy()],
    ])("a file store keeps the old content when the stream %s", async (_, breakOff) => {
      await store.put("a.bin", text("old"));
      const stream = new PassThrough();
      const putting = store.put("a.bin", stream);
      stream.write(randomBytes(6 * 1024 ** 2), () => breakOff(stream));
      await expect(putting).rejects.toThrow();
      expect((await contentOf("a.bin"))?.toString()).toBe("old");
      expect(await keys("")).toEqual(["a.bin"]);
    });

    it("a file store deletes, also what is not there", async () => {
      await store.put("a/b.txt", text("x"));
      await store.delete("a/b.txt");
      await store.delete("a/b.txt");
      await store.delete("../a");
      expect([await store.stat("a/b.txt"), await keys("")]).toEqual([undefined, []]);
    });

    it("a file store lists by prefix in the order of the keys' bytes", async () => {
      const all = ["a-b/c.txt", "a.txt", "a/b.txt", "a/c/d.txt", "ab.txt", "b.txt"];
      for (const key of all.toReversed()) await store.put(key, text(key));
      expect(await keys("")).toEqual(all);
      expect(await keys("a/")).toEqual(["a/b.txt", "a/c/d.txt"]);
      expect(await keys("a/c")).toEqual(["a/c/d.txt"]);
      expect(await keys("ab")).toEqual(["ab.txt"]);
      expect(await keys("nothing/")).toEqual([]);
    });

    it("a file store makes lasting addresses below public/, and others that end", async () => {
      const open = new URL(await store.url("public/logo.png", Date.now() + HOUR_MS));
      const signed = new URL(await store.url("images/a.jpg", Date.now() + HOUR_MS));
      expect([open.pathname.endsWith("/public/logo.png"), open.search]).toEqual([true, ""]);
      expect(signed.pathname.endsWith("/images/a.jpg")).toBe(true);
      expect([...signed.searchParams.keys()].join(" ")).toMatch(/expires.*signature/i);
    });
  });
}
