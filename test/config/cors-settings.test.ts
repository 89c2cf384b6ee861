import { expect, it } from "vitest";
import { readSettings } from "../../config/settings.ts";

const read = (CORS_ORIGINS: string) => readSettings({ CORS_ORIGINS }).corsOrigins;

it("no page of others may call the API unless CORS_ORIGINS names its origin", () => {
  expect(readSettings({}).corsOrigins).toEqual([]);
  expect(read("*")).toEqual(["*"]);
  expect(read(" https://a.example.com, http://localhost:5173 ,,https://a.example.com")).toEqual([
    "https://a.example.com",
    "http://localhost:5173",
  ]);
});

it.each([
  "https://a.example.com/",
  "https://a.example.com/app",
  "https://A.example.com",
  "https://a.example.com:443",
  "https://user@a.example.com",
  "https://*.example.com",
  "a.example.com",
  "ftp://a.example.com",
  "file:///",
  "null",
  "*,https://a.example.com",
])("CORS_ORIGINS refuses %s, which no browser sends as an origin or which contradicts itself", (text) => {
  expect(() => read(text)).toThrow("CORS_ORIGINS");
});
