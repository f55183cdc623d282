import type { NoteReader, NoteWithAuthor } from '../../../../../application/collaboration/ports/note-ports.js';
import { ONE_OF_SEVERAL, type PageTexts, type ShownText } from '../page-texts.js';

const SHOWN_NOTES = { orderBy: 'created_at', sort: 'asc', page: { page: 1, perPage: 100 } } as const;

export interface ShownNote extends Omit<NoteWithAuthor, 'body'> {
  readonly body: ShownText;
}

/** The comments that fit on a page; those beyond are not even read. */
export const showNotes = async (
  noteReader: NoteReader,
  subjectId: number,
  texts: PageTexts,
): Promise<{ readonly notes: readonly ShownNote[]; readonly moreNotes: boolean }> => {
  const { batches, hasNext } = await noteReader.list(subjectId, SHOWN_NOTES);
  const notes: ShownNote[] = [];
  for await (const batch of batches) {
    for (const note of batch) {
      if (texts.full) return { notes, moreNotes: true };
      notes.push({ ...note, body: texts.show(note.body, ONE_OF_SEVERAL) });
    }
  }
  return { notes, moreNotes: hasNext };
};
