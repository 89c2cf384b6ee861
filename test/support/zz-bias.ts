import { orientSurvey } from "../../processing/photogrammetry/orient/orient-survey.ts";
import { scaleError, surveyNetwork } from "./survey-network.ts";
const [mem, first, n, sig] = process.argv.slice(2).map(Number) as [number, number, number, number];
const errs: number[] = []; const zs: number[] = [];
for (let i = 0; i < n; i++) {
  const network = surveyNetwork({ seed: first + i, strips: 4, perStrip: 6, obliques: 4, points: 300, gpsSigmaM: [sig, sig, 1.5 * sig], gpsBiasM: [1.2, -0.7, 2.5], gpsMemory: mem, isRtk: false });
  const { reconstruction } = orientSurvey(network.input);
  if (!reconstruction) continue;
  const e = scaleError(reconstruction.cameras.map(({ pose }) => pose.centre), reconstruction.cameras.map(({ image, pose }) => network.cameras[image]?.centre ?? pose.centre));
  errs.push(e); zs.push(e / reconstruction.summary.scaleSigma);
  if (i % 10 === 9 || i === n - 1) { const m = errs.reduce((a, b) => a + b, 0) / errs.length; const s = Math.sqrt(errs.reduce((a, b) => a + (b - m) ** 2, 0) / errs.length); console.log(mem, sig, errs.length, "mean %", (100 * m).toFixed(3), "sd", (100 * s).toFixed(3), "t", (m / s * Math.sqrt(errs.length)).toFixed(2), "rms z", Math.sqrt(zs.reduce((a, b) => a + b * b, 0) / zs.length).toFixed(2)); }
}
