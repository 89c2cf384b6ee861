import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NodeOdmClient } from "../../../../processing/engine/nodeodm/client.ts";
import {
  type RemoteSurvey,
  runRemoteSurvey,
} from "../../../../processing/engine/nodeodm/remote-survey.ts";
import type { ControlPoint } from "../../../../processing/engine/port/engine.ts";
import type { ImageFile } from "../../../../processing/images/files/image-file.ts";
import { NodeOdmStub } from "../../../support/nodeodm-stub.ts";
import { PATIENT_MS } from "../../../support/patience.ts";

const dsm = Uint8Array.from({ length: 50_000 }, (_, i) => i % 251);
const ortho = Uint8Array.from({ length: 9_000 }, (_, i) => i % 13);

describe("a survey at a NodeODM", () => {
  let dir: string;
  let node: NodeOdmStub;
  let images: ImageFile[];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "nodeodm-"));
    node = await NodeOdmStub.open();
    node.products = {
      "odm_dem/dsm.tif": dsm,
      "odm_orthophoto/odm_orthophoto.tif": ortho,
      "odm_report/report.pdf": Buffer.from("not wanted"),
    };
    images = await Promise.all(
      ["a b.JPG", "c.jpg", "c.jpg"].map(async (name, i) => {
        const path = join(dir, `image-${i}`);
        await writeFile(path, `pixels of ${i}`);
        return { path, name, sha256: `${i}`.padStart(64, "0") };
      }),
    );
  });
  afterEach(async () => {
    await node.close();
    await rm(dir, { recursive: true });
  });

  function run(changes: Partial<RemoteSurvey> = {}, token?: string) {
    const seen: { stage: string; percent: number }[] = [];
    const done = runRemoteSurvey(new NodeOdmClient(node.url, token), {
      images,
      controlPoints: [],
      dir,
      signal: new AbortController().signal,
      onProgress: (progress) => seen.push(progress),
      pollMs: 5,
      patienceMs: PATIENT_MS,
      ...changes,
    });
    return { done, seen };
  }

  it("a survey at a NodeODM sends every image once under a name of its own, and fetches surface and orthophoto", async () => {
    const { done, seen } = run();
    const products = await done;
    expect(new Uint8Array(await readFile(products.dsm))).toEqual(dsm);
    expect(new Uint8Array(await readFile(products.orthophoto ?? ""))).toEqual(ortho);
    const percents = seen.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(seen.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(["upload", "reconstruction", "download"]),
    );
    // Nothing is left at the node.
    expect(node.removed).toHaveLength(1);
    expect(node.tasks.size).toBe(0);
  });

  it("a survey at a NodeODM asks for a surface model, by the options' names at the node", async () => {
    node.step = 0;
    const stopping = new AbortController();
    const { done, seen } = run({ signal: stopping.signal });
    await expect.poll(() => seen.some(({ stage }) => stage === "reconstruction")).toBe(true);
    const [task] = [...node.tasks.values()];
    expect([...(task?.files.keys() ?? [])]).toEqual(["0000.jpg", "0001.jpg", "0002.jpg"]);
    expect(task?.options).toContainEqual({ name: "dsm", value: true });
    stopping.abort();
    await expect(done).rejects.toMatchObject({ name: "AbortError" });
    expect(node.canceled).toEqual([task?.uuid]);
    expect(node.removed).toEqual([task?.uuid]);
  });

  it("a survey at a NodeODM goes on with its task after a crash, and sends nothing again", async () => {
    node.step = 0;
    const { done, seen } = run({ patienceMs: 0 });
    await expect.poll(() => seen.some(({ stage }) => stage === "reconstruction")).toBe(true);
    // The process is gone: nobody cancels.
    node.cut = 1;
    await expect(done).rejects.toMatchObject({ code: "ENGINE_FAILED" });
    const [uuid] = [...node.tasks.keys()];
    node.step = 100;
    const again = run();
    await again.done;
    expect(node.removed).toEqual([uuid]);
    expect(again.seen.some(({ stage }) => stage === "upload")).toBe(false);
  });

  it("a survey at a NodeODM begins anew when the node has lost the task", async () => {
    await writeFile(
      join(dir, "nodeodm.json"),
      JSON.stringify({ uuid: "9b2f7f0e-8f4b-4c59-8b36-1c5d5f4b9f10", isFetched: false }),
    );
    const { done } = run();
    expect((await done).orthophoto).toBeDefined();
  });

  it("a survey at a NodeODM takes what it has fetched already, and does not ask the node again", async () => {
    await run().done;
    node.cut = 100;
    expect(await run().done).toEqual({
      dsm: join(dir, "dsm.tif"),
      orthophoto: join(dir, "orthophoto.tif"),
    });
    expect(node.cut).toBe(100);
  });

  it("a survey at a NodeODM outlasts a node that is away for a while", async () => {
    node.cut = 4;
    expect((await run().done).dsm).toBe(join(dir, "dsm.tif"));
    expect(node.cut).toBe(0);
  });

  it("a failed survey reports what the node's log says", async () => {
    node.failure = "[ERROR] not enough images with GPS";
    await expect(run().done).rejects.toMatchObject({
      code: "ENGINE_FAILED",
      message: "the NodeODM could not process the images: [ERROR] not enough images with GPS",
    });
  });

  it("a survey at a NodeODM begins anew when it is tried again after a failure", async () => {
    node.failure = "[ERROR] disk full";
    await expect(run().done).rejects.toMatchObject({ code: "ENGINE_FAILED" });
    node.failure = undefined;
    await run().done;
    expect(node.removed).toHaveLength(2);
  });

  it("a survey at a NodeODM does not take half an archive for a result", async () => {
    node.cutDownloadAt = 20_000;
    await expect(run().done).rejects.toMatchObject({ code: "ENGINE_FAILED" });
    expect((await run().done).dsm).toBe(join(dir, "dsm.tif"));
  });

  it("a survey at a NodeODM refuses an archive with a path that leads out of it", async () => {
    node.products = { ...node.products, "../../outside.txt": Buffer.from("no") };
    await expect(run().done).rejects.toThrow(/archive of the NodeODM is damaged/);
  });

  it("a survey at a NodeODM fails when the result holds no surface", async () => {
    node.products = { "odm_orthophoto/odm_orthophoto.tif": ortho };
    await expect(run().done).rejects.toThrow(/holds no odm_dem\/dsm.tif/);
  });

  it("a survey at a NodeODM says how many images the node takes", async () => {
    node.maxImages = 2;
    await expect(run().done).rejects.toThrow(/takes at most 2 images, the survey has 3/);
  });

  it("a survey sends its token to the node and fails when the token is wrong", async () => {
    node.token = "s3cret";
    expect((await run({}, "s3cret").done).dsm).toBeDefined();
    await rm(join(dir, "nodeodm.json"));
    await expect(run({}, "wrong").done).rejects.toThrow(
      /refused info: Invalid authentication token/,
    );
  });

  it("a survey at a NodeODM hands control points over, checks not among them", async () => {
    const point = (name: string, isCheck: boolean): ControlPoint => ({
      name,
      latDeg: 52.1,
      lonDeg: 13.2,
      heightM: 40,
      sigmaM: { horizontal: 0.02, vertical: 0.03 },
      isCheck,
      marks: [{ image: "a b.JPG", u: 10.5, v: 20 }],
    });
    await run({ controlPoints: [point("north east", false), point("check", true)] }).done;
    expect(await readFile(join(dir, "gcp_list.txt"), "utf8")).toBe(
      "EPSG:4326\n13.2 52.1 40 10.5 20 0000.jpg north_east\n",
    );
  });

  it("a survey at a NodeODM sends no list of control points where all of them are checks", async () => {
    const check: ControlPoint = {
      ...{ name: "check", latDeg: 52.1, lonDeg: 13.2, heightM: 40, isCheck: true },
      sigmaM: { horizontal: 0.02, vertical: 0.03 },
      marks: [{ image: "a b.JPG", u: 10.5, v: 20 }],
    };
    await run({ controlPoints: [check] }).done;
    await expect(readFile(join(dir, "gcp_list.txt"), "utf8")).rejects.toThrow(/ENOENT/);
  });
});
