/** A note as it was read: another time means that it was changed since. */
export interface NoteText {
  readonly id: number;
  readonly body: string;
  /** When it was changed last, in milliseconds. */
  readonly changedAt: number;
}

export interface NoteTextReader {
  /**
   * What people wrote below a subject, a few notes at a time.
   *
   * @throws NotPossible where there are more than one transaction copies.
   */
  read(subjectId: number): AsyncIterable<readonly NoteText[]>;
}

/** What becomes of the texts of notes that are copied. */
export interface NewTexts {
  /** What was found out of notes before: null where a text stays as it is. */
  readonly known: ReadonlyMap<number, { readonly changedAt: number; readonly body: string | null }>;
  /** For notes that were written or changed since. */
  readonly rewrite: (text: string) => string;
}

/** Gives one subject what another has, within one transaction. */
export interface SubjectCopyRepository {
  /**
   * The notes with their authors, dates and awards, in the same discussions.
   *
   * @param texts undefined where all stay as they are.
   * @throws NotPossible where there are more than one transaction copies; Conflict where one was removed meanwhile.
   */
  copyNotes(fromId: number, toId: number, texts: NewTexts | undefined): Promise<void>;
  /** Awards of the subject itself, the time that it took, and who wants to hear of it. */
  copyAttachments(fromId: number, toId: number): Promise<void>;
}
