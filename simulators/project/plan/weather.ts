import { DAY_MS, HOUR_MS } from "../../../domain/time.ts";
import type { Random } from "../../randomness/random.ts";
import type { GeodeticPosition } from "../../survey/coordinates/wgs84.ts";
import type { Air } from "../../survey/render/air.ts";
import { createLight, type Light } from "../../survey/scene/light.ts";
import { MATERIALS } from "../../survey/scene/material.ts";

/** Light and air of a flight. */
export interface Weather {
  /** Share of the sky with clouds before the sun and about it, 0 to 1. */
  readonly clouds: number;
  readonly sunAzimuthDeg: number;
  readonly sunElevationDeg: number;
  readonly visibilityM: number;
  /** What the metering makes of it, linear. */
  readonly gain: number;
}

const RAD = Math.PI / 180;
/** Flights under a sun lower than this are put off: shadows would be longer than things are high. */
const LOWEST_SUN_DEG = 24;
/**
 * Share of the sun's light that full cloud takes, and what it adds to the sky's. By eye: more hides all shadows,
 * less leaves them sharp under cloud.
 */
const CLOUD_TAKES = 0.88;
const CLOUD_GIVES = 1.1;

/** The weather of a time; bright at week 1, which reference views are from. */
export function drawWeather(
  timeMs: number,
  { latDeg, lonDeg }: GeodeticPosition,
  week: number,
  random: Random,
): Weather {
  const { azimuthDeg, elevationDeg } = sunAt(timeMs, latDeg, lonDeg);
  const clouds = week === 1 ? 0.1 : random.pick([0, 0.15, 0.4, 0.8, 1]);
  const sunElevationDeg = Math.max(LOWEST_SUN_DEG, elevationDeg);
  const metered =
    0.95 * (1 - CLOUD_TAKES * clouds) * Math.sin(sunElevationDeg * RAD) +
    0.28 * (1 + CLOUD_GIVES * clouds);
  return {
    clouds,
    sunAzimuthDeg: azimuthDeg,
    sunElevationDeg,
    visibilityM: week === 1 ? 4_000 : random.pick([600, 1_500, 4_000, 8_000]),
    // Metering aims at the light of a clear day and misses a little.
    gain: (1 / metered) * random.uniform(0.93, 1.07),
  };
}

/** The light of a weather for the renderer. */
export function lightOf({ clouds, sunAzimuthDeg, sunElevationDeg }: Weather): Light {
  const clear = createLight(sunAzimuthDeg * RAD, sunElevationDeg * RAD);
  const scaled = (colour: Light["sunColour"], k: number) =>
    [colour[0] * k, colour[1] * k, colour[2] * k] as const;
  return {
    ...clear,
    sunColour: scaled(clear.sunColour, 1 - CLOUD_TAKES * clouds),
    skyColour: scaled(clear.skyColour, 1 + CLOUD_GIVES * clouds),
  };
}

/** The air of a weather for cameras near the ground; `extentM`: beyond it is grassland. */
export function airOf(weather: Weather, extentM: number, seed: number): Air {
  const { clouds, visibilityM } = weather;
  const grey = 0.55 - 0.12 * clouds;
  const { sun, sunColour, skyColour } = lightOf(weather);
  const lit = (c: 0 | 1 | 2) => MATERIALS.grass.colour[c] * (sunColour[c] * sun[2] + skyColour[c]);
  return {
    visibilityM,
    hazeColour: [grey, grey * 1.03, grey * 1.07],
    skyColour: [0.16 + 0.25 * clouds, 0.27 + 0.16 * clouds, 0.48],
    beyond: { extentM, colour: [lit(0), lit(1), lit(2)] },
    clouds,
    seed,
  };
}

/**
 * Position of the sun, degrees clockwise from north and above the horizon: declination by Cooper 1969
 * ("The absorption of radiation in solar stills"), hour angle by mean time; within 5 degrees.
 */
function sunAt(timeMs: number, latDeg: number, lonDeg: number) {
  const date = new Date(timeMs);
  const dayOfYear = (timeMs - Date.UTC(date.getUTCFullYear(), 0, 0)) / DAY_MS;
  const declination = 23.45 * RAD * Math.sin((2 * Math.PI * (284 + dayOfYear)) / 365);
  const hours = (timeMs % DAY_MS) / HOUR_MS;
  const hourAngle = (15 * (hours - 12) + lonDeg) * RAD;
  const lat = latDeg * RAD;
  const sine =
    Math.sin(lat) * Math.sin(declination) +
    Math.cos(lat) * Math.cos(declination) * Math.cos(hourAngle);
  const azimuth = Math.atan2(
    -Math.sin(hourAngle),
    Math.tan(declination) * Math.cos(lat) - Math.sin(lat) * Math.cos(hourAngle),
  );
  return {
    azimuthDeg: (azimuth / RAD + 360) % 360,
    elevationDeg: Math.asin(sine) / RAD,
  };
}
