/** Where the cells of a raster lie: square cells, row-major, north row first, ENU metres. */
export interface GridFrame {
  /** West edge of the first column and north edge of the first row. */
  readonly westM: number;
  readonly northM: number;
  /** Edge of one cell, metres. */
  readonly cellM: number;
  readonly width: number;
  readonly height: number;
}

/** Heights alone: up in ENU, metres, length `width * height`; NaN = no data. */
export interface HeightField extends GridFrame {
  readonly elevationM: Float32Array;
}

/** A digital surface model. */
export interface ElevationGrid extends HeightField {
  /** Mean correlation of the views at the surface, -1 to 1; NaN where there is no data. */
  readonly score: Float32Array;
  /**
   * Views that saw the cell, 0 to 255. 0 with a height: a hole below 1 m that was filled from around it
   * (its score is 0 then).
   */
  readonly views: Uint8Array;
  /**
   * The same ground as it was matched in images of half the size, in cells twice as large: shows what the
   * surface owes to its resolution. Absent: the surface was given, or cut out of another one.
   */
  readonly coarse?: HeightField;
}

/** A true orthophoto: four bytes a cell, red, green, blue, alpha (0 = not seen). */
export interface OrthoGrid extends GridFrame {
  readonly rgba: Uint8Array;
}
