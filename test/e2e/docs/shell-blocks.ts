import { readFileSync } from "node:fs";

/** A fenced block of shell commands of a page. */
export interface ShellBlock {
  readonly page: string;
  /** Line of its first command, from 1. */
  readonly line: number;
  /** Its commands; an indented fence loses its indent. */
  readonly text: string;
}

const FENCE = /^( *)```(?:sh|bash|shell|console)\n([\s\S]*?)^\1```$/gm;

/** The shell blocks of a page, in order. */
export function shellBlocksOf(page: string, root: URL): readonly ShellBlock[] {
  const source = readFileSync(new URL(page, root), "utf8");
  return [...source.matchAll(FENCE)].map((match) => {
    const [, indent = "", body = ""] = match;
    return {
      page,
      line: source.slice(0, match.index).split("\n").length + 1,
      text: body.replace(new RegExp(`^${indent}`, "gm"), ""),
    };
  });
}
