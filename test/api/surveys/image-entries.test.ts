import { describe, expect, it } from "vitest";
import { DetailedError } from "../../../api/errors/detailed-error.ts";
import { requireSurvey } from "../../../api/materials/measurements/survey-images.ts";
import { readImageEntries } from "../../../api/surveys/image-entries.ts";
import { createAddressRules } from "../../../outbound/address-rules.ts";

/** The rules of a service that may fetch from 10.1.0.0/16; its own addresses end in `?signed`. */
const RULES = {
  addresses: createAddressRules(["10.1.0.0/16"]),
  keyOf: (url: string) => /^https:\/\/own\/files\/(.+)\?signed/.exec(url)?.[1],
};
const urls = (count: number) =>
  Array.from({ length: count }, (_, i) => `https://site.example/flight/${i}.jpg`);
const data = (hex: string) => `data:image/x;base64,${Buffer.from(hex, "hex").toString("base64")}`;
const JPEG = data("ffd8ffe000104a464946");
const TIFF = data("49492a0008000000");

/** As POST /stockpiles/{id}/measure reads them. */
function readSurvey(images: unknown) {
  const entries = readImageEntries(images, RULES, 300);
  requireSurvey(entries);
  return entries;
}

function refusal(images: unknown): DetailedError {
  try {
    readSurvey(images);
  } catch (error) {
    if (error instanceof DetailedError) return error;
  }
  throw new Error("these images are not refused");
}

