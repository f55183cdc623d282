/** Gives one subject what another has, within one transaction. */
export interface SubjectCopyRepository {
  /**
   * The notes with their authors, dates and awards, in the same discussions.
   *
   * @param rewrite what becomes of their texts.
   * @throws NotPossible where there are more than one transaction takes.
   */
  copyNotes(fromId: number, toId: number, rewrite: (text: string) => string): Promise<void>;
  /** Awards of the subject itself, the time that it took, and who wants to hear of it. */
  copyAttachments(fromId: number, toId: number): Promise<void>;
}
