import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Downloader } from "../../../outbound/downloader.ts";
import { openImageFolder } from "../../../processing/images/files/image-folder.ts";
import {
  createImageResolver,
  type ImageResolver,
} from "../../../processing/images/resolve-images.ts";
import { openLocalFiles } from "../../../storage/files/local.ts";
import { createOwnAddresses } from "../../../storage/files/own-addresses.ts";
import { createFileUrlSigner } from "../../../storage/files/signed-url.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const MIB = 1024 ** 2;
const JPEG = Buffer.from("ffd8ffe000104a464946", "hex");
const jpeg = (text: string) => Buffer.concat([JPEG, Buffer.from(text)]);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const never = () => new AbortController().signal;

let dir: string;
let fetched: string[];
let setUp: (maxSetBytes?: number) => Promise<ImageResolver>;
const addresses = createOwnAddresses(
  createFileUrlSigner(new Uint8Array(32).fill(7)),
  () => "https://site.test/plumbline/files",
  () => NOW_MS,
);

/** What the internet answers, by URL. */
const ANSWERS: Readonly<Record<string, Buffer | Awaited<ReturnType<Downloader["download"]>>>> = {
  "https://cdn.test/flights/DJI%200001.JPG?v=2": jpeg("one"),
  "https://cdn.test/b.jpg": jpeg("two"),
  "https://cdn.test/page.jpg": Buffer.from("<html>not an image</html>"),
  "https://cdn.test/gone.jpg": { status: 404 },
  "http://10.0.0.1/a.jpg": { failure: "blocked" },
  "https://cdn.test/huge.jpg": { failure: "too large" },
  "https://cdn.test/slow.jpg": { failure: "timeout" },
};

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "plumbline-resolve-"));
  fetched = [];
  setUp = async (maxSetBytes) => {
    const store = await openLocalFiles({
      dir: join(dir, "files"),
      baseUrl: () => "",
      signer: createFileUrlSigner(new Uint8Array(32)),
    });
    await store.put(`images/${sha256(jpeg("mine"))}.jpg`, jpeg("mine"));
    return createImageResolver({
      folder: await openImageFolder(join(dir, "images")),
      files: { store, keyOf: addresses.keyOf },
      downloader: {
        async download(url, sink) {
          fetched.push(url);
          const answer = ANSWERS[url] ?? { failure: "host not found" };
          if (!Buffer.isBuffer(answer)) return answer;
          sink().write(answer);
          return { bytes: answer.length };
        },
      },
      ...(maxSetBytes === undefined ? {} : { maxSetBytes }),
    });
  };
});
afterEach(() => rm(dir, { recursive: true }));

