import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { imageKey } from "../../../processing/images/files/image-key.ts";
import { ThreadPool } from "../../../processing/pool/pool.ts";
import type { Task } from "../../../processing/pool/task.ts";
import { NOON_MS, openTestApp, type TestApp } from "../../support/api-app.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { storeFlownSurvey, storeMeasuredSurvey } from "../../support/survey-site.ts";

const P1 = "p1" as ProjectId;
const P2 = "p2" as ProjectId;
const pool = new ThreadPool({ threads: 1, memoryBytes: 512 * 1024 ** 2 });
afterAll(() => pool.close());

/** An app that makes thumbnails, and notes how many. */
async function openGallery() {
  const made: string[] = [];
  const t = await openTestApp({
    runThumbnailTask(task, input, signal) {
      made.push(task.name);
      return pool.run(task, input, signal);
    },
  });
  return { t, made, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() };
}

/** 1,000 x 600: left half red, right half blue, as the file has it. */
async function halves(orientation?: number): Promise<Buffer> {
  const half = (colour: string) => ({
    create: { width: 500, height: 600, channels: 3 as const, background: colour },
  });
  const blue = await sharp(half("#0000ff")).png().toBuffer();
  const both = sharp(half("#ff0000"))
    .extend({ right: 500, background: "#ff0000" })
    .composite([{ input: blue, left: 500, top: 0 }])
    .jpeg({ quality: 95 });
  return await (orientation === undefined ? both : both.withMetadata({ orientation })).toBuffer();
}

async function store(t: TestApp, content: Buffer, kind: "jpg" | "png" = "jpg"): Promise<string> {
  const sha256 = createHash("sha256").update(content).digest("hex");
  const key = imageKey({ sha256, kind });
  await t.files.store.put(key, content);
  return key;
}

/** The path and query of an address that this service signed. */
const signed = (t: TestApp, key: string): string => {
  const { pathname, search } = new URL(t.files.sign(key, NOON_MS + 3_600_000));
  return `${pathname}${search}`;
};

