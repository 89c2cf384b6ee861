import { existsSync, readdirSync, readFileSync } from "node:fs";
import asc from "assemblyscript/asc";

const sources = new URL("../processing/wasm/assembly/", import.meta.url);

/**
 * Names of the kernels: the files of `processing/wasm/assembly`, without their ending; what lies in
 * folders below is parts of them.
 */
export function kernelNames(): readonly string[] {
  return readdirSync(sources)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.slice(0, -".ts".length))
    .sort();
}

/** Where the compiled module of a kernel lies in the tree. */
export function modulePath(name: string): URL {
  return new URL(`../processing/wasm/${name}.wasm.ts`, import.meta.url);
}

/**
 * Compiles one kernel and writes it down as a TypeScript module: the same source gives the same text.
 * @throws Error with the compiler's messages.
 */
export async function compileKernel(name: string): Promise<string> {
  const source = `${name}.ts`;
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    // The stub runtime frees nothing; kernels allocate nothing, their memory is laid out by the caller.
    [
      source,
      "-O3",
      "--noAssert",
      "--enable",
      "simd",
      "--runtime",
      "stub",
      "--use",
      "abort=",
      "--outFile",
      "kernel.wasm",
    ],
    {
      readFile: readSource,
      writeFile: (_path, contents) => {
        if (typeof contents !== "string") binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || binary === undefined) throw new Error(`${source}: ${stderr.toString()}`);
  const constant = `${name.toUpperCase().replaceAll("-", "_")}_WASM`;
  return `/** \`assembly/${source}\`, compiled by \`npm run build:wasm\`; base64. */
export const ${constant} =
  "${Buffer.from(binary).toString("base64")}";
`;
}

/** A source by its path below `assembly`; null for what is not there, as the compiler asks for guesses. */
function readSource(path: string): string | null {
  const url = new URL(path, sources);
  return existsSync(url) ? readFileSync(url, "utf8") : null;
}
