import { signal } from "@preact/signals";
import { newestAlert } from "./alerts.ts";

const STORED_AS = "plumbline.sound";
/** One sound stands for all alerts of so long, ms: a site that fails as a whole opens them by the dozen. */
const PAUSE_MS = 5_000;
/** The tab that sounds holds its right to it as long, ms, so that the others of this browser are silent. */
const HELD_MS = 2_000;
/** Two tones, each as long, s, and their frequencies, Hz: heard over an engine, and no alarm of a machine. */
const TONE_S = 0.18;
const TONES_HZ = [880, 660];
/** Of full scale. */
const LOUDNESS = 0.25;

/** Whether a new critical alert is heard; off until somebody turns it on in this browser. */
export const isSoundOn = signal(wasChosen());

function wasChosen(): boolean {
  try {
    return localStorage.getItem(STORED_AS) === "on";
  } catch {
    return false;
  }
}

/** Turns the sound on or off, and lets it be heard once. */
export function chooseSound(isOn: boolean): void {
  isSoundOn.value = isOn;
  try {
    localStorage.setItem(STORED_AS, isOn ? "on" : "off");
  } catch {
    // Storage is off or full: it holds until the page is closed.
  }
  if (isOn) sound();
}

/** Sounds when a critical alert opens from now on; yields what ends it. */
export function followSound(): () => void {
  let soundedMs = Number.NEGATIVE_INFINITY;
  const end = newestAlert.subscribe((alert) => {
    if (alert?.severity !== "critical" || !isSoundOn.peek()) return;
    if (Date.now() - soundedMs < PAUSE_MS) return;
    soundedMs = Date.now();
    soundInOneTab();
  });
  // Browsers let no page sound before somebody has touched it.
  const unlock = () => {
    if (isSoundOn.peek()) void audio()?.resume();
  };
  addEventListener("pointerdown", unlock);
  addEventListener("keydown", unlock);
  return () => {
    end();
    removeEventListener("pointerdown", unlock);
    removeEventListener("keydown", unlock);
  };
}

function soundInOneTab(): void {
  // Web Locks exist in secure contexts alone: over plain HTTP on a network every tab sounds.
  if (navigator.locks === undefined) {
    sound();
    return;
  }
  void navigator.locks.request("plumbline-sound", { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    sound();
    await new Promise((resolve) => setTimeout(resolve, HELD_MS));
  });
}

let context: AudioContext | undefined;

/** Made when it is first needed; `undefined`: this browser has none. */
function audio(): AudioContext | undefined {
  if (typeof AudioContext === "undefined") return undefined;
  context ??= new AudioContext();
  return context;
}

function sound(): void {
  const device = audio();
  if (device === undefined) return;
  void device.resume();
  const gain = device.createGain();
  gain.gain.value = LOUDNESS;
  gain.connect(device.destination);
  TONES_HZ.forEach((frequency, i) => {
    const tone = device.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(gain);
    const beginS = device.currentTime + i * TONE_S;
    tone.start(beginS);
    tone.stop(beginS + TONE_S);
  });
}
