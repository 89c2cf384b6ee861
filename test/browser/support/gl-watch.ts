import type { Page } from "playwright-core";

/** Counts contexts of WebGL 2, and what is made and not deleted in them; for `addInitScript`. */
export const WATCH_GL = `
  globalThis.glWatch = { contexts: new Set(), live: {}, lose() {
    for (const one of this.contexts) one.getExtension("WEBGL_lose_context")?.loseContext();
  } };
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (...asked) {
    const context = getContext.apply(this, asked);
    if (context instanceof WebGL2RenderingContext) glWatch.contexts.add(context);
    return context;
  };
  for (const kind of ["Buffer", "Texture", "VertexArray", "Program", "Shader", "Framebuffer", "Renderbuffer"]) {
    glWatch.live[kind] = 0;
    const { prototype } = WebGL2RenderingContext;
    const [make, drop] = [prototype["create" + kind], prototype["delete" + kind]];
    prototype["create" + kind] = function (...asked) {
      glWatch.live[kind] += 1;
      return make.apply(this, asked);
    };
    prototype["delete" + kind] = function (one) {
      if (one !== null) glWatch.live[kind] -= 1;
      return drop.call(this, one);
    };
  }
`;

/** A browser without WebGL; for `addInitScript`. */
export const WITHOUT_GL = `
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...asked) {
    return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...asked);
  };
`;

interface GlCounts {
  /** Contexts that were ever made, and those that are not lost. */
  readonly made: number;
  readonly open: number;
  /** What is made and not deleted, by kind, of all contexts. */
  readonly live: Readonly<Record<string, number>>;
}

/** What {@link WATCH_GL} has counted. */
export const glCounts = (page: Page): Promise<GlCounts> =>
  page.evaluate(`({
    made: glWatch.contexts.size,
    open: [...glWatch.contexts].filter((one) => !one.isContextLost()).length,
    live: glWatch.live,
  })`);
