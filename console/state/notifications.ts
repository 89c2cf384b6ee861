import { signal } from "@preact/signals";
import type { Alert } from "../api/live-messages.ts";
import { t } from "../i18n/t.ts";
import { newestAlert } from "./alerts.ts";

const STORED_AS = "plumbline.notify";

/** `off`: may be turned on; `on`; `denied`: the browser refuses; `absent`: it has none, as over plain HTTP. */
type NotificationState = "off" | "on" | "denied" | "absent";

export const notifications = signal<NotificationState>(readState());

function readState(): NotificationState {
  if (typeof Notification === "undefined") return "absent";
  if (Notification.permission === "denied") return "denied";
  return Notification.permission === "granted" && wasChosen() ? "on" : "off";
}

function wasChosen(): boolean {
  try {
    return localStorage.getItem(STORED_AS) === "on";
  } catch {
    return false;
  }
}

/** Turns them on or off. The browser asks the person, and only because they pressed a button. */
export async function chooseNotifications(isOn: boolean): Promise<void> {
  if (notifications.peek() === "absent") return;
  if (isOn) await Notification.requestPermission();
  try {
    localStorage.setItem(STORED_AS, isOn ? "on" : "off");
  } catch {
    // Storage is off or full: it holds until the page is closed.
  }
  const state = readState();
  notifications.value =
    state === "off" && isOn && Notification.permission === "granted" ? "on" : state;
}

/** Shows new warnings and critical alerts by the browser while this page is not seen; yields what ends it. */
export function followNotifications(
  textOf: (alert: Alert) => string,
  onPress: () => void,
): () => void {
  return newestAlert.subscribe((alert) => {
    if (alert === undefined || alert.severity === "info") return;
    if (notifications.peek() === "on" && document.visibilityState === "hidden") {
      notify(alert, textOf(alert), onPress);
    }
  });
}

function notify({ id, severity }: Alert, body: string, onPress: () => void): void {
  try {
    // The tag: several tabs show an alert once.
    const shown = new Notification(t(`severity.${severity}`), { body, tag: id });
    shown.onclick = () => {
      window.focus();
      shown.close();
      onPress();
    };
  } catch {
    // Browsers of phones show them by service workers alone, which this page has none of.
    notifications.value = "absent";
  }
}
