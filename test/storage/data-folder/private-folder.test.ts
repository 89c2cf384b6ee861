import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makePrivateFolder } from "../../../storage/data-folder/private-folder.ts";

async function scratch(use: (dir: string) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "private-folder-"));
  await use(dir).finally(() => rm(dir, { recursive: true }));
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

it("a new data folder is closed to everybody but its owner, whatever the umask", async () => {
  await scratch(async (dir) => {
    const path = join(dir, "new", "data");
    expect(await makePrivateFolder(path)).toBeUndefined();
    expect(await modeOf(path)).toBe("700");
  });
});

it.each([
  ["secret.key"],
  ["lost+found"],
])("a data folder that others could enter, with %s in it, is narrowed, and the former mode is reported", async (name) => {
  await scratch(async (dir) => {
    await writeFile(join(dir, name), "");
    await chmod(dir, 0o755);
    expect(await makePrivateFolder(dir)).toEqual({ mode: "755", isNarrowed: true });
    expect(await modeOf(dir)).toBe("700");
  });
});

it("a folder that holds other people's files is reported and left as it is", async () => {
  await scratch(async (dir) => {
    await mkdir(join(dir, "somebody"));
    await chmod(dir, 0o1777);
    expect(await makePrivateFolder(dir)).toEqual({ mode: "1777", isNarrowed: false });
    expect(await modeOf(dir)).toBe("777");
  });
});
