import { execFileSync } from "node:child_process";

/** West, south, east and north edge, degrees. */
type Box = readonly [west: number, south: number, east: number, north: number];

interface Operation {
  readonly datum: number;
  readonly target: number;
  readonly accuracy: number | null;
  readonly method: number;
  readonly translation: readonly [number, number, number];
  readonly rotation: readonly [number, number, number];
  readonly scale: number;
  readonly box: Box;
}

/** Parameters in the notation of PROJ (position vector, seconds, ppm) and their accuracy. */
interface Shift {
  readonly towgs84: string;
  readonly accuracyM: number;
}

const GEOCENTRIC_TRANSLATIONS = 9603;
const COORDINATE_FRAME = 9607;
const MICRORADIAN_S = (1e-6 * 180 * 3600) / Math.PI;
/** Seconds of one unit of rotation: arc-second, microradian, radian, milliarc-second. */
const ROTATION_S: Readonly<Record<number, number>> = {
  9104: 1,
  9109: MICRORADIAN_S,
  9101: MICRORADIAN_S * 1e6,
  1031: 0.001,
};
/** Parts per million of one unit of scale: ppm, ppb, unity. */
const SCALE_PPM: Readonly<Record<number, number>> = { 9202: 1, 1028: 0.001, 9201: 1e6 };
/** Geographic systems that are taken for WGS 84: WGS 84, ETRS89, NAD83, GDA94, NZGD2000, RGF93, SIRGAS 2000 ... */
const LIKE_WGS_84 = new Set([
  4326, 4258, 4269, 4283, 4167, 4171, 4674, 4189, 4170, 4190, 4737, 4612, 6668, 4148, 4619, 7844,
]);

/** Opens the EPSG Dataset in PROJ's database; yields the three or seven parameters of a system's datum. */
export function openShifts(database: string): (code: number, area: Box) => Shift | undefined {
  const query = (sql: string): readonly Readonly<Record<string, number | null>>[] =>
    JSON.parse(
      execFileSync("sqlite3", ["-json", database, sql], { encoding: "utf8", maxBuffer: 2 ** 28 }),
    );
  const bases = new Map(
    query(
      "select code, geodetic_crs_code base from projected_crs where auth_name='EPSG' and geodetic_crs_auth_name='EPSG'",
    ).map(({ code, base }) => [code ?? 0, base ?? 0]),
  );
  const datums = new Map(
    query("select code, datum_code datum from geodetic_crs where auth_name='EPSG'").map(
      ({ code, datum }) => [code ?? 0, datum ?? 0],
    ),
  );
  // Systems that count from another meridian than their datum's operations do.
  const turned = new Map(
    query(
      "select source_crs_code source, target_crs_code target from other_transformation where method_name='Longitude rotation' and deprecated=0",
    ).map(({ source, target }) => [source ?? 0, target ?? 0]),
  );
  const operations = query(
    `select h.source_crs_code source, h.target_crs_code target, h.accuracy, h.method_code method,
      h.tx, h.ty, h.tz, h.rx, h.ry, h.rz, h.rotation_uom_code turn, h.scale_difference ds,
      h.scale_difference_uom_code dsu, e.west_lon w, e.south_lat s, e.east_lon ea, e.north_lat n
      from helmert_transformation_table h
      join usage u on u.object_table_name='helmert_transformation' and u.object_auth_name=h.auth_name
        and u.object_code=h.code
      join extent e on e.auth_name=u.extent_auth_name and e.code=u.extent_code
      where h.auth_name='EPSG' and h.deprecated=0 and h.method_code in (9603, 9606, 9607)
        and h.translation_uom_code=9001`,
  ).map((row): Operation => {
    const n = (key: string) => row[key] ?? 0;
    const turn = ROTATION_S[n("turn")] ?? 0;
    const sign = row["method"] === COORDINATE_FRAME ? -turn : turn;
    return {
      datum: datums.get(n("source")) ?? 0,
      target: n("target"),
      accuracy: row["accuracy"] ?? null,
      method: n("method"),
      translation: [n("tx"), n("ty"), n("tz")],
      rotation: [n("rx") * sign, n("ry") * sign, n("rz") * sign],
      scale: n("ds") * (SCALE_PPM[n("dsu")] ?? 0),
      box: [n("w"), n("s"), n("ea"), n("n")],
    };
  });

  return (code, area) => {
    const base = bases.get(code) ?? code;
    const datum = datums.get(turned.get(base) ?? base);
    const own = operations
      .filter((operation) => operation.datum === datum && LIKE_WGS_84.has(operation.target))
      .map((operation) => ({ operation, covered: share(area, operation.box) }))
      .sort(
        (a, b) =>
          Number(b.covered > 0.5) - Number(a.covered > 0.5) ||
          (a.covered > 0.5 ? 0 : b.covered - a.covered) ||
          accuracyOf(a.operation) - accuracyOf(b.operation) ||
          b.covered - a.covered,
      );
    const [best] = own;
    if (best === undefined) return undefined;
    const { operation } = best;
    const turns = [...operation.rotation, operation.scale];
    const parameters =
      operation.method === GEOCENTRIC_TRANSLATIONS
        ? operation.translation
        : [...operation.translation, ...turns];
    return {
      towgs84: parameters.map((value) => Number(value.toPrecision(10))).join(","),
      accuracyM: accuracyOf(operation),
    };
  };
}

/** Dataset without a word on accuracy: as the worst of those that have one. */
const accuracyOf = ({ accuracy }: Operation): number => accuracy ?? 44;

/** Part of an area that lies in a box. */
function share([west, south, east, north]: Box, [w, s, e, n]: Box): number {
  const width = (east - west + 360) % 360 || 360;
  const boxWidth = (e - w + 360) % 360 || 360;
  const from = (w - west + 360) % 360;
  const overlap =
    Math.max(0, Math.min(width, from + boxWidth) - from) +
    Math.max(0, Math.min(width, from + boxWidth - 360));
  const high = Math.max(0, Math.min(north, n) - Math.max(south, s));
  return (overlap / width) * (high / Math.max(1e-9, north - south));
}
