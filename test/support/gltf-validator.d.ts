/** The part of the Khronos glTF validator (which has no types of its own) that tests use. */
declare module "gltf-validator" {
  export function validateBytes(bytes: Uint8Array): Promise<{
    readonly issues: {
      readonly numErrors: number;
      readonly numWarnings: number;
      /** `severity`: 0 error, 1 warning, 2 information, 3 hint. */
      readonly messages: readonly {
        readonly code: string;
        readonly message: string;
        readonly severity: number;
        readonly pointer?: string;
      }[];
    };
    readonly info?: { readonly totalTriangleCount?: number };
  }>;
}
