import { Type } from "typebox";
import {
  HEIGHT_UNITS,
  UNKEPT_DATUM,
  VERTICAL_DATUM_KINDS,
  type VerticalDatum,
} from "../../domain/geometry/vertical-datum.ts";

/** What the heights of a survey's products count from; never absent. */
export const VerticalDatumField = Type.Object(
  {
    kind: Type.Enum([...VERTICAL_DATUM_KINDS], {
      description:
        "ellipsoidal: above WGS 84; geoid: above the model of a grid file; named: in the system that the given file names, unchanged; unknown: not stated",
    }),
    name: Type.String({ description: "The grid or system, or why nothing is known" }),
  },
  {
    title: "VerticalDatum",
    description: "What the heights of the products count from; volumes do not depend on it",
  },
);

/** A datum as answers state it, also of what was made before it was kept. */
export const verticalDatumView = (datum: VerticalDatum | undefined): VerticalDatum => {
  const { kind, name } = datum ?? UNKEPT_DATUM;
  return { kind, name };
};

/** In what a given surface counts heights; for bodies of requests. */
export const SurfaceHeightUnit = Type.Optional(
  Type.Enum([...HEIGHT_UNITS], {
    title: "HeightUnit",
    description:
      "Unit of the heights of a given surface (GeoTIFF), where the file does not state it: metres, international or US survey feet. A unit that the file contradicts is refused. Absent: as stated in the file, else metres",
  }),
);
