/** How far followers of a shared journal have come: the place outlives the process, and whoever is next goes on there. */
export interface JournalPlaces {
  /** Last sequence of that journal that the reader has dealt with; 0: it has not begun. */
  find(journalId: string, reader: string): Promise<number>;
  /** Stores how far the reader has come. Never goes back: a process that lost the journal may be late. */
  advance(journalId: string, reader: string, sequence: number): Promise<void>;
}
