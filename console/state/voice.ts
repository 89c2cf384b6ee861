import { signal } from "@preact/signals";
import { newestAlert } from "./alerts.ts";
import { type Announcement, VoiceQueue } from "./voice-queue.ts";

/** What is being said. */
export const announcement = signal<Announcement | undefined>(undefined);

/** Says new alerts from now on; yields what ends it. */
export function followVoice(): () => void {
  const queue = new VoiceQueue();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const speak = () => {
    clearTimeout(timer);
    const next = queue.take(Date.now());
    if (next !== undefined) announcement.value = next;
    const due = queue.dueIn(Date.now());
    if (due !== undefined) timer = setTimeout(speak, due);
  };
  const end = newestAlert.subscribe((alert) => {
    if (alert === undefined) return;
    queue.add(alert);
    speak();
  });
  return () => {
    end();
    clearTimeout(timer);
    announcement.value = undefined;
  };
}
