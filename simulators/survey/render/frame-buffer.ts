/** A picture in work. */
export interface FrameBuffer {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Three numbers a pixel, 255 times the square root of linear light. */
  readonly colour: Float32Array;
  /** Distance along the view, metres. */
  readonly depthM: Float32Array;
}

export function createFrameBuffer(widthPx: number, heightPx: number): FrameBuffer {
  return {
    widthPx,
    heightPx,
    colour: new Float32Array(3 * widthPx * heightPx),
    depthM: new Float32Array(widthPx * heightPx),
  };
}
