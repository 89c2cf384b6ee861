import { describe, expect, it } from "vitest";
import { imageName } from "../../../../processing/images/files/image-name.ts";

describe("the name of an image", () => {
  it.each([
    ["https://site.example/a/DJI_0018.JPG?x=1", "DJI_0018.JPG"],
    ["https://site.example/files/ab.jpg?x=1#DJI%200018%231.JPG", "DJI 0018#1.JPG"],
    ["https://site.example/ab.jpg#", "ab.jpg"],
    ["https://site.example/ab.jpg#%E0%A4%A", "%E0%A4%A"],
    ["https://site.example/#../../etc/passwd", "passwd"],
    ["https://site.example/", "image 3"],
    ["data:image/jpeg;base64,AA#x", "image 3"],
    ["no address", "image 3"],
  ])("the name of an image of %s is %s", (entry, name) => {
    expect(imageName(entry, 2)).toBe(name);
  });
});
