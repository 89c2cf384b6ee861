import pg from "pg";
import type { GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import type { Tracks } from "./moving-fleet.ts";

/** PostGIS holding fences and fixes; every form counts hits of fixes `[0, count)` and is one core. */
export interface Postgis {
  readonly version: string;
  /** One prepared query per fix, one after the other. */
  perPoint(count: number): Promise<number>;
  /** 1,000 fixes per query, as arrays. */
  batches(count: number): Promise<number>;
  /**
   * Fixes of an indexed table as the inner side: each polygon is prepared once. Loading is left out;
   * `indexing`: making the index, which fixes that have just come in do not have, is not.
   */
  setBased(options: { readonly indexing: boolean }): Promise<number>;
  close(): Promise<void>;
}

const SCHEMA = "bench_geofence";
const BATCH = 1_000;
/** Rows per insert: arrays of a few MB. */
const LOAD_BATCH = 20_000;

/** Loads fences and fixes into a schema of their own, which `close` drops. */
export async function openPostgis(
  connectionString: string,
  fences: readonly GeofenceVersion[],
  tracks: Tracks,
): Promise<Postgis> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`
    create extension if not exists postgis;
    drop schema if exists ${SCHEMA} cascade;
    create schema ${SCHEMA};
    create unlogged table ${SCHEMA}.fence (id int primary key, geom geometry(polygon, 4326));
    create unlogged table ${SCHEMA}.fix (id int primary key, geom geometry(point, 4326));
    set jit = off;
    set max_parallel_workers_per_gather = 0;
    set work_mem = '256MB';
  `);
  for (let i = 0; i < fences.length; i += LOAD_BATCH) {
    const texts = fences.slice(i, i + LOAD_BATCH).map(({ ring }) => polygonText(ring));
    await client.query(
      `insert into ${SCHEMA}.fence select $2 + n, st_geomfromtext(t, 4326)
         from unnest($1::text[]) with ordinality as given (t, n)`,
      [texts, i],
    );
  }
  for (let i = 0; i < tracks.lonDeg.length; i += LOAD_BATCH) {
    const [lons, lats] = [tracks.lonDeg, tracks.latDeg].map((all) => [
      ...all.subarray(i, i + LOAD_BATCH),
    ]);
    await client.query(
      `insert into ${SCHEMA}.fix select $3 + n, st_setsrid(st_makepoint(x, y), 4326)
         from unnest($1::float8[], $2::float8[]) with ordinality as given (x, y, n)`,
      [lons, lats, i],
    );
  }
  await client.query(`create index on ${SCHEMA}.fence using gist (geom)`);
  await client.query(`create index fix_geom on ${SCHEMA}.fix using gist (geom)`);
  await client.query(`vacuum analyze ${SCHEMA}.fence`);
  await client.query(`vacuum analyze ${SCHEMA}.fix`);
  const { rows } = await client.query<{ v: string }>("select postgis_full_version() as v");

  return {
    version: rows[0]?.v ?? "unknown",
    async perPoint(count) {
      let hits = 0;
      for (let i = 0; i < count; i++) {
        const { rowCount } = await client.query({
          name: "per-point",
          text: `select id from ${SCHEMA}.fence
                  where st_intersects(geom, st_setsrid(st_makepoint($1, $2), 4326))`,
          values: [tracks.lonDeg[i], tracks.latDeg[i]],
        });
        hits += rowCount ?? 0;
      }
      return hits;
    },
    async batches(count) {
      let hits = 0;
      for (let i = 0; i < count; i += BATCH) {
        const { rowCount } = await client.query({
          name: "batch",
          text: `select n, id from unnest($1::float8[], $2::float8[]) with ordinality as p (x, y, n)
                   join ${SCHEMA}.fence
                     on st_intersects(geom, st_setsrid(st_makepoint(x, y), 4326))`,
          values: [
            [...tracks.lonDeg.subarray(i, Math.min(count, i + BATCH))],
            [...tracks.latDeg.subarray(i, Math.min(count, i + BATCH))],
          ],
        });
        hits += rowCount ?? 0;
      }
      return hits;
    },
    async setBased({ indexing }) {
      if (indexing) await client.query(`reindex index ${SCHEMA}.fix_geom`);
      // The lateral subquery keeps the polygon outside, so that it is prepared once for all its fixes.
      const { rows: sums } = await client.query<{ hits: string }>(
        `select sum(n) as hits from ${SCHEMA}.fence cross join lateral
           (select count(*) as n from ${SCHEMA}.fix where st_intersects(fence.geom, fix.geom)) as inside`,
      );
      return Number(sums[0]?.hits ?? 0);
    },
    async close() {
      await client.query(`drop schema ${SCHEMA} cascade`);
      await client.end();
    },
  };
}

const polygonText = (ring: GeofenceVersion["ring"]): string =>
  `POLYGON((${ring.map(([x, y]) => `${x} ${y}`).join(",")}))`;
