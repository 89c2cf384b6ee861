import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openLocalFiles } from "../../../storage/files/local.ts";
import { createFileUrlSigner } from "../../../storage/files/signed-url.ts";
import { describeFileStore } from "../../contracts/file-store.ts";

const signer = createFileUrlSigner(new Uint8Array(32).fill(3));
const open = (dir: string) =>
  openLocalFiles({ dir, baseUrl: () => "http://plumbline.test/files", signer });

describeFileStore("a local folder", async () => {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-files-"));
  return { store: await open(dir), cleanUp: () => rm(dir, { recursive: true }) };
});

describe("local files", () => {
  it("local files are there after a restart, without what was unfinished", async () => {
    const dir = await mkdtemp(join(tmpdir(), "plumbline-files-"));
    const first = await open(dir);
    await first.put("a/b.txt", Buffer.from("kept"));
    await writeFile(join(dir, ".unfinished", "half"), "half a file");
    await first.close();
    const second = await open(dir);
    const stat = await second.stat("a/b.txt");
    const unfinished = await readdir(join(dir, ".unfinished"));
    await rm(dir, { recursive: true });
    expect([stat?.bytes, unfinished]).toEqual([4, []]);
  });

  it("the store of local files says which store is away when the folder cannot be written", async () => {
    const dir = await mkdtemp(join(tmpdir(), "plumbline-files-"));
    const store = await open(dir);
    await rm(join(dir, ".unfinished"), { recursive: true });
    const refused = store.put("a.txt", Buffer.from("x"));
    await expect(refused).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await rm(dir, { recursive: true });
  });

  it("the store of local files lists no link that leads elsewhere", async () => {
    const dir = await mkdtemp(join(tmpdir(), "plumbline-files-"));
    await mkdir(join(dir, "a"));
    await symlink("/etc/passwd", join(dir, "a", "link.txt"));
    const store = await open(dir);
    const keys: string[] = [];
    for await (const { key } of store.list("")) keys.push(key);
    await rm(dir, { recursive: true });
    expect(keys).toEqual([]);
  });
});
