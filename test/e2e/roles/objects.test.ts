import { randomBytes } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PATIENT_MS } from "../../support/patience.ts";
import { startVersitygw } from "../../support/s3/versitygw.ts";
import { diskFullIsRequired, mountSmallDisk } from "../../support/small-disk.ts";
import { surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import { until } from "../../support/until.ts";
import {
  ADMIN_KEY,
  BUCKET,
  type Cluster,
  openCluster,
  type RoleProcess,
  SERVERS,
} from "./cluster.ts";

const PROJECT = "quarry";
const MIB = 1024 ** 2;
/** Of noise, whose JPEG is larger than one part of an upload (8 MiB). */
const LARGE_SIDE_PX = 3_200;

interface Survey {
  readonly products: { readonly surface_url: string; readonly orthomosaic_url: string };
}
interface JobView {
  readonly status: string;
  readonly stage: string;
  readonly progress_percent: number;
  readonly attempts: number;
  readonly error?: { readonly message: string };
}

const absence = SERVERS.absent === undefined ? "" : ` (skipped: ${SERVERS.absent})`;

describe.skipIf(SERVERS.absent !== undefined)(
  `a flight on processes that share PostgreSQL and S3${absence}`,
  () => {
    let cluster: Cluster;
    let api: RoleProcess;
    let photographs: readonly string[];
    beforeAll(async () => {
      cluster = await openCluster();
      api = await cluster.start("api");
      const set = await surveySet(TINY_SURVEY);
      const { latDeg: latitude, lonDeg: longitude } = set.truth.origin;
      const location = { latitude, longitude };
      await api.api.post("/projects", { id: PROJECT, name: "Quarry", location });
      photographs = set.images;
    });
    afterAll(() => cluster?.close());

    const authorization = `Bearer ${ADMIN_KEY}`;
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${api.service.http}/api/v1${path}`, { headers: { authorization }, ...init });

    async function send(files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): Promise<Response> {
      const form = new FormData();
      for (const [name, bytes] of files) form.append("images", new Blob([bytes]), name);
      return await call(`/progress/images?project_id=${PROJECT}`, { method: "POST", body: form });
    }
    async function addresses(response: Response): Promise<readonly string[]> {
      expect(response.status).toBe(201);
      const { images } = (await response.json()) as {
        readonly images: readonly { url: string }[];
      };
      return images.map(({ url }) => url);
    }
    const bytesOf = async (path: string) => Uint8Array.from(await readFile(path));

    /** Files of the bucket by key, in bytes, without what the server keeps for itself. */
    async function stored(): Promise<ReadonlyMap<string, number>> {
      const folder = join(cluster.s3.dir, BUCKET);
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => !path.includes("/.sgwtmp/"));
      const sizes = paths.map(
        async (path) => [path.slice(folder.length + 1), (await stat(path)).size] as const,
      );
      return new Map(await Promise.all(sizes));
    }
    const sum = (sizes: ReadonlyMap<string, number>) =>
      [...sizes.values()].reduce((total, bytes) => total + bytes, 0);
    const usage = () =>
      api.api.get<{ used_bytes: number; files: number }>(`/projects/${PROJECT}/storage`);
    const job = (id: string) => api.api.get<JobView>(`/jobs/${id}`);
    const becomes = (id: string, what: string, holds: (found: JobView) => boolean) =>
      until(
        `the job ${what}`,
        async () => {
          const found = await job(id);
          if (found.status === "failed") throw new Error(JSON.stringify(found.error));
          return holds(found) ? found : undefined;
        },
        PATIENT_MS,
      );
    /** Uploads the flight and asks for its survey. */
    async function begin(): Promise<{ readonly id: string; readonly job_id: string }> {
      const files = new Map<string, Uint8Array<ArrayBuffer>>();
      for (const path of photographs) files.set(basename(path), await bytesOf(path));
      const images = await addresses(await send(files));
      expect(images).toHaveLength(photographs.length);
      return await api.api.post("/surveys", { project_id: PROJECT, images });
    }
    async function remove(id: string, surface: string): Promise<void> {
      expect((await call(`/surveys/${id}`, { method: "DELETE" })).status).toBe(204);
      const isOver = async () => [...(await stored()).keys()].every((key) => !key.includes(id));
      await until("its files are gone", isOver, PATIENT_MS);
      expect((await fetch(surface)).status).toBe(404);
    }

    it("a file larger than a part of an upload goes to S3 in parts, and is served whole and in ranges by an address that ends", async () => {
      const raw = { width: LARGE_SIDE_PX, height: LARGE_SIDE_PX, channels: 3 } as const;
      const noise = randomBytes(LARGE_SIDE_PX ** 2 * 3);
      const large = Uint8Array.from(await sharp(noise, { raw }).jpeg({ quality: 100 }).toBuffer());
      const [url = ""] = await addresses(await send(new Map([["large.jpg", large]])));
      const whole = await fetch(url);
      expect(whole.status).toBe(200);
      expect(Buffer.from(await whole.arrayBuffer()).equals(large)).toBe(true);
      // S3's tag of a file in parts ends with their number.
      expect(whole.headers.get("etag")).toMatch(/-[2-9]"$/);
      const part = await fetch(url, { headers: { range: "bytes=8388600-8388615" } });
      expect([part.status, part.headers.get("content-range")]).toEqual([
        206,
        `bytes 8388600-8388615/${large.length}`,
      ]);
      const expected = large.subarray(8_388_600, 8_388_616);
      expect(Buffer.from(await part.arrayBuffer()).equals(expected)).toBe(true);
      expect((await fetch(url.split("?")[0] ?? "")).status).toBe(403);
      const kept = await stored();
      expect(await usage()).toMatchObject({ used_bytes: sum(kept), files: kept.size });
    });

    it("a process that shares only PostgreSQL and S3 makes a survey of a flight; its products are served by the API and by S3 itself, and are gone with it", async () => {
      const before = await stored();
      const { id, job_id } = await begin();
      const processing = await cluster.start("processing", { WORKERS: "1" });
      await becomes(job_id, "is done", ({ status }) => status === "completed");
      expect((await processing.service.end("SIGTERM")).code).toBe(0);
      const { products } = await api.api.get<Survey>(`/surveys/${id}`);
      const served = [
        [products.surface_url, api.service.http],
        [products.orthomosaic_url, cluster.s3.url],
      ] as const;
      for (const [url, origin] of served) {
        expect(new URL(url).origin).toBe(origin);
        const head = await fetch(url, { headers: { range: "bytes=0-3" } });
        expect([head.status, (await head.text()).slice(0, 2)]).toEqual([206, "II"]);
        expect((await fetch(url.split("?")[0] ?? "")).status).toBe(403);
      }
      const kept = await stored();
      expect(kept.size).toBeGreaterThan(before.size + photographs.length);
      expect(await usage()).toMatchObject({ used_bytes: sum(kept), files: kept.size });
      await remove(id, products.surface_url);
      // The photographs stay as long as uploads do.
      const left = [...(await stored()).keys()].filter((key) => !before.has(key));
      expect(left).toHaveLength(photographs.length);
    });

    it("S3 that is killed in the middle of a survey fails no job: it waits, goes on once S3 is back, and loses nothing", async () => {
      const { id, job_id } = await begin();
      const processing = await cluster.start("processing", { WORKERS: "1" });
      // No stage by name: a quick machine passes one before it is stored.
      await becomes(
        job_id,
        "is in its middle",
        ({ status, progress_percent }) => status === "running" && progress_percent > 5,
      );
      await cluster.s3.kill();
      // Away for everybody: an upload is refused, and nothing is counted for it.
      const before = await usage();
      const refused = await send(new Map([["a.jpg", await bytesOf(photographs[0] ?? "")]]));
      expect(refused.status).toBe(500);
      // Any other failure would end the job with its third attempt.
      const waits = await becomes(
        job_id,
        "has tried three times",
        ({ attempts, status }) => attempts === 3 && status === "queued",
      );
      expect(waits.stage).toBe("waiting for a store that does not answer");
      expect(await usage()).toEqual(before);
      const logged = [...api.service.output, ...processing.service.output].join("\n");
      expect(logged).toContain("nothing listens at S3_ENDPOINT");

      await cluster.s3.start();
      await becomes(
        job_id,
        "is done",
        ({ status, attempts }) => status === "completed" && attempts === 4,
      );
      const { products } = await api.api.get<Survey>(`/surveys/${id}`);
      expect((await fetch(products.surface_url)).status).toBe(200);
      const kept = await stored();
      expect(await usage()).toMatchObject({ used_bytes: sum(kept), files: kept.size });
      await remove(id, products.surface_url);
      expect((await processing.service.end("SIGTERM")).code).toBe(0);
    });

    it("an upload to S3 whose disk is full is answered with 507, and taken when there is room again", async (context) => {
      const disk = await mountSmallDisk("ext4", 64 * MIB);
      if ("unavailable" in disk) {
        expect(diskFullIsRequired()).toBe(false);
        return context.skip(disk.unavailable);
      }
      const full = await startVersitygw({ dir: disk.dir });
      const own = await cluster.start("api", { S3_ENDPOINT: full.url });
      const upload = async (): Promise<Response> => {
        const form = new FormData();
        form.append("images", new Blob([await bytesOf(photographs[0] ?? "")]), "a.jpg");
        const path = `/api/v1/progress/images?project_id=${PROJECT}`;
        const headers = { authorization };
        return await fetch(`${own.service.http}${path}`, { method: "POST", headers, body: form });
      };
      try {
        disk.leave(0);
        const refused = await upload();
        expect([refused.status, refused.headers.get("retry-after")]).toEqual([507, "60"]);
        expect(await refused.json()).toMatchObject({
          error: { code: "insufficient_storage", message: "the disk of S3_ENDPOINT is full" },
        });
        disk.relieve();
        expect((await upload()).status).toBe(201);
      } finally {
        await own.service.end("SIGTERM");
        await full.close();
        await disk.unmount();
      }
    });

    it.each([
      ["a wrong secret", { S3_SECRET_ACCESS_KEY: "wrong" }, /^plumbline: .*S3_SECRET_ACCESS_KEY/m],
      [
        "an address where nothing listens",
        { S3_ENDPOINT: "http://127.0.0.1:9" },
        /^plumbline: .*S3_ENDPOINT/m,
      ],
      ["another region", { S3_REGION: "eu-central-1" }, /^plumbline: .*S3_REGION/m],
    ])("a process does not start with %s of S3, and names the setting", async (_, environment, line) => {
      expect(await cluster.fail("processing", environment)).toMatch(line);
    });
  },
);
