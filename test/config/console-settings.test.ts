import { expect, it } from "vitest";
import { readSettings } from "../../config/settings.ts";
import { fileOrigins } from "../../roles/console.ts";

const TILES = "https://tiles.example.com/{z}/{x}/{y}.png";

it("the console is served, without a tile server, unless settings say otherwise", () => {
  expect(readSettings({})).toMatchObject({
    console: "true",
    mapTileUrl: undefined,
    mapAttribution: undefined,
    mapMaxZoom: 19,
  });
});

it("MAP_TILE_URL needs MAP_ATTRIBUTION", () => {
  expect(() => readSettings({ MAP_TILE_URL: TILES })).toThrow(/MAP_TILE_URL needs MAP_ATTRIBUTION/);
  const settings = readSettings({ MAP_TILE_URL: TILES, MAP_ATTRIBUTION: "© Somebody" });
  expect(settings).toMatchObject({ mapTileUrl: TILES, mapAttribution: "© Somebody" });
});

it.each([
  "tiles.example.com/{z}/{x}/{y}.png",
  "ftp://tiles.example.com/{z}/{x}/{y}.png",
  "https://tiles.example.com/{z}/{x}.png",
  "https://{s}.tiles.example.com/{z}/{x}/{y}.png",
  "https://user:secret@tiles.example.com/{z}/{x}/{y}.png",
  // It would end a directive of the Content-Security-Policy.
  "https://tiles.example.com;script-src/{z}/{x}/{y}.png",
])("MAP_TILE_URL=%s is refused", (url) => {
  const environment = { MAP_TILE_URL: url, MAP_ATTRIBUTION: "Somebody" };
  expect(() => readSettings(environment)).toThrow(/MAP_TILE_URL=/);
});

it.each([
  [{}, []],
  [{ CDN_URL: "https://cdn.example.com/files" }, ["https://cdn.example.com"]],
  [{ S3_BUCKET: "b", S3_REGION: "eu-1" }, ["https://b.s3.eu-1.amazonaws.com"]],
  [
    { S3_BUCKET: "b", S3_ENDPOINT: "http://minio:9000", S3_PATH_STYLE: "true" },
    ["http://minio:9000"],
  ],
  [{ S3_BUCKET: "b", S3_ENDPOINT: "https://s3.example.com" }, ["https://b.s3.example.com"]],
])("the console may load files where answers say they are: %o", (environment, origins) => {
  expect(fileOrigins(readSettings(environment))).toEqual(origins);
});
