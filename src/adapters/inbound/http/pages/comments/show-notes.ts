import type { NoteReader, NoteWithAuthor } from '../../../../../application/collaboration/ports/note-ports.js';
import { ONE_OF_SEVERAL, type PageTexts, type ShownText } from '../page-texts.js';
import { withTasks } from '../tasks.js';
import type { CommentsFrom, ReadComments } from './comment-page.js';

export interface ShownNote extends Omit<NoteWithAuthor, 'body'> {
  readonly body: ShownText;
}

export interface ShownNotes extends ReadComments {
  readonly notes: readonly ShownNote[];
}

const shownNotes = (notes: readonly ShownNote[], more: boolean): ShownNotes => ({
  notes,
  more,
  last: notes.at(-1)?.id,
  holds: (noteId) => notes.some(({ id }) => id === noteId),
});

/** The bodies of comments, which have buttons for their tasks where they may be changed. */
export const bodiesOf = (
  notes: readonly ShownNote[],
  mayChangeNote: (note: ShownNote) => boolean,
): readonly ShownText[] => notes.map((note) => withTasks(note.body, `tasks-${note.id}`, mayChangeNote(note)));

/** The comments that fit on a page; those beyond are not even read. */
export const showNotes = async (
  noteReader: NoteReader,
  subjectId: number,
  texts: PageTexts,
  { request, after }: CommentsFrom,
): Promise<ShownNotes> => {
  const query = { orderBy: 'id', sort: 'asc', page: request, after } as const;
  const { batches, hasNext } = await noteReader.list(subjectId, query);
  const notes: ShownNote[] = [];
  for await (const batch of batches) {
    for (const note of batch) {
      if (texts.full) return shownNotes(notes, true);
      notes.push({ ...note, body: texts.show(note.body, ONE_OF_SEVERAL) });
    }
  }
  return shownNotes(notes, hasNext);
};
