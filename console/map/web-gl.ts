/** Whether this browser can draw the map. */
export const hasWebGl = (): boolean =>
  document.createElement("canvas").getContext("webgl2") !== null;
