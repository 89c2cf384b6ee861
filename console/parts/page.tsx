import { Component, type ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { t } from "../i18n/t.ts";

/** The one heading of a page, which is also the title of its tab. */
export function PageHead(props: { readonly title: string; readonly children?: ComponentChildren }) {
  useEffect(() => {
    document.title = `${props.title} · ${t("app.name")}`;
  }, [props.title]);
  return (
    <header class="page-head">
      <h1>{props.title}</h1>
      {props.children}
    </header>
  );
}

/** Keeps what fails in one part of a page from taking the others with it. */
export class Bulkhead extends Component<{ readonly children: ComponentChildren }> {
  override state = { hasFailed: false };

  static override getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div class="notice notice-bad" role="alert">
        <p>{t("app.part_failed")}</p>
        <button type="button" onClick={() => location.reload()}>
          {t("app.reload")}
        </button>
      </div>
    );
  }
}
