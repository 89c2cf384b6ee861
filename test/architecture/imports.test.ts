import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOMS = [
  "client",
  "cli",
  "domain",
  "config",
  "storage",
  "outbound",
  "tls",
  "ingest",
  "processing",
  "api",
  "roles",
  "simulators",
];
const root = new URL("../../", import.meta.url).pathname;

interface Report {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly { readonly rule: { readonly name: string } }[];
  };
  readonly modules: readonly { readonly source: string }[];
}

function cruise(): Report {
  const args = ["depcruise", "-c", ".dependency-cruiser.cjs", "--output-type", "json"];
  const out = execFileSync(
    "npx",
    [...args, "main.ts", "program.ts", "demo.ts", "cli.ts", ...ROOMS],
    {
      cwd: decodeURIComponent(root),
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return JSON.parse(out) as Report;
}

function sourceFiles(): readonly string[] {
  return ROOMS.flatMap((room) =>
    readdirSync(join(decodeURIComponent(root), room), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => `${room}/${file}`),
  );
}

describe("import direction", () => {
  it("no import points upwards, and every source file was read", () => {
    const report = cruise();
    const seen = new Set(report.modules.map((module) => module.source));
    expect(report.summary.violations).toEqual([]);
    // An unreadable tree passes with zero modules: the rule means nothing unless all were seen.
    expect(sourceFiles().filter((file) => !seen.has(file))).toEqual([]);
    expect(report.summary.totalCruised).toBeGreaterThanOrEqual(sourceFiles().length);
  });
});
