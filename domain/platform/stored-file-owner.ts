/** The kind of owner that the first part of a key names: an id of this kind follows. */
const OWNERS = {
  cameras: "camera",
  captures: "capture",
  reports: "report",
  stockpiles: "stockpile",
  surveys: "job",
  zones: "zone",
} as const;

export type FileOwnerKind = (typeof OWNERS)[keyof typeof OWNERS];

/** The owner of a stored file, by its key; `undefined` for uploads, which name their project. */
export function fileOwner(
  key: string,
): { readonly kind: FileOwnerKind; readonly id: string } | undefined {
  const [folder = "", id, ...rest] = key.split("/");
  if (id === undefined || rest.length === 0 || !Object.hasOwn(OWNERS, folder)) return undefined;
  return { kind: OWNERS[folder as keyof typeof OWNERS], id };
}