describe("GET /files/images/... with ?w=", { timeout: PATIENT_MS }, () => {
  it.each([
    [1, 320, 192, "left"],
    [2, 320, 192, "right"],
    [3, 320, 192, "right"],
    [6, 320, 533, "top"],
    [8, 320, 533, "bottom"],
    [5, 320, 533, "top"],
    [7, 320, 533, "bottom"],
  ] as const)("an image of EXIF orientation %i is %i x %i as people see it, red at the %s", async (orientation, width, height, red) => {
    await using gallery = await openGallery();
    const { t } = gallery;
    const key = await store(t, await halves(orientation));
    const { statusCode, headers, rawPayload } = await t.get(`${signed(t, key)}&w=320`, undefined);
    expect([statusCode, headers["content-type"]]).toEqual([200, "image/webp"]);
    const small = sharp(rawPayload);
    const { data, info } = await small.raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([width, height]);
    const redAt = (x: number, y: number): boolean => {
      const at = (y * info.width + x) * info.channels;
      return (data[at] ?? 0) > 200 && (data[at + 2] ?? 0) < 60;
    };
    const middle = { x: Math.floor(info.width / 2), y: Math.floor(info.height / 2) };
    const found = {
      left: redAt(5, middle.y),
      right: redAt(info.width - 6, middle.y),
      top: redAt(middle.x, 5),
      bottom: redAt(middle.x, info.height - 6),
    };
    expect(found[red]).toBe(true);
    const other = { left: "right", right: "left", top: "bottom", bottom: "top" } as const;
    expect(found[other[red]]).toBe(false);
    const { exif } = await small.metadata();
    expect(exif).toBeUndefined();
  });

  it("a thumbnail is made once, has an entity tag, and may be kept for a week", async () => {
    await using gallery = await openGallery();
    const { t, made } = gallery;
    const url = `${signed(t, await store(t, await halves()))}&w=160`;
    const answers = await Promise.all([t.get(url, undefined), t.get(url, undefined)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const [first] = answers;
    const etag = String(first?.headers.etag);
    expect(first?.headers["cache-control"]).toBe("private, max-age=604800, immutable");
    expect(first?.headers["cross-origin-resource-policy"]).toBe("cross-origin");
    const again = await t.get(url, undefined, { "if-none-match": etag });
    expect([again.statusCode, again.payload]).toEqual([304, ""]);
    expect(made).toEqual(["make-thumbnail"]);
  });

  it("a small image is not enlarged", async () => {
    await using gallery = await openGallery();
    const { t } = gallery;
    const small = sharp({ create: { width: 80, height: 64, channels: 3, background: "#888" } });
    const key = await store(t, await small.jpeg().toBuffer());
    const { rawPayload } = await t.get(`${signed(t, key)}&w=1280`, undefined);
    const { width, height } = await sharp(rawPayload).metadata();
    expect([width, height]).toEqual([80, 64]);
  });

  it("any other width is a 400 that lists the widths, and decodes nothing", async () => {
    await using gallery = await openGallery();
    const { t, made } = gallery;
    const url = signed(t, await store(t, await halves()));
    for (const w of ["161", "0", "-320", "1e3", "320px", "", "99999999"]) {
      const { statusCode, payload } = await t.get(`${url}&w=${w}`, undefined);
      expect([w, statusCode]).toEqual([w, 400]);
      expect(payload).toContain("w must be one of 160, 320, 640, 1280");
    }
    expect((await t.get(`${url}&w=320&w=160`, undefined)).statusCode).toBe(400);
    expect(made).toEqual([]);
  });

  it("needs the signature of its image", async () => {
    await using gallery = await openGallery();
    const { t, made } = gallery;
    const [mine, other] = [await store(t, await halves()), await store(t, await halves(3))];
    const signature = signed(t, mine).split("?")[1];
    for (const url of [`/files/${mine}?w=320`, `/files/${other}?${signature}&w=320`]) {
      expect((await t.get(url, undefined)).statusCode).toBe(403);
    }
    expect(made).toEqual([]);
  });

  it("bombs and damaged files are a 400 in words, and the next image is made", async () => {
    await using gallery = await openGallery();
    const { t } = gallery;
    const bomb = await sharp({
      create: { width: 12_000, height: 12_000, channels: 3, background: "#000" },
    })
      .png({ compressionLevel: 9 })
      .toBuffer();
    const whole = await halves();
    const cut = Buffer.concat([whole.subarray(0, 200), Buffer.alloc(100)]);
    for (const [content, kind] of [
      [bomb, "png"],
      [cut, "jpg"],
      [Buffer.from("ffd8ffe000104a464946", "hex"), "jpg"],
    ] as const) {
      const url = `${signed(t, await store(t, content, kind))}&w=320`;
      const { statusCode, payload } = await t.get(url, undefined);
      expect(statusCode).toBe(400);
      expect(JSON.parse(payload).error.code).toBe("unusable_images");
    }
    const good = `${signed(t, await store(t, whole))}&w=320`;
    expect((await t.get(good, undefined)).statusCode).toBe(200);
  });

  it("is a 404 where the image is deleted, and a 400 for files that are no uploads", async () => {
    await using gallery = await openGallery();
    const { t } = gallery;
    const gone = imageKey({ sha256: "a".repeat(64), kind: "jpg" });
    expect((await t.get(`${signed(t, gone)}&w=320`, undefined)).statusCode).toBe(404);
    await t.files.store.put("stockpiles/a/b/1/hillshade.png", await halves());
    const { statusCode, payload } = await t.get(
      `${signed(t, "stockpiles/a/b/1/hillshade.png")}&w=320`,
      undefined,
    );
    expect([statusCode, JSON.parse(payload).error.code]).toEqual([400, "invalid_parameter"]);
  });

  it("pictures of views and reference pictures of cameras are there in a width too", async () => {
    await using gallery = await openGallery();
    const { t } = gallery;
    const sha256 = "b".repeat(64);
    for (const key of [`captures/cap_1/views/${sha256}.jpg`, `cameras/cam_1/${sha256}.jpg`]) {
      await t.files.store.put(key, await halves());
      const { statusCode, rawPayload } = await t.get(`${signed(t, key)}&w=640`, undefined);
      expect([key, statusCode]).toEqual([key, 200]);
      expect(await sharp(rawPayload).metadata()).toMatchObject({ format: "webp", width: 640 });
    }
  });

  it("beyond 600 that wait, requests are answered with 503 and Retry-After", async () => {
    const waiting: (() => void)[] = [];
    await using t = await openTestApp({
      runThumbnailTask: <Input, Output>(_task: Task<Input, Output>) =>
        new Promise<Output>((resolve) => {
          waiting.push(() => resolve(new Uint8Array([1]) as Output));
        }),
    });
    const content = await halves();
    const keys = await Promise.all(
      Array.from({ length: 610 }, (_, i) =>
        store(t, Buffer.concat([content, Buffer.from([i % 256, i >> 8])])),
      ),
    );
    // An injected request begins when it is awaited.
    const answers = keys.map(async (key) => await t.get(`${signed(t, key)}&w=160`, undefined));
    const refused = await Promise.race(answers);
    expect(refused.statusCode).toBe(503);
    expect(refused.headers["retry-after"]).toBe("5");
    const finish = setInterval(() => {
      for (const end of waiting.splice(0)) end();
    }, 1);
    const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
    clearInterval(finish);
    expect(statuses.filter((status) => status === 200)).toHaveLength(602);
    expect(statuses.filter((status) => status === 503)).toHaveLength(8);
  });
});

describe("signed addresses of images in captures and measurements", () => {
  const RECORDED = new Date(NOON_MS - 3_600_000).toISOString();

  it("a capture and a measurement sign the uploads that their jobs read, and nothing else", async () => {
    await using t = await openTestApp();
    await t.project({ id: P1 });
    const own = await store(t, await halves());
    const foreign = await store(t, await halves(3));
    const flight = await storeFlownSurvey(t, "flight", P1, RECORDED, {
      images: [
        { url: `https://site.test/files/${own}`, stored_key: own, status: "used" },
        // As somebody sends it who knows a hash, or the address of another tenant: nothing was proved by it.
        {
          url: `https://site.test/files/${foreign}`,
          status: "rejected",
          reason: "was answered with status 403",
        },
        { url: `https://evil.test/files/${foreign}`, status: "used" },
      ],
      createdAt: RECORDED,
    });
    const key = await t.key({ scopes: ["progress:read", "materials:read"], project_ids: [P1] });
    const shown = (await t.get(`/api/v1/progress/captures/${flight}`, key)).json();
    const addresses: (string | null)[] = shown.images.map(
      ({ signed_url }: { signed_url: string | null }) => signed_url,
    );
    expect(addresses.map((one) => one !== null)).toEqual([true, false, false]);
    expect(t.files.keyOf(String(addresses[0]))).toBe(own);
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`${foreign}\\?`));

    const measured = await storeMeasuredSurvey(t, "pile", P1, {
      recorded_at: RECORDED,
      image_uses: [
        { name: "a.jpg", use: "used", reason: undefined, stored_key: own },
        { name: "b.jpg", use: "unreadable", reason: "b.jpg is damaged" },
      ],
    });
    const one = (
      await t.get(
        `/api/v1/materials/stockpiles/${measured.stockpile_id}/measurements/${measured.id}`,
        key,
      )
    ).json();
    expect(
      one.image_uses.map(({ signed_url }: { signed_url: string | null }) => signed_url !== null),
    ).toEqual([true, false]);

    await t.project({ id: P2 });
    const second = await t.key({ scopes: ["progress:read", "materials:read"], project_ids: [P2] });
    expect((await t.get(`/api/v1/progress/captures/${flight}`, second)).statusCode).toBe(404);
  });

  it("is null once uploads of that time are deleted", async () => {
    await using t = await openTestApp();
    await t.project({ id: P1 });
    const own = await store(t, await halves());
    const createdAt = new Date(NOON_MS - 7 * 86_400_000).toISOString();
    const flight = await storeFlownSurvey(t, "flight", P1, createdAt, {
      images: [{ url: "https://site.test/x", stored_key: own, status: "used" }],
      createdAt,
    });
    const key = await t.key({ scopes: ["progress:read"], project_ids: [P1] });
    const shown = (await t.get(`/api/v1/progress/captures/${flight}`, key)).json();
    expect(shown.images[0].signed_url).toBeNull();
  });
});
