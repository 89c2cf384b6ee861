import { expect, it } from "vitest";
import { licencesOf } from "../../console/pages/help/licences.ts";

it("licences are read of the headings of the build's file, with scoped names and expressions", () => {
  const text = [
    "# Licenses",
    "",
    "## @preact/signals - 2.11.4 (MIT)",
    "Permission is hereby granted (free of charge) - to any person",
    "## wouter-preact - 3.11.1 (Unlicense)",
    "## two - 1.0.0-rc.1 (MIT OR Apache-2.0)",
    "### preact - 1 (MIT)",
  ].join("\n");
  expect(licencesOf(text)).toEqual([
    { name: "@preact/signals", version: "2.11.4", licence: "MIT" },
    { name: "wouter-preact", version: "3.11.1", licence: "Unlicense" },
    { name: "two", version: "1.0.0-rc.1", licence: "MIT OR Apache-2.0" },
  ]);
});
