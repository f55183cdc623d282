import type { DiscussionWithNotes } from '../../../../../application/collaboration/ports/discussion-ports.js';
import type { NoteWithAuthor, Resolution } from '../../../../../application/collaboration/ports/note-ports.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import { ONE_OF_SEVERAL, type PageTexts, type ShownText } from '../page-texts.js';

/** A comment as a page shows it. */
export interface ShownNote extends Omit<NoteWithAuthor, 'body'> {
  readonly body: ShownText;
}

/** A comment that stands alone, or a thread. */
export interface ShownThread {
  /** The note that it begins with. */
  readonly id: number;
  readonly individual: boolean;
  readonly system: boolean;
  readonly resolution: Resolution | null;
  readonly notes: readonly ShownNote[];
  /** Not all of its notes are shown. */
  readonly more: boolean;
}

export interface ShownThreads {
  readonly threads: readonly ShownThread[];
  readonly moreThreads: boolean;
}

const showThread = ({ firstNoteId, individual, notes }: DiscussionWithNotes, texts: PageTexts): ShownThread => {
  const shown: ShownNote[] = [];
  for (const note of notes) {
    if (texts.full) break;
    shown.push({ ...note, body: texts.show(note.body, ONE_OF_SEVERAL) });
  }
  const [first] = notes;
  return {
    id: firstNoteId,
    individual,
    system: first?.system === true,
    resolution: first?.resolution ?? null,
    notes: shown,
    more: shown.length < notes.length,
  };
};

/** What fits on a page; what is beyond is not even read. */
export const showThreads = async (
  { batches, hasNext }: PageInBatches<DiscussionWithNotes>,
  texts: PageTexts,
): Promise<ShownThreads> => {
  const threads: ShownThread[] = [];
  for await (const batch of batches) {
    for (const discussion of batch) {
      if (texts.full) return { threads, moreThreads: true };
      threads.push(showThread(discussion, texts));
    }
  }
  return { threads, moreThreads: hasNext };
};
