import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StorageShortage } from "../../../domain/platform/storage-shortage.ts";
import { openS3Files } from "../../../storage/files/s3.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import { describeFileStore } from "../../contracts/file-store.ts";
import { type S3Stub, startS3Stub } from "../../support/s3/s3-stub.ts";

const DAY_MS = 86_400_000;

// The server of somebody else, such as AWS.
const realServer = process.env["TEST_S3_ENDPOINT"];
describe.skipIf(realServer === undefined)("with TEST_S3_ENDPOINT", () => {
  describeFileStore("the server at TEST_S3_ENDPOINT", async () => ({
    store: await openS3Files({
      // A fresh one for each case: the store makes it.
      bucket: `plumbline-test-${randomBytes(8).toString("hex")}`,
      endpoint: realServer,
      region: process.env["TEST_S3_REGION"] ?? "us-east-1",
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

// The SDK is real, the server is ours; a real server has s3-server.test.ts.
describe("S3 files without a real server", () => {
  let server: S3Stub;
  let store: FileStore;
  beforeEach(async () => {
    server = await startS3Stub();
    store = await openS3Files({
      bucket: "site-files",
      endpoint: server.url,
      region: "eu-central-1",
      credentials: { accessKeyId: "AKIATEST", secretAccessKey: "secret/of+the=test" },
      pathStyle: true,
      publicBaseUrl: () => "https://cdn.test",
    });
  });
  afterEach(async () => {
    await store.close();
    await server.close();
  });

  it("the store of S3 files tries again where the service is in trouble for a moment", async () => {
    server.failNext(2, 503, "SlowDown");
    const { bytes } = await store.put("a.txt", Buffer.from("x"));
    expect(bytes).toBe(1);
  });

  it("the store of S3 files sends a file again whose answer was lost", async () => {
    server.loseNext(2);
    const { bytes } = await store.put("a.txt", Buffer.from("xy"));
    expect([bytes, server.objects.get("a.txt")?.toString()]).toEqual([2, "xy"]);
  });

  it("the store of S3 files is unavailable where the trouble stays", async () => {
    server.failNext(100, 500);
    await expect(store.stat("a.txt")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it.each([
    [507, "XMinioStorageFull"],
    [507, "Unknown"],
    [400, "QuotaExceeded"],
  ])("an upload to S3 that is answered with %i %s meets a full disk", async (status, code) => {
    server.failNext(1, status, code);
    const refused = store.put("a.txt", Buffer.from("x"));
    await expect(refused).rejects.toBeInstanceOf(StorageShortage);
    await expect(refused).rejects.toMatchObject({
      code: "DISK_FULL",
      message: "the disk of S3_ENDPOINT is full",
    });
  });

  it.each([
    [400, "EntityTooLarge", "EntityTooLarge"],
    [403, "RequestTimeTooSkewed", "the clock of this machine is not the clock of S3_ENDPOINT"],
    [403, "AccessDenied", "the credentials of S3_ACCESS_KEY_ID need more rights in S3_BUCKET"],
  ])("an upload to S3 that is answered with %i %s says what to look at", async (status, code, why) => {
    server.failNext(1, status, code);
    await expect(store.put("a.txt", Buffer.from("x"))).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining(why),
    });
  });

  it("the store of S3 files gives one address for one end, whenever it is asked for on a day", async () => {
    const atMs = Math.floor(Date.now() / 1_000) * 1_000;
    const urls: string[] = [];
    vi.useFakeTimers({ toFake: ["Date"] });
    for (const passedMs of [0, 1_500, DAY_MS - 3_600_001]) {
      vi.setSystemTime(atMs + passedMs);
      urls.push(await store.url("images/a.jpg", atMs + 3 * DAY_MS - 3_600_000));
    }
    vi.useRealTimers();
    const [first = ""] = urls;
    expect(urls).toEqual([first, first, first]);
    const { searchParams } = new URL(first);
    const signedAt = new Date(atMs - 3_600_000).toISOString().replaceAll(/[-:]|\.\d+/g, "");
    expect([searchParams.get("X-Amz-Date"), searchParams.get("X-Amz-Expires")]).toEqual([
      signedAt,
      "259200",
    ]);
  });

  it("gives public files the address of the CDN", async () => {
    const url = await store.url("public/logo.png", Date.now());
    expect(url).toBe("https://cdn.test/public/logo.png");
  });
});
