/** What a file says, before it is known where that lies: units and projection may come last. */
export interface FileSurface {
  readonly name: string;
  /** Three numbers a point in units of the file, in the order of LandXML: northing, easting, elevation. */
  readonly points: readonly number[];
  /** Three indices of points for each face that is not invisible. */
  readonly faces: readonly number[];
  /** As the file names it; `undefined`: it does not. */
  readonly linearUnit: { readonly name: string; readonly line: number } | undefined;
  readonly epsg: { readonly code: string; readonly line: number } | undefined;
  /** Surfaces of triangles beside this one. */
  readonly others: readonly string[];
  /** Faces that are invisible, and faces that name a point twice; both are left out. */
  readonly invisible: number;
  readonly collapsed: number;
}
