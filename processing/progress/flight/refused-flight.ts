import type { CaptureImage } from "../../../domain/sites/capture.ts";
import { GateRefusal } from "../../gates/gates.ts";
import type { FlightImages } from "./flight-images.ts";

/** A survey that was refused, with what that means for each image of the capture. */
export class RefusedFlight extends GateRefusal {
  readonly captureImages: readonly CaptureImage[];

  constructor({ finding, others, uses }: GateRefusal, images: FlightImages) {
    super(finding, others, uses);
    this.captureImages = images.unused(`the flight was refused: ${finding.gate}`, uses);
  }
}

/** Runs work on a flight's images; a refusal of the whole names each of them. */
export async function namingImages<T>(
  images: FlightImages | undefined,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (images === undefined || !(error instanceof GateRefusal)) throw error;
    throw new RefusedFlight(error, images);
  }
}
