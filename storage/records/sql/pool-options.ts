import pg from "pg";

const INT8 = pg.types.builtins.INT8;
const DATE = pg.types.builtins.DATE;

/** What both engines' pools have in common. */
export const POOL_OPTIONS = {
  types: {
    /**
     * Our bigints (ms, counters) stay below 2^53, so they are numbers. A date stays text: pg would
     * make it midnight in the zone of this process.
     */
    getTypeParser(oid: number, format?: "text" | "binary") {
      if (format !== "binary" && oid === INT8) return Number;
      if (format !== "binary" && oid === DATE) return String;
      return pg.types.getTypeParser(oid, format);
    },
  },
} satisfies pg.PoolConfig;
