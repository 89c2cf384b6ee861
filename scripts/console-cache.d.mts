/** Puts the web console beside a bundled program, whose folder is given. */
export function linkConsole(folder: string): Promise<void>;
