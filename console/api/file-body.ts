/** The file itself as the body, not JSON of it. */
export const fileBody = (file: File, type: string) => ({
  headers: { "content-type": type },
  body: file as never,
  bodySerializer: (body: unknown) => body as File,
});
