import { type Markup, markup } from "./markup.ts";

/** The logo of a project in the head of its page, named by it; nothing where it has none. */
export function logo(url: string | undefined, projectName: string): Markup | undefined {
  return url === undefined
    ? undefined
    : markup`<img class="logo" src="${url}" alt="Logo of ${projectName}">`;
}
