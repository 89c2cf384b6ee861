/** One grid of an NTv2 file. */
export interface Ntv2Grid {
  readonly name: string;
  /** Degrees. */
  readonly box: readonly [west: number, south: number, east: number, north: number];
  readonly stepDeg: number;
  /** Seconds to the north and to the west at a node. */
  readonly shift: (lonDeg: number, latDeg: number) => readonly [north: number, west: number];
}

const DEG_S = 3_600;

/** A file of datum shifts in the format NTv2, little-endian; the first grid is the parent of the others. */
export function ntv2Bytes(grids: readonly Ntv2Grid[]): Buffer {
  const [parent] = grids;
  const head = Buffer.concat([
    whole("NUM_OREC", 11),
    whole("NUM_SREC", 11),
    whole("NUM_FILE", grids.length),
    text("GS_TYPE", "SECONDS"),
    text("VERSION", "TEST"),
    text("SYSTEM_F", "DHDN"),
    text("SYSTEM_T", "ETRS89"),
    real("MAJOR_F", 6_377_397.155),
    real("MINOR_F", 6_356_078.962818),
    real("MAJOR_T", 6_378_137),
    real("MINOR_T", 6_356_752.314),
  ]);
  const parts = grids.map((grid) => {
    const [west, south, east, north] = grid.box;
    const columns = Math.round((east - west) / grid.stepDeg) + 1;
    const rows = Math.round((north - south) / grid.stepDeg) + 1;
    const nodes = Buffer.alloc(columns * rows * 16);
    for (let row = 0; row < rows; row += 1) {
      // Rows go from south to north, columns from east to west.
      for (let column = 0; column < columns; column += 1) {
        const lonDeg = east - column * grid.stepDeg;
        const [northS, westS] = grid.shift(lonDeg, south + row * grid.stepDeg);
        const at = (row * columns + column) * 16;
        nodes.writeFloatLE(northS, at);
        nodes.writeFloatLE(westS, at + 4);
      }
    }
    return Buffer.concat([
      text("SUB_NAME", grid.name),
      text("PARENT", grid === parent ? "NONE" : (parent?.name ?? "")),
      text("CREATED", "20260101"),
      text("UPDATED", "20260101"),
      real("S_LAT", south * DEG_S),
      real("N_LAT", north * DEG_S),
      real("E_LONG", -east * DEG_S),
      real("W_LONG", -west * DEG_S),
      real("LAT_INC", grid.stepDeg * DEG_S),
      real("LONG_INC", grid.stepDeg * DEG_S),
      whole("GS_COUNT", columns * rows),
      nodes,
    ]);
  });
  const end = Buffer.alloc(16);
  end.write("END");
  return Buffer.concat([head, ...parts, end]);
}

function named(name: string): Buffer {
  const record = Buffer.alloc(16);
  record.write(name.padEnd(8), "latin1");
  return record;
}

function text(name: string, value: string): Buffer {
  const record = named(name);
  record.write(value.padEnd(8), 8, "latin1");
  return record;
}

function whole(name: string, value: number): Buffer {
  const record = named(name);
  record.writeInt32LE(value, 8);
  return record;
}

function real(name: string, value: number): Buffer {
  const record = named(name);
  record.writeDoubleLE(value, 8);
  return record;
}
