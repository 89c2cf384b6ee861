import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n/t.ts";

/** How long the button says that it copied, ms. */
const SAID_MS = 3_000;

interface CopyTextProps {
  /** What it is, for who cannot see where it stands. */
  readonly name: string;
  readonly text: string;
  /** A command in several lines. */
  readonly isBlock?: boolean;
}

/**
 * A text to be copied. Browsers let pages of plain http on a network not write to the clipboard: there the text is
 * selected instead.
 */
export function CopyText({ name, text, isBlock = false }: CopyTextProps) {
  const content = useRef<HTMLElement>(null);
  const said = useSignal<"copied" | "selected" | undefined>(undefined);

  useEffect(() => {
    if (said.value === undefined) return undefined;
    const timer = setTimeout(() => {
      said.value = undefined;
    }, SAID_MS);
    return () => clearTimeout(timer);
  }, [said.value]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      said.value = "copied";
    } catch {
      const element = content.current;
      if (element === null) return;
      getSelection()?.selectAllChildren(element);
      said.value = "selected";
    }
  }

  return (
    <div class={isBlock ? "copy copy-block" : "copy"}>
      <code ref={content}>{text}</code>
      <button type="button" aria-label={t("copy.label", { name })} onClick={() => void copy()}>
        {t("copy.copy")}
      </button>
      <span role="status" class="muted small">
        {said.value === undefined ? null : t(`copy.${said.value}`)}
      </span>
    </div>
  );
}
