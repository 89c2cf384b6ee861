import { describe, expect, it } from "vitest";
import { OpenUploads } from "../../../api/uploads/open-uploads.ts";
import type { ProjectId } from "../../../domain/ids.ts";
import { UNFINISHED_UPLOAD_MS, type Upload } from "../../../domain/platform/upload.ts";

const P1 = "p1" as ProjectId;
const NOW_MS = Date.UTC(2026, 10, 28, 12);

const upload = (id: string, change: Partial<Upload> = {}): Upload => ({
  ...{ id, keyId: "key_a", projectId: P1, name: "a.jpg", lengthBytes: 10 },
  ...{ createdAtMs: NOW_MS, stored: undefined, ...change },
});

function open(before: readonly Upload[] = []) {
  const clock = { ms: NOW_MS };
  const files = {
    async *unfinished() {
      yield* before;
    },
  };
  return { clock, uploads: new OpenUploads(files, () => clock.ms) };
}

describe("unfinished uploads", () => {
  it("a key may have 1,000 of them, those from before a restart included; another key is not held up", async () => {
    const { uploads } = open(Array.from({ length: 990 }, (_, i) => upload(`before-${i}`)));
    for (let i = 0; i < 10; i += 1) await uploads.add(upload(`own-${i}`));
    await expect(uploads.add(upload("more"))).rejects.toMatchObject({
      statusCode: 429,
      message: expect.stringContaining("At most 1000 uploads of a key may be unfinished"),
    });
    await uploads.add(upload("other", { keyId: "key_b" }));
    uploads.remove("own-3");
    await uploads.add(upload("again"));
  });

  it("a process has 10,000 of them at most, whoever began them", async () => {
    const { uploads } = open(
      Array.from({ length: 10_000 }, (_, i) => upload(`u${i}`, { keyId: `key_${i % 20}` })),
    );
    await expect(uploads.add(upload("more", { keyId: "key_new" }))).rejects.toMatchObject({
      statusCode: 429,
    });
  });

  it("one that has ended by time does not count", async () => {
    const { uploads, clock } = open(Array.from({ length: 1_000 }, (_, i) => upload(`u${i}`)));
    clock.ms += UNFINISHED_UPLOAD_MS + 1;
    await uploads.add(upload("new", { createdAtMs: clock.ms }));
    expect(await uploads.bytesOf(P1)).toBe(10);
  });

  it("the announced bytes of a project's unfinished uploads are summed, for its quota", async () => {
    const { uploads } = open([
      upload("a", { lengthBytes: 1_000 }),
      upload("b", { lengthBytes: 500, projectId: undefined }),
    ]);
    await uploads.add(upload("c", { lengthBytes: 30 }));
    expect(await uploads.bytesOf(P1)).toBe(1_030);
  });

  it("a store that is away is asked again at the next upload", async () => {
    let asked = 0;
    const uploads = new OpenUploads(
      {
        // biome-ignore lint/correctness/useYield: it fails before it has any
        async *unfinished() {
          asked += 1;
          if (asked === 1) throw new Error("away");
        },
      },
      () => NOW_MS,
    );
    await expect(uploads.add(upload("a"))).rejects.toThrow("away");
    await uploads.add(upload("a"));
    expect(asked).toBe(2);
  });
});
