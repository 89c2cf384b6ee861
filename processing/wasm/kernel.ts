/** First byte of a kernel's memory that is free for arguments: the compiler keeps those below. */
const HEAP_START = 1024;
const PAGE_BYTES = 65_536;

/** What we use of the engine's WebAssembly (the types of Node leave it to the browser's library). */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
};
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Functions of a kernel take and give numbers: addresses in its memory, counts, values. */
type KernelFunction = (...numbers: number[]) => number;

/** A compiled module of `assembly/` with a memory of its own. */
export interface Kernel<Name extends string> {
  readonly functions: Readonly<Record<Name, KernelFunction>>;
  /**
   * Lays blocks out one after the other, each at a multiple of 16 bytes, and grows the memory to hold
   * them; gives the address of each. A layout lasts until the next one: then its bytes may be
   * overwritten, and views of them are dead. The memory never shrinks.
   * @throws RangeError when there is no room for that much.
   */
  layout<Block extends string>(bytes: Readonly<Record<Block, number>>): Record<Block, number>;
  /**
   * Lays one more block behind those of the layout, which keep their bytes; gives its address. Views made before are
   * dead.
   * @throws RangeError when there is no room for that much.
   */
  extend(bytes: number): number;
  /** Views of the memory: address in bytes, length in elements. */
  u8(address: number, length: number): Uint8Array;
  i16(address: number, length: number): Int16Array;
  u16(address: number, length: number): Uint16Array;
  i32(address: number, length: number): Int32Array;
  f32(address: number, length: number): Float32Array;
  f64(address: number, length: number): Float64Array;
}

/**
 * Makes a kernel of a module's base64 (`*.wasm.ts`), at the top of the file that wraps it. It is compiled when it is
 * first used, about a millisecond once per thread: some of those who load the file only ask what its work takes.
 */
export function openKernel<Name extends string>(
  base64: string,
  names: readonly Name[],
): Kernel<Name> {
  let compiled: Kernel<Name> | undefined;
  const kernel = () => {
    compiled ??= compileKernel(base64, names);
    return compiled;
  };
  return {
    get functions() {
      return kernel().functions;
    },
    layout: (bytes) => kernel().layout(bytes),
    extend: (bytes) => kernel().extend(bytes),
    u8: (address, length) => kernel().u8(address, length),
    i16: (address, length) => kernel().i16(address, length),
    u16: (address, length) => kernel().u16(address, length),
    i32: (address, length) => kernel().i32(address, length),
    f32: (address, length) => kernel().f32(address, length),
    f64: (address, length) => kernel().f64(address, length),
  };
}

/** @throws Error when the module does not export `names`. */
function compileKernel<Name extends string>(base64: string, names: readonly Name[]): Kernel<Name> {
  const module = new WebAssembly.Module(Buffer.from(base64, "base64"));
  const { exports } = new WebAssembly.Instance(module);
  const memory = exports["memory"] as Memory;
  const functions = {} as Record<Name, KernelFunction>;
  for (const name of names) {
    const exported = exports[name];
    if (typeof exported !== "function") throw new Error(`the kernel has no function ${name}`);
    functions[name] = exported as KernelFunction;
  }
  let end = HEAP_START;
  const extend = (bytes: number): number => {
    const address = end;
    end += Math.ceil(bytes / 16) * 16;
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
    return address;
  };
  return {
    functions,
    layout(bytes) {
      end = HEAP_START;
      const addresses: Record<string, number> = {};
      for (const [block, length] of Object.entries<number>(bytes)) {
        addresses[block] = extend(length);
      }
      return addresses as typeof bytes;
    },
    extend,
    u8: (address, length) => new Uint8Array(memory.buffer, address, length),
    i16: (address, length) => new Int16Array(memory.buffer, address, length),
    u16: (address, length) => new Uint16Array(memory.buffer, address, length),
    i32: (address, length) => new Int32Array(memory.buffer, address, length),
    f32: (address, length) => new Float32Array(memory.buffer, address, length),
    f64: (address, length) => new Float64Array(memory.buffer, address, length),
  };
}
