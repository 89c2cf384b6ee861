import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openImageUploads } from "../../../api/surveys/image-uploads.ts";
import { fullDisk } from "../../../domain/platform/storage-shortage.ts";
import { type DiskSpace, openDiskSpace } from "../../../storage/disk/disk-space.ts";
import { openLocalFiles } from "../../../storage/files/local.ts";
import { createOwnAddresses } from "../../../storage/files/own-addresses.ts";
import { createFileUrlSigner } from "../../../storage/files/signed-url.ts";
import { NO_QUOTA } from "../../../storage/quota/quota.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, PEPPER, type TestApp } from "../../support/api-app.ts";

const MIB = 1024 ** 2;
const LINE = 200 * MIB;
const JPEG = Buffer.from("ffd8ffe000104a464946", "hex");

let dir: string;
/** Free space above the line of everybody but intake, bytes. */
let above: number;
let disk: DiskSpace;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-shortage-"));
  above = 0;
  disk = openDiskSpace({
    dir,
    minFreeBytes: LINE / 2,
    marginBytes: LINE / 2,
    space: () => ({ freeBytes: LINE + above, totalBytes: 1_000 * MIB }),
  });
});
afterEach(() => rm(dir, { recursive: true }));

async function openUploads() {
  const signer = createFileUrlSigner(PEPPER);
  const baseUrl = () => "https://site.test/files";
  const store = await openLocalFiles({ dir: join(dir, "files"), baseUrl, signer, disk });
  const files = { quota: NO_QUOTA, store, ...createOwnAddresses(signer, baseUrl, () => NOON_MS) };
  return await openImageUploads(join(dir, "incoming"), files, { disk });
}

async function upload(t: TestApp, sizes: readonly number[]) {
  const form = new FormData();
  for (const [i, size] of sizes.entries()) {
    const bytes = new Uint8Array(size).fill(i);
    bytes.set(JPEG);
    form.append("images", new Blob([bytes], { type: "image/jpeg" }), `${i}.jpg`);
  }
  const encoded = new Response(form);
  return await t.app.inject({
    method: "POST",
    url: "/api/v1/progress/images",
    headers: {
      authorization: `Bearer ${ADMIN_KEY}`,
      "content-type": encoded.headers.get("content-type") ?? "",
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
}

const leftovers = async () => [
  await readdir(join(dir, "incoming")),
  await readdir(join(dir, "files", ".unfinished")),
];

describe("while the disk has no room but for intake", () => {
  it("an upload ends in 507 before it is read, with the bytes that are left", async () => {
    above = 7 * MIB;
    await using t = await openTestApp({ uploads: await openUploads() });
    const answer = await upload(t, [12 * MIB]);
    const { error } = answer.json();
    expect([answer.statusCode, error.code]).toEqual([507, "insufficient_storage"]);
    expect(error.details).toEqual([
      {
        parameter: "disk",
        message: error.message,
        bytes_needed: expect.any(Number),
        bytes_left: 7 * MIB,
      },
    ]);
    expect(error.details[0].bytes_needed).toBeGreaterThan(12 * MIB);
    expect(answer.headers["retry-after"]).toBe("60");
    expect(await leftovers()).toEqual([[], []]);
  });

  it("an upload that runs out of space in the middle ends in 507 and leaves nothing behind", async () => {
    above = 100 * MIB;
    const uploads = await openUploads();
    await using t = await openTestApp({
      uploads: {
        ...uploads,
        async requireRoom(bytes) {
          await uploads.requireRoom(bytes);
          // Room for the first step of the stream, and not for the second.
          above = 6 * MIB;
        },
      },
    });
    const answer = await upload(t, [12 * MIB]);
    expect(answer.statusCode).toBe(507);
    expect([await leftovers(), disk.stats().promisedBytes]).toEqual([[[], []], 0]);
  });

  it("a full disk of others is said without figures, which it does not know", async () => {
    above = 100 * MIB;
    const store = () => Promise.reject(fullDisk("the disk of S3_ENDPOINT is full", undefined));
    await using t = await openTestApp({ uploads: { ...(await openUploads()), store } });
    const answer = await upload(t, [100]);
    expect([answer.statusCode, answer.json().error.details]).toEqual([
      507,
      [{ parameter: "disk", message: "the disk of S3_ENDPOINT is full" }],
    ]);
  });

  it("images stored before the disk ran out of space are answered with their addresses, the others as refused", async () => {
    above = 100 * MIB;
    const uploads = await openUploads();
    await using t = await openTestApp({
      uploads: {
        ...uploads,
        async store(content, about) {
          const stored = await uploads.store(content, about);
          above = 0;
          return stored;
        },
      },
    });
    const answer = await upload(t, [100, 200, 300]);
    const { images } = answer.json();
    expect(answer.statusCode).toBe(201);
    expect(images.map(({ status }: { status: string }) => status)).toEqual([
      "stored",
      "refused",
      "refused",
    ]);
    expect(images[1].reason).toMatch(/the disk has room for 0 MiB more/);
  });

  it("the refusal ends when space is free again: the same upload is taken", async () => {
    const uploads = await openUploads();
    await using t = await openTestApp({ uploads });
    const refused = await upload(t, [MIB]);
    above = 100 * MIB;
    const taken = await upload(t, [MIB]);
    expect([refused.statusCode, taken.statusCode]).toEqual([507, 201]);
  });

  it("with disk space for intake only, rows are refused with 507, and with 500 at endpoints of the contract, while reads and deletions go on", async () => {
    above = -LINE / 4;
    await using t = await openTestApp({ recordsDisk: disk });
    const projectId = await t.project();
    const assetId = await t.asset({ project_id: projectId });
    const fence = {
      name: "Yard",
      project_id: projectId,
      polygon: [
        [52.5, 13.4],
        [52.5, 13.41],
        [52.51, 13.41],
      ],
    };
    const van = { name: "Van", type: "van", project_id: projectId };
    const equipment = "/api/v1/equipment";
    const post = (path: string, body: object) =>
      t.send("POST", `${equipment}${path}`, ADMIN_KEY, body);
    const asset = await post("/assets", van);
    const geofence = await post("/geofences", fence);
    expect([asset.statusCode, asset.json().error.code]).toEqual([507, "insufficient_storage"]);
    expect([geofence.statusCode, geofence.json().error.code]).toEqual([500, "internal_error"]);
    expect(geofence.json().error.details[0]).toMatchObject({ parameter: "disk", bytes_left: 0 });
    const list = await t.get(`${equipment}/assets`, ADMIN_KEY);
    const dryRun = await post("/dry-run", { decoder: "senml", payload: [{ n: "x", v: 1 }] });
    const deleted = await t.send("DELETE", `${equipment}/assets/${assetId}`, ADMIN_KEY);
    expect([list.statusCode, dryRun.statusCode, deleted.statusCode]).toEqual([200, 200, 204]);
    above = 0;
    expect((await post("/assets", van)).statusCode).toBe(201);
  });

  it("a schedule is refused with 507 before it is read", async () => {
    above = MIB;
    await using t = await openTestApp({ recordsDisk: disk });
    const projectId = await t.project();
    const answer = await t.app.inject({
      method: "PUT",
      url: `/api/v1/progress/projects/${projectId}/schedule`,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "text/csv" },
      payload: Buffer.alloc(MIB, "a"),
    });
    expect([answer.statusCode, answer.json().error.details[0].bytes_left]).toEqual([507, MIB]);
  });
});
