import { randomBytes } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openS3Files } from "../../../storage/files/s3.ts";
import type { FileStore, OpenedFile } from "../../../storage/ports/files.ts";
import { describeFileStore } from "../../contracts/file-store.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { S3, S3_REGION, type S3Server, startVersitygw } from "../../support/s3/versitygw.ts";
import { diskFullIsRequired, mountSmallDisk } from "../../support/small-disk.ts";
import { until } from "../../support/until.ts";

type Options = Parameters<typeof openS3Files>[0];

const HOUR_MS = 3_600_000;
const MIB = 1024 ** 2;
/** As large as a file has to be that no buffer between server and reader holds it whole. */
const LARGE_BYTES = 48 * MIB;

const absence = S3.absent === undefined ? "" : ` (skipped: ${S3.absent})`;

it.runIf(S3.required)("a real S3 server is there, as required", () => {
  expect(S3.absent).toBeUndefined();
});

describe.skipIf(S3.absent !== undefined)(`S3 files on a real server${absence}`, () => {
  let server: S3Server;
  let count = 0;
  const opened: FileStore[] = [];

  const optionsOf = (at: S3Server, change: Partial<Options> = {}): Options => ({
    bucket: `bucket-${count}`,
    endpoint: at.url,
    region: S3_REGION,
    credentials: at.keys,
    pathStyle: true,
    publicBaseUrl: () => "https://cdn.test",
    ...change,
  });
  /** In the bucket of the last `fresh`. */
  async function connect(change: Partial<Options> = {}): Promise<FileStore> {
    const store = await openS3Files(optionsOf(server, change));
    opened.push(store);
    return store;
  }
  /** In a bucket of its own. */
  function fresh(change: Partial<Options> = {}): Promise<FileStore> {
    count += 1;
    return connect(change);
  }

  beforeAll(async () => {
    server = await startVersitygw();
  });
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await server?.close();
  });

  describeFileStore("versitygw", async () => ({
    store: await fresh(),
    cleanUp: async () => undefined,
  }));

  it("the store of S3 files makes the bucket where there is none, also when two processes start at once", async () => {
    count += 1;
    const [first, second] = await Promise.all([connect(), connect()]);
    await first.put("a.txt", Buffer.from("x"));
    expect((await second.stat("a.txt"))?.bytes).toBe(1);
  });

  it("the store of S3 files sends a large file in parts, and gives it back to the byte", async () => {
    const store = await fresh();
    const content = randomBytes(17 * MIB);
    const stored = await store.put("a.tif", Readable.from([content]));
    // S3's tag of a file in three parts.
    expect([stored.bytes, stored.etag.split("-")[1]]).toEqual([content.length, "3"]);
    const whole = await store.get("a.tif");
    expect(whole && (await buffer(whole.body)).equals(content)).toBe(true);
    const over = await store.get("a.tif", { first: 8 * MIB - 5, last: 8 * MIB + 4 });
    const expected = content.subarray(8 * MIB - 5, 8 * MIB + 5);
    expect(over && (await buffer(over.body)).equals(expected)).toBe(true);
  });

  it("the store of S3 files leaves no part behind of an upload that is too large or cut off", async () => {
    const store = await fresh();
    const pieces = () => Readable.from([randomBytes(12 * MIB), randomBytes(12 * MIB)]);
    await expect(store.put("a.tif", pieces(), { maxBytes: 20 * MIB })).rejects.toMatchObject({
      code: "FILE_TOO_LARGE",
    });
    const broken = Readable.from(
      (async function* () {
        yield randomBytes(20 * MIB);
        throw new Error("cut off");
      })(),
    );
    await expect(store.put("b.tif", broken)).rejects.toThrow("cut off");
    // The SDK takes them back once the parts under way have ended.
    await until("no part is left", async () => (await uploadsIn()) === 0, PATIENT_MS);
    expect(await keysOf(store)).toEqual([]);
  });

  it("the store of S3 files takes back the parts that a killed process left a day ago, and those of nobody else", async () => {
    const store = await fresh();
    await store.put("kept.txt", Buffer.from("x"));
    const sdk = await import("@aws-sdk/client-s3");
    const client = clientOf(sdk);
    await client.send(new sdk.CreateMultipartUploadCommand({ Bucket: bucket(), Key: "left.tif" }));
    await connect();
    expect(await uploadsIn()).toBe(1);
    await connect({ leftBehindMs: 0 });
    client.destroy();
    expect([await uploadsIn(), await keysOf(store)]).toEqual([0, ["kept.txt"]]);
  });

  it("the store of S3 files lists more files than one answer has", async () => {
    const store = await fresh();
    const keys = Array.from({ length: 1_003 }, (_, i) => `a/${String(i).padStart(4, "0")}.txt`);
    // An object of it is a file of the bucket's folder; a thousand requests would take seconds.
    const folder = join(server.dir, bucket());
    await mkdir(join(folder, "a"));
    for (const key of keys) await writeFile(join(folder, key), "x");
    expect(await keysOf(store)).toEqual(keys);
  });

  it("a signed address of S3 gives the file and ranges of it, with its type, until it ends, and no other file", async () => {
    const store = await fresh();
    await store.put("images/a.jpg", Buffer.from("0123456789"));
    await store.put("images/b.jpg", Buffer.from("another"));
    const url = await store.url("images/a.jpg", Date.now() + HOUR_MS);
    const whole = await fetch(url);
    expect([whole.status, whole.headers.get("content-type"), await whole.text()]).toEqual([
      200,
      "image/jpeg",
      "0123456789",
    ]);
    const part = await fetch(url, { headers: { range: "bytes=2-5" } });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      "bytes 2-5/10",
      "2345",
    ]);
    const other = await fetch(url.replace("a.jpg", "b.jpg"));
    const bare = await fetch(url.split("?")[0] ?? "");
    const put = await fetch(url, { method: "PUT", body: "mine" });
    const ended = await fetch(await store.url("images/a.jpg", Date.now() - HOUR_MS));
    expect([other.status, bare.status, put.status, ended.status]).toEqual([403, 403, 403, 403]);
  });

  describe("that refuses", () => {
    const poor = { accessKeyId: "poor", secretAccessKey: "poor-secret" };
    beforeAll(async () => {
      await fresh();
      await server.addUser(poor);
    });

    it.each<[string, Partial<Options>, string]>([
      [
        "a wrong secret",
        { credentials: { accessKeyId: "plumbline-root", secretAccessKey: "no" } },
        "S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID (403 SignatureDoesNotMatch",
      ],
      [
        "an unknown key",
        { credentials: { accessKeyId: "nobody", secretAccessKey: "no" } },
        "the server does not know S3_ACCESS_KEY_ID (403 InvalidAccessKeyId",
      ],
      [
        "a bucket of somebody else",
        { credentials: poor },
        "the credentials of S3_ACCESS_KEY_ID need more rights in S3_BUCKET (403 AccessDenied",
      ],
      [
        "a new bucket of somebody who may not make one",
        { credentials: poor, bucket: "nobody-made-it" },
        'S3_BUCKET: there is no bucket "nobody-made-it", and it cannot be made',
      ],
      [
        "another region",
        { region: "eu-central-1" },
        "S3_REGION is not the region of the server (400 AuthorizationHeaderMalformed",
      ],
      [
        "a name that no bucket can have",
        { bucket: "Not_A_Bucket" },
        "S3_BUCKET is not a name that the server takes (400 InvalidBucketName",
      ],
    ])("the store of S3 files does not open with %s, and names the setting", async (_, change, message) => {
      await expect(connect(change)).rejects.toMatchObject({
        code: "SETTINGS_INVALID",
        message: expect.stringContaining(message),
      });
    });

    it.each<[string, Partial<Options>, string]>([
      [
        "nothing listens",
        { endpoint: "http://127.0.0.1:9" },
        "nothing listens at S3_ENDPOINT (ECONNREFUSED",
      ],
      [
        "the host is unknown",
        { endpoint: "http://nowhere.invalid" },
        "the host of S3_ENDPOINT is not known (ENOTFOUND",
      ],
    ])("the store of S3 files does not open where %s, and names the setting", async (_, change, message) => {
      await expect(connect(change)).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringContaining(message),
      });
    });

    it("the store of S3 files does not open where https was set for a server without it, and names the setting", async () => {
      const endpoint = server.url.replace("http:", "https:");
      await expect(connect({ endpoint })).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringContaining("is it http instead of https?"),
      });
    });
  });

  it("the store of S3 files names the bucket that is gone, and does not take its files for deleted ones", async () => {
    const store = await fresh();
    await store.put("a.txt", Buffer.from("x"));
    const [here, away] = [join(server.dir, bucket()), join(server.dir, `${bucket()}-away`)];
    await rename(here, away);
    const gone = {
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining(`no bucket "${bucket()}" (S3_BUCKET)`),
    };
    await expect(store.stat("a.txt")).rejects.toMatchObject(gone);
    await expect(store.get("a.txt")).rejects.toMatchObject(gone);
    await rename(away, here);
    expect((await store.stat("a.txt"))?.bytes).toBe(1);
    expect(await store.stat("b.txt")).toBeUndefined();
  });

  it("many files that are read slowly keep nobody from the others", async () => {
    const store = await fresh({ waits: { answer: 10_000, part: 10_000, idle: 10_000 } });
    await store.put("a.tif", Readable.from([randomBytes(12 * MIB)]));
    const slow = await Promise.all(Array.from({ length: 60 }, () => store.get("a.tif")));
    expect((await store.stat("a.tif"))?.bytes).toBe(12 * MIB);
    for (const one of slow) one?.body.destroy();
  });

  describe("that fails", () => {
    let own: S3Server;
    const waits = { answer: 1_000, part: 1_000, idle: 3_000 };
    beforeAll(async () => {
      own = await startVersitygw();
    });
    afterAll(() => own?.close());

    async function open(change: Partial<Options> = {}): Promise<FileStore> {
      const store = await openS3Files(optionsOf(own, change));
      opened.push(store);
      return store;
    }
    beforeEach(() => {
      count += 1;
    });
    async function readAll({ body }: OpenedFile, onFirst: () => unknown): Promise<void> {
      for await (const _ of body) await onFirst();
    }

    it("a file of S3 that breaks off because the server was killed is an unavailable store, and is whole once the server is back", async () => {
      const store = await open();
      const content = randomBytes(LARGE_BYTES);
      await store.put("a.tif", content);
      const read = await store.get("a.tif");
      await expect(read && readAll(read, () => own.kill())).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
      });
      const away = { code: "STORE_UNAVAILABLE", message: expect.stringContaining("S3_ENDPOINT") };
      await expect(store.stat("a.tif")).rejects.toMatchObject(away);
      await expect(store.put("b.txt", Buffer.from("x"))).rejects.toMatchObject(away);
      await own.start();
      const again = await store.get("a.tif");
      expect(again && (await buffer(again.body)).equals(content)).toBe(true);
      expect(await store.stat("b.txt")).toBeUndefined();
    });

    it("an upload to S3 whose server is killed fails, keeps the old file, and can be sent again", async () => {
      const store = await open();
      await store.put("a.tif", Buffer.from("old"));
      const content = Readable.from(
        (async function* () {
          yield randomBytes(20 * MIB);
          await own.kill();
          yield randomBytes(20 * MIB);
        })(),
      );
      await expect(store.put("a.tif", content)).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
      });
      await own.start();
      const old = await store.get("a.tif");
      expect(old && (await buffer(old.body)).toString()).toBe("old");
      expect((await store.put("a.tif", Buffer.from("new!"))).bytes).toBe(4);
    });

    it("S3 files of a server that is silent fail in time and name the setting, and are served once it speaks again", async () => {
      const store = await open();
      const hasty = await open({ waits });
      await store.put("a.txt", Buffer.from("x"));
      await own.freeze();
      const late = {
        code: "STORE_UNAVAILABLE",
        message: expect.stringContaining("S3_ENDPOINT does not answer in time"),
      };
      await Promise.all([
        expect(hasty.stat("a.txt")).rejects.toMatchObject(late),
        expect(hasty.put("b.txt", Buffer.from("x"))).rejects.toMatchObject(late),
      ]);
      own.thaw();
      expect((await store.stat("a.txt"))?.bytes).toBe(1);
    });

    it("a file of S3 that is silent in its middle fails in time; a reader that rests does not end it", async () => {
      const store = await open();
      const hasty = await open({ waits });
      await store.put("a.tif", randomBytes(LARGE_BYTES));
      const rests = await hasty.get("a.tif");
      let read = 0;
      await (rests &&
        readAll(rests, async () => {
          read += 1;
          if (read === 1) await delay(1.5 * waits.idle);
        }));
      const silent = await hasty.get("a.tif");
      await expect(silent && readAll(silent, () => own.freeze())).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringContaining("sent nothing for 3000 ms"),
      });
      own.thaw();
    });
  });

  it("an upload to S3 whose disk is full fails, says so, and harms no other file", async (context) => {
    const disk = await mountSmallDisk("ext4", 64 * MIB);
    if ("unavailable" in disk) {
      expect(diskFullIsRequired()).toBe(false);
      return context.skip(disk.unavailable);
    }
    const full = await startVersitygw({ dir: disk.dir });
    count += 1;
    const store = await openS3Files(optionsOf(full));
    try {
      await store.put("old.txt", Buffer.from("old"));
      disk.leave(10 * MIB);
      await expect(
        store.put("large.tif", Readable.from([randomBytes(40 * MIB)])),
      ).rejects.toMatchObject({
        code: "DISK_FULL",
        message: "the disk of S3_ENDPOINT is full",
      });
      expect(await keysOf(store)).toEqual(["old.txt"]);
      disk.relieve();
      expect((await store.put("large.tif", randomBytes(20 * MIB))).bytes).toBe(20 * MIB);
    } finally {
      await store.close();
      await full.close();
      await disk.unmount();
    }
  });

  const bucket = () => `bucket-${count}`;
  async function keysOf(store: FileStore): Promise<readonly string[]> {
    const keys: string[] = [];
    for await (const { key } of store.list("")) keys.push(key);
    return keys;
  }
  const clientOf = ({ S3Client }: typeof import("@aws-sdk/client-s3")) =>
    new S3Client({
      endpoint: server.url,
      region: S3_REGION,
      credentials: server.keys,
      forcePathStyle: true,
    });
  /** Uploads in parts in the bucket of the last `fresh` that nobody ended. */
  async function uploadsIn(): Promise<number> {
    const sdk = await import("@aws-sdk/client-s3");
    const client = clientOf(sdk);
    const { Uploads } = await client.send(
      new sdk.ListMultipartUploadsCommand({ Bucket: bucket() }),
    );
    client.destroy();
    return Uploads?.length ?? 0;
  }
});
