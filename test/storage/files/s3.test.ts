import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { openS3Files } from "../../../storage/files/s3.ts";
import { describeFileStore } from "../../contracts/file-store.ts";
import { type S3Server, startS3Server } from "../../support/s3/s3-server.ts";

const DAY_MS = 86_400_000;
const KEYS = { accessKeyId: "AKIATEST", secretAccessKey: "secret/of+the=test" };

const connect = (server: S3Server, change: Partial<Parameters<typeof openS3Files>[0]> = {}) =>
  openS3Files({
    bucket: "site-files",
    endpoint: server.url,
    region: "eu-central-1",
    credentials: KEYS,
    pathStyle: true,
    publicBaseUrl: () => "https://cdn.test",
    ...change,
  });

// A real server of the protocol, where one is at hand, such as the versitygw of docker-compose.yml.
const realServer = process.env["TEST_S3_ENDPOINT"];
describe.skipIf(realServer === undefined)("with TEST_S3_ENDPOINT", () => {
  describeFileStore("the server at TEST_S3_ENDPOINT", async () => ({
    store: await openS3Files({
      // A fresh one for each case: the store makes it.
      bucket: `plumbline-test-${randomBytes(8).toString("hex")}`,
      endpoint: realServer,
      region: "us-east-1",
      credentials: {
        accessKeyId: process.env["TEST_S3_ACCESS_KEY_ID"] ?? "",
        secretAccessKey: process.env["TEST_S3_SECRET_ACCESS_KEY"] ?? "",
      },
      pathStyle: true,
      publicBaseUrl: () => "https://cdn.test",
    }),
    cleanUp: async () => undefined,
  }));
});

// The SDK is real, the server is ours.
describeFileStore("a server that answers as S3", async () => {
  const server = await startS3Server("site-files", KEYS);
  return { store: await connect(server), cleanUp: () => server.close() };
});

describe("S3 files", () => {
  async function withServer<T>(
    work: (server: S3Server) => Promise<T>,
    options: Parameters<typeof startS3Server>[2] = {},
  ): Promise<T> {
    const server = await startS3Server("site-files", KEYS, options);
    try {
      return await work(server);
    } finally {
      await server.close();
    }
  }

  it("the store of S3 files makes the bucket where there is none, and then uses it", () =>
    withServer(
      async (server) => {
        const [first, second] = await Promise.all([connect(server), connect(server)]);
        await first.put("a.txt", Buffer.from("x"));
        expect((await second.stat("a.txt"))?.bytes).toBe(1);
        await Promise.all([first.close(), second.close()]);
      },
      { hasBucket: false },
    ));

  it("S3 files name the setting when the bucket is missing and cannot be made", () =>
    withServer(
      async (server) => {
        await expect(connect(server)).rejects.toMatchObject({
          code: "SETTINGS_INVALID",
          message: expect.stringContaining('S3_BUCKET: there is no bucket "site-files"'),
        });
      },
      { hasBucket: false, mayCreate: false },
    ));

  it("the store of S3 files is unavailable with a wrong secret", () =>
    withServer(async (server) => {
      const credentials = { ...KEYS, secretAccessKey: "another" };
      await expect(connect(server, { credentials })).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
      });
    }));

  it("sends large files in parts, and the type that the key says", () =>
    withServer(async (server) => {
      const store = await connect(server);
      await store.put("a.jpg", randomBytes(100));
      await store.put("a.tif", Readable.from([randomBytes(17 * 1024 ** 2)]));
      await store.close();
      expect(server.objects.get("a.jpg")?.contentType).toBe("image/jpeg");
      expect(server.seen.filter((request) => request === "PUT part")).toHaveLength(3);
    }));

  it("the store of S3 files takes a part upload back that does not end", () =>
    withServer(async (server) => {
      const store = await connect(server);
      const large = Readable.from([randomBytes(12 * 1024 ** 2), randomBytes(12 * 1024 ** 2)]);
      const putting = store.put("a.tif", large, { maxBytes: 20 * 1024 ** 2 });
      await expect(putting).rejects.toMatchObject({ code: "FILE_TOO_LARGE" });
      await store.close();
      expect([server.openUploads, server.objects.size]).toEqual([0, 0]);
    }));

  it("the store of S3 files tries again where the service is in trouble for a moment", () =>
    withServer(async (server) => {
      const store = await connect(server);
      server.failNext(2, 503);
      const { bytes } = await store.put("a.txt", Buffer.from("x"));
      await store.close();
      expect(bytes).toBe(1);
    }));

  it("the store of S3 files is unavailable where the trouble stays", () =>
    withServer(async (server) => {
      const store = await connect(server);
      server.failNext(100, 500);
      const reading = store.stat("a.txt");
      await expect(reading).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      await store.close();
    }));

  it("the store of S3 files signs addresses that the service itself accepts", () =>
    withServer(async (server) => {
      const store = await connect(server);
      await store.put("images/a.jpg", Buffer.from("hello"));
      const url = await store.url("images/a.jpg", Date.now() + 60_000);
      await store.close();
      const [good, bad] = await Promise.all([fetch(url), fetch(url.replace("a.jpg", "b.jpg"))]);
      expect([good.status, await good.text(), bad.status]).toEqual([200, "hello", 403]);
    }));

  it("the store of S3 files gives one address for one end, whenever it is asked for on a day", () =>
    withServer(async (server) => {
      const store = await connect(server);
      await store.put("images/a.jpg", Buffer.from("hello"));
      const atMs = Math.floor(Date.now() / 1_000) * 1_000;
      const urls: string[] = [];
      vi.useFakeTimers({ toFake: ["Date"] });
      for (const passedMs of [0, 1_500, DAY_MS - 3_600_001]) {
        vi.setSystemTime(atMs + passedMs);
        urls.push(await store.url("images/a.jpg", atMs + 3 * DAY_MS - 3_600_000));
      }
      vi.useRealTimers();
      await store.close();
      const [first = ""] = urls;
      expect(urls).toEqual([first, first, first]);
      const { searchParams } = new URL(first);
      const signedAt = new Date(atMs - 3_600_000).toISOString().replaceAll(/[-:]|\.\d+/g, "");
      expect([searchParams.get("X-Amz-Date"), searchParams.get("X-Amz-Expires")]).toEqual([
        signedAt,
        "259200",
      ]);
      expect((await fetch(first)).status).toBe(200);
    }));

  it("gives public files the address of the CDN", () =>
    withServer(async (server) => {
      const store = await connect(server);
      const url = await store.url("public/logo.png", Date.now());
      await store.close();
      expect(url).toBe("https://cdn.test/public/logo.png");
    }));
});
