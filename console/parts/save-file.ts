/** Until a browser has begun to read a file that it was given, ms; the file is in memory as long. */
const READ_MS = 10_000;

/** Gives the person a file that this page made or read. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_MS);
}

/** Gives the person a table as a file. */
export const saveCsv = (name: string, text: string): void =>
  saveFile(name, new Blob([text], { type: "text/csv" }));
