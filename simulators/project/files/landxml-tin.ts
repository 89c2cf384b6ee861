/** A corner of a triangulated surface, in metres of its projected system. */
export interface TinPoint {
  readonly northingM: number;
  readonly eastingM: number;
  readonly heightM: number;
}

/** A triangulated surface as LandXML 1.2: points are northing, easting, elevation; faces count from 1. */
export function landXmlTin(
  name: string,
  epsg: number,
  points: readonly TinPoint[],
  faces: readonly (readonly [number, number, number])[],
): string {
  const ps = points.map(({ northingM, eastingM, heightM }, i) => {
    const numbers = [northingM, eastingM, heightM].map((value) => value.toFixed(4)).join(" ");
    return `          <P id="${i + 1}">${numbers}</P>`;
  });
  const fs = faces.map((corners) => `          <F>${corners.map((i) => i + 1).join(" ")}</F>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<LandXML xmlns="http://www.landxml.org/schema/LandXML-1.2" version="1.2" date="2025-04-21" time="09:00:00">
  <Units>
    <Metric areaUnit="squareMeter" linearUnit="meter" volumeUnit="cubicMeter" temperatureUnit="celsius" pressureUnit="mmHG"/>
  </Units>
  <CoordinateSystem epsgCode="${epsg}" horizontalCoordinateSystemName="EPSG:${epsg}"/>
  <Surfaces>
    <Surface name="${name}" desc="design">
      <Definition surfType="TIN">
        <Pnts>
${ps.join("\n")}
        </Pnts>
        <Faces>
${fs.join("\n")}
        </Faces>
      </Definition>
    </Surface>
  </Surfaces>
</LandXML>
`;
}
