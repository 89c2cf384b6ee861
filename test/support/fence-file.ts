/** A GeoJSON FeatureCollection of the features. */
export const fenceFile = (features: readonly unknown[], members: object = {}) => ({
  type: "FeatureCollection",
  features,
  ...members,
});

/** A square fence of 0.001 degrees at the equator, `at` degrees east of 10. */
export const polygonFeature = (properties: object = {}, at = 0) => ({
  type: "Feature",
  geometry: {
    type: "Polygon",
    coordinates: [
      [
        [10 + at, 0],
        [10.001 + at, 0],
        [10.001 + at, 0.001],
        [10 + at, 0.001],
        [10 + at, 0],
      ],
    ],
  },
  properties: { name: "Yard", ...properties },
});

/** A feature of one geometry. */
export const feature = (type: string, coordinates: unknown, properties: object = {}) => ({
  type: "Feature",
  geometry: { type, coordinates },
  properties: { name: "Shape", ...properties },
});
