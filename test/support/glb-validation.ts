import { validateBytes } from "gltf-validator";

/** What the Khronos validator says of a binary glTF file. */
export interface GlbProblems {
  readonly errors: number;
  readonly warnings: number;
  /** Codes and places of both, errors first. */
  readonly messages: readonly string[];
  readonly triangles: number;
}

/** Validates a GLB by glTF 2.0. @throws when the bytes are none at all. */
export async function glbProblems(bytes: Uint8Array): Promise<GlbProblems> {
  const { issues, info } = await validateBytes(bytes);
  return {
    errors: issues.numErrors,
    warnings: issues.numWarnings,
    messages: issues.messages
      .filter(({ severity }) => severity <= 1)
      .map(({ code, pointer, message }) => `${code} ${pointer ?? ""}: ${message}`),
    triangles: info?.totalTriangleCount ?? 0,
  };
}
