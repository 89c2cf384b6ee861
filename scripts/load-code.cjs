"use strict";
const { existsSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { setFlagsFromString } = require("node:v8");
const vm = require("node:vm");
const { threadId } = require("node:worker_threads");

/**
 * Runs the code of a bundle (`bundle.mjs`, which puts a copy of this file beside it) with what V8 made of it before:
 * parsing and compiling are half of a start otherwise. What V8 keeps is beside each entry, `main.code` beside
 * `main.cjs`, with all that a thread of that entry had compiled. Other versions of Node or V8 refuse it, and then
 * everything is compiled as without.
 */

/**
 * The flag that the thread of the embedded database sets (storage/records/pglite/start.ts). V8 refuses what was made
 * with other flags, so that it is set before anything is compiled.
 */
setFlagsFromString("--wasm-tiering-budget=36000000");

/** A start is over by then, and functions that only a start needs are not yet dropped by V8, ms. */
const KEEP_AFTER_MS = 10_000;

const requireBeside = createRequire(__filename);

/** Where this file is, what V8 makes is kept; elsewhere nothing is written. */
const KEEPS = join(__dirname, "keeps-code");

/** Exports of the entry `name`, a path below this folder without its ending. */
function run(name) {
  const path = join(__dirname, `${name}.cjs`);
  // The bundler writes ASCII only, and leaves the line for the shell that a program may begin with.
  const source = readFileSync(path, "latin1").replace(/^#!/, "//");
  const kept = join(__dirname, `${name}.code`);
  const cachedData = readKept(kept);
  const script = new vm.Script(`(function(exports,require,module,__at){${source}\n})`, {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, requireBeside, module, at);
  if (script.cachedDataRejected !== false && existsSync(KEEPS)) keepLater(script, kept);
  const { default: task } = module.exports;
  // What piscina runs is what a module exports by default, whether it is required or imported.
  return typeof task === "function" ? Object.assign(task, module.exports) : module.exports;
}

/** `undefined`: there is nothing, and all is compiled. */
function readKept(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Where a module would lie, which asks by `import.meta`. */
const at = {
  url: (path) => pathToFileURL(join(__dirname, path)).href,
  dirname: (path) => dirname(join(__dirname, path)),
  filename: (path) => join(__dirname, path),
  /** A file of a package that finds others beside it. */
  package: (name) => pathToFileURL(requireBeside.resolve(name)).href,
};

function keepLater(script, file) {
  let isKept = false;
  const keep = () => {
    if (isKept) return;
    isKept = true;
    try {
      writeKept(script, file);
    } catch {
      // The next start is slower, and nothing else.
    }
  };
  setTimeout(keep, KEEP_AFTER_MS).unref();
  process.once("exit", keep);
}

function writeKept(script, file) {
  // Whole or not at all: several processes may do so at once.
  const unfinished = `${file}.${process.pid}-${threadId}`;
  writeFileSync(unfinished, script.createCachedData());
  renameSync(unfinished, file);
}

module.exports = { run };