describe("the entries of `images`", () => {
  it("the entries of images become files named by their content, in their order, whatever kind of address they are", async () => {
    const resolver = await setUp();
    const own = addresses.sign(`images/${sha256(jpeg("mine"))}.jpg`, NOW_MS + 1_000);
    const data = `data:image/png;base64,${jpeg("inline").toString("base64")}`;
    const progress: number[] = [];
    const outcomes = await resolver.resolve(
      ["https://cdn.test/flights/DJI%200001.JPG?v=2", own, data],
      { signal: never(), onFetched: (done) => progress.push(done) },
    );
    const file = (content: string, name: string, storedKey?: string) => ({
      value: {
        path: join(dir, "images", `${sha256(jpeg(content))}.jpg`),
        sha256: sha256(jpeg(content)),
        name,
        ...(storedKey === undefined ? {} : { storedKey }),
      },
    });
    expect(outcomes).toEqual([
      file("one", "DJI 0001.JPG"),
      file("mine", `${sha256(jpeg("mine"))}.jpg`, `images/${sha256(jpeg("mine"))}.jpg`),
      file("inline", "image 3"),
    ]);
    const [first] = outcomes;
    expect(first !== undefined && "value" in first && (await readFile(first.value.path))).toEqual(
      jpeg("one"),
    );
    expect(progress).toEqual([1, 2, 3]);
    expect(fetched).toEqual(["https://cdn.test/flights/DJI%200001.JPG?v=2"]);
  });

  it("only a signed address says that an image is an upload: not the same path without a signature, nor the same bytes", async () => {
    const resolver = await setUp();
    const key = `images/${sha256(jpeg("mine"))}.jpg`;
    const data = `data:image/jpeg;base64,${jpeg("mine").toString("base64")}`;
    const own = addresses.sign(key, NOW_MS + 1_000);
    const outcomes = await resolver.resolve(
      [
        own,
        data,
        `https://site.test/plumbline/files/${key}`,
        own.replace("signature=", "signature=x"),
      ],
      { signal: never() },
    );
    expect(
      outcomes.map((one) => ("value" in one ? (one.value.storedKey ?? "none") : "refused")),
    ).toEqual([key, "none", "refused", "refused"]);
  });

  it("the entries of images are refused one by one, in words that name the image and no address", async () => {
    const resolver = await setUp();
    const outcomes = await resolver.resolve(
      [
        "https://cdn.test/gone.jpg",
        "http://10.0.0.1/a.jpg",
        "https://cdn.test/huge.jpg",
        "https://cdn.test/slow.jpg",
        "https://cdn.test/page.jpg",
        "https://cdn.test/b.jpg",
        "data:image/svg+xml,<svg/>",
        "data:;base64,!!!!",
        `data:;base64,${Buffer.from("<svg/>").toString("base64")}`,
      ],
      { signal: never() },
    );
    expect(outcomes.map((one) => ("refused" in one ? one.refused : "taken"))).toEqual([
      "gone.jpg was answered with status 404",
      "a.jpg leads to an address or a port that is not allowed",
      "huge.jpg is larger than 50 MiB",
      "slow.jpg could not be fetched: timeout",
      "page.jpg is not a JPEG, PNG, TIFF or WebP image",
      "taken",
      "image 7 is not a data: URL in base64",
      "image 8 holds what is not base64",
      "image 9 is not a JPEG, PNG, TIFF or WebP image",
    ]);
    expect(await readdir(join(dir, "images"))).toEqual([`${sha256(jpeg("two"))}.jpg`]);
  });

  it("the entries of images of ours are read from the store only while their signature holds", async () => {
    const resolver = await setUp();
    const key = `images/${sha256(jpeg("mine"))}.jpg`;
    const expired = addresses.sign(key, NOW_MS - 1_000);
    const forged = addresses.sign(key, NOW_MS + 1_000).replace(/signature=./, "signature=-");
    const gone = addresses.sign("images/absent.jpg", NOW_MS + 1_000);
    const outcomes = await resolver.resolve([expired, forged, gone], { signal: never() });
    expect(outcomes).toEqual([
      { refused: expect.stringMatching(/could not be fetched: host not found$/) },
      { refused: expect.stringMatching(/could not be fetched: host not found$/) },
      { refused: "absent.jpg is not stored any more" },
    ]);
    // They were fetched like every other address.
    expect(fetched).toEqual([expired, forged]);
  });

  it("the entries of images are refused from the one on that makes the set too large", async () => {
    const resolver = await setUp(20);
    const outcomes = await resolver.resolve(["https://cdn.test/b.jpg", "https://cdn.test/b.jpg"], {
      signal: never(),
    });
    const refused = outcomes.filter((one) => "refused" in one);
    expect(refused).toEqual([
      { refused: `b.jpg makes the images larger than ${20 / MIB} MiB together` },
    ]);
  });

  it("the entries of images are not fetched any more once they are too large together", async () => {
    const resolver = await setUp(20);
    const entries = Array.from({ length: 40 }, () => "https://cdn.test/b.jpg");
    const outcomes = await resolver.resolve(entries, { signal: never() });
    expect(outcomes.filter((one) => "refused" in one)).toHaveLength(39);
    // One is enough to be stored; three others are in flight by then.
    expect(fetched.length).toBeLessThanOrEqual(8);
  });

  it("the entries of images are not fetched any more once one failed by no fault of its own", async () => {
    const resolver = await setUp();
    const own = addresses.sign(`images/${sha256(jpeg("mine"))}.jpg`, NOW_MS + 1_000);
    // A link to itself: the store cannot open it (ELOOP).
    const stored = join(dir, "files", "images", `${sha256(jpeg("mine"))}.jpg`);
    await rm(stored);
    await symlink(stored, stored);
    const entries = [own, ...Array.from({ length: 100 }, () => "https://cdn.test/b.jpg")];
    await expect(resolver.resolve(entries, { signal: never() })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    const before = fetched.length;
    await delay(100);
    expect(fetched).toHaveLength(before);
    expect(before).toBeLessThan(100);
  });

  it("the entries of images end with the signal's reason", async () => {
    const resolver = await setUp();
    const stopped = AbortSignal.abort("canceled");
    const resolving = resolver.resolve(["https://cdn.test/b.jpg"], { signal: stopped });
    await expect(resolving).rejects.toBe("canceled");
  });
});

describe("the folder of images", () => {
  it("the folder of images forgets what was not used for long, and what was never finished", async () => {
    const folder = await openImageFolder(dir);
    const keep = (text: string) =>
      folder.keep(async (sink) => {
        sink.write(jpeg(text));
      });
    const [old, used] = [await keep("old"), await keep("used")];
    const longAgo = new Date(NOW_MS);
    await writeFile(join(dir, "incoming-of-a-crash"), "half");
    for (const name of await readdir(dir)) await utimes(join(dir, name), longAgo, longAgo);
    expect(await folder.find(used.sha256, "jpg")).toEqual(used);
    await folder.sweep(NOW_MS + 1);
    expect(await readdir(dir)).toEqual([`${used.sha256}.jpg`]);
    expect(await folder.find(old.sha256, "jpg")).toBeUndefined();
  });
});
