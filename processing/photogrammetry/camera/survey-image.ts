/** What an image file says of where, when and with what it was taken; nothing of it is trusted yet. */
export interface SurveyImage {
  /** SHA-256 of the file's bytes, hex; names everything that is computed from it. */
  readonly sha256: string;
  /** Name for people: the file's, or the end of its URL's path. */
  readonly name: string;
  /** Raw pixel order, as stored: EXIF Orientation is never applied (docs/photogrammetry.md#traps-of-real-images). */
  readonly widthPx: number;
  readonly heightPx: number;
  /** EXIF Orientation, 1 to 8; 1 when missing. */
  readonly orientation: number;
  /** ms since the Unix epoch; the camera's clock, taken as UTC where it names no zone. */
  readonly capturedAtMs: number | undefined;
  readonly make: string | undefined;
  readonly model: string | undefined;
  /** Body or lens serial number; two cameras of one model are two cameras. */
  readonly serial: string | undefined;
  /** Program that wrote the file last, as it names itself. */
  readonly software: string | undefined;
  readonly focal: FocalTags;
  readonly position: PositionTags | undefined;
  readonly gimbal: GimbalTags | undefined;
  /** Height above take-off by the barometer, metres. */
  readonly relativeAltitudeM: number | undefined;
  readonly quality: ImageQuality;
}

/** What the file says of the focal length; see `camera-prior.ts` for which of it counts. */
export interface FocalTags {
  readonly focalLengthMm: number | undefined;
  /** Equivalent for a 36 x 24 mm frame, by the diagonal of the sensor's native 4:3 frame at DJI. */
  readonly focal35Mm: number | undefined;
  /** Pixels per mm of the sensor's plane, from FocalPlaneXResolution and its unit. */
  readonly focalPlanePxPerMm: number | undefined;
  /** Factory calibration of full-size images (DJI DewarpData): fx, fy, cx, cy, k1, k2, p1, p2, k3. */
  readonly dewarp: readonly number[] | undefined;
  /** The camera has already taken the distortion out (DJI DewarpFlag = 1). */
  readonly isUndistorted: boolean;
}

export interface PositionTags {
  readonly latDeg: number;
  readonly lonDeg: number;
  /** Metres; above what is not known: ellipsoid, sea or take-off, by maker. Differences count. */
  readonly altitudeM: number | undefined;
  /** Standard deviations that the receiver states (RTK), metres. */
  readonly sigmaM: { readonly horizontal: number; readonly vertical: number } | undefined;
  /** Whether the receiver had a fixed RTK solution. */
  readonly isRtk: boolean;
}

/** Degrees; yaw clockwise from north, pitch -90 straight down, as DJI's XMP has them. */
export interface GimbalTags {
  readonly yawDeg: number;
  readonly pitchDeg: number;
  readonly rollDeg: number;
}

/** Measured on the luminance of the image at working size. */
export interface ImageQuality {
  /** Variance of the Laplacian, squared grey levels: low = blurred or blank. */
  readonly sharpness: number;
  /**
   * Share of fine in coarse structure, whatever the contrast: low = blurred; `undefined`: there is too little
   * structure.
   */
  readonly fineness: number | undefined;
  /** Mean grey level, 0 to 255. */
  readonly brightness: number;
  /** Standard deviation of grey levels. */
  readonly contrast: number;
  /** Share of pixels at 250 or more, and at 5 or less. */
  readonly overexposed: number;
  readonly underexposed: number;
  /** 64-bit difference hash, hex: near equal for copies of one picture. */
  readonly differenceHash: string;
}