describe("the images of a measurement", () => {
  it("the images of a measurement are URLs, objects with one, data: URLs and our own addresses, in their order", () => {
    const own = "https://own/files/images/ab.jpg?signed&expires=1";
    const images = [{ url: "http://10.1.2.3:9000/a.jpg" }, ...urls(3), JPEG, own];
    expect(readSurvey(images)).toEqual({
      urls: ["http://10.1.2.3:9000/a.jpg", ...urls(3), JPEG, own],
      // By its content, whichever signature leads to it.
      identities: ["http://10.1.2.3:9000/a.jpg", ...urls(3), JPEG, "images/ab.jpg"],
    });
  });

  it("images are shown to people by the names in their entries", () => {
    const url = "https://own/files/images/ab.jpg?signed&expires=1";
    const read = (entry: unknown) => readSurvey([entry, ...urls(4)]);
    expect(read({ url, name: "../DJI 0018#1.JPG", status: "stored" })).toMatchObject({
      urls: [`${url}#DJI%200018%231.JPG`, ...urls(4)],
      identities: ["images/ab.jpg", ...urls(4)],
    });
    for (const name of ["", "  ", 18, undefined]) expect(read({ url, name }).urls[0]).toBe(url);
    expect(read({ url, name: "\ud800.jpg" }).urls[0]).toBe(`${url}#%EF%BF%BD.jpg`);
    expect(read({ url: `${url}#mine.jpg`, name: "other.jpg" }).urls[0]).toBe(`${url}#mine.jpg`);
    expect(read({ url: `${url}#camera=cam_1&zone=z1`, name: "a b.jpg" }).urls[0]).toBe(
      `${url}#camera=cam_1&zone=z1&name=a%20b.jpg`,
    );
    const named = `${url}#zone=z1&name=mine.jpg`;
    expect(read({ url: named, name: "other.jpg" }).urls[0]).toBe(named);
    const long = `https://site.example/${"a".repeat(2_020)}.jpg`;
    expect(read({ url: long, name: "DJI_0018.JPG" }).urls[0]).toBe(long);
    expect(read({ url: JPEG, name: "DJI_0018.JPG" }).urls[0]).toBe(JPEG);
  });

  it.each([
    ["nothing", undefined, "images is required"],
    ["null", null, "images must be an array of image URLs, not null"],
    ["a text", "https://site.example/1.jpg", "images must be an array of image URLs, not a string"],
    ["an empty array", [], "images must name at least one image"],
    ["301", urls(301), "images must have at most 300 entries, not 301"],
    ["10,000", urls(10_000), "images must have at most 300 entries, not 10000"],
  ])("the images of a measurement are refused when they are %s", (_name, images, message) => {
    expect(refusal(images)).toMatchObject({ code: "PARAMETER_INVALID", message });
  });

  it.each([
    ["a number", 7, "must be a URL, or an object with a text `url`, not a number"],
    ["null", null, "must be a URL, or an object with a text `url`, not null"],
    ["an object without a URL", { href: "x" }, /, not an object$/],
    ["an object whose URL is a number", { url: 7 }, /, not an object$/],
    ["no URL", "flight/1.jpg", "must be an absolute http or https URL"],
    ["a file", "file:///etc/passwd", "must be an absolute http or https URL"],
    ["ftp", "ftp://site.example/1.jpg", "must be an absolute http or https URL"],
    ["javascript", "javascript:alert(1)", "must be an absolute http or https URL"],
    ["too long", `https://site.example/${"x".repeat(2_048)}`, "must have at most 2048 characters"],
    ["with a password", "https://a:b@site.example/1.jpg", /user name or a password/],
    ["of loopback", "http://127.0.0.1/1.jpg", /not allowed/],
    ["of loopback in another notation", "http://0x7f.1/1.jpg", /not allowed/],
    ["of a private network", "http://192.168.1.7/1.jpg", /not allowed/],
    ["of a cloud's metadata", "http://169.254.169.254/latest", /not allowed/],
    ["of IPv6 loopback", "http://[::1]/1.jpg", /not allowed/],
    ["at a strange port", "http://8.8.8.8:22/1.jpg", /not allowed/],
    ["data: that is not base64", "data:image/jpeg,abc", "is not a data: URL in base64"],
    ["data: that is not an image", data("3c68746d6c3e"), "is not a JPEG, PNG, TIFF or WebP image"],
  ])("a measurement is refused, with the place of the entry, for one image entry that is %s", (_name, entry, message) => {
    const { code, details } = refusal([...urls(5), entry, ...urls(2)]);
    expect({ code, details }).toEqual({
      code: "PARAMETER_INVALID",
      details: [
        {
          parameter: "images[5]",
          message: typeof message === "string" ? message : expect.stringMatching(message),
        },
      ],
    });
  });

  it("the images of a measurement are refused naming eight wrong entries at most", () => {
    const { message, details } = refusal(Array.from({ length: 300 }, () => "nonsense"));
    expect(message).toBe("images[0] must be an absolute http or https URL");
    expect(details.map(({ parameter }) => parameter)).toEqual(
      Array.from({ length: 8 }, (_, i) => `images[${i}]`),
    );
  });

  it("the images of a measurement are too few below five, by the gate that a survey of them would meet", () => {
    for (const count of [1, 2, 3, 4]) {
      const { code, message, details } = refusal(urls(count));
      expect([code, details]).toMatchObject([
        "IMAGES_UNUSABLE",
        [
          {
            parameter: "images",
            gate: "TOO_FEW_IMAGES",
            value: count,
            threshold: 5,
            unit: "images",
            images: [],
          },
        ],
      ]);
      expect(message).toMatch(new RegExp(`^TOO_FEW_IMAGES: ${count} images \\(at least 5\\)`));
    }
    expect(readSurvey(urls(5)).urls).toHaveLength(5);
  });

  it("the images of a measurement may be one raster of heights, and what an address without an ending holds is seen later", () => {
    const surfaces = [
      "https://site.example/dsm.tif?v=2",
      "https://site.example/DSM.TIFF",
      "https://site.example/download?id=7",
      "https://own/files/images/ab.tif?signed",
      TIFF,
    ];
    for (const url of surfaces) expect(readSurvey([{ url }]).urls).toEqual([url]);
    const photographs = ["https://site.example/1.JPG", "https://own/files/images/ab.png?signed"];
    for (const url of [...photographs, JPEG]) expect(refusal([url]).code).toBe("IMAGES_UNUSABLE");
    expect(refusal([surfaces[0], surfaces[1]]).code).toBe("IMAGES_UNUSABLE");
  });
});
