import type { DiscussionWithNotes } from '../../../../../application/collaboration/ports/discussion-ports.js';
import type {
  NoteWithAuthor,
  Resolution,
  StoredSuggestion,
} from '../../../../../application/collaboration/ports/note-ports.js';
import type { PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import { partsOf, whyNotAppliable } from '../../../../../domain/collaboration/suggestion.js';
import type { DiscussionPlace } from '../../../../../domain/shared/diff-position.js';
import { ONE_OF_SEVERAL, type PageTexts, type ShownText } from '../page-texts.js';
import { withTasks } from '../tasks.js';
import type { ReadComments } from './comment-page.js';

/** A part of a comment: a text, or what it suggests to write. */
export type ShownPart =
  | { readonly kind: 'text'; readonly shown: ShownText }
  | {
      readonly kind: 'suggestion';
      readonly suggestion: StoredSuggestion;
      readonly appliable: boolean;
      readonly before: readonly string[];
      readonly after: readonly string[];
    };

/** A comment as a page shows it. */
export interface ShownNote extends Omit<NoteWithAuthor, 'body'> {
  readonly cut: boolean;
  readonly parts: readonly ShownPart[];
}

/** A comment that stands alone, or a thread. */
export interface ShownThread {
  /** The note that it begins with. */
  readonly id: number;
  readonly individual: boolean;
  readonly system: boolean;
  readonly resolution: Resolution | null;
  /** Where it is, of one about lines of a diff. */
  readonly at: DiscussionPlace | null;
  readonly notes: readonly ShownNote[];
  /** Some of its notes before those that are shown are not. */
  readonly skipped: boolean;
  /** The first of its notes after those that are shown. */
  readonly next: number | undefined;
}

export interface ShownThreads extends ReadComments {
  readonly threads: readonly ShownThread[];
}

const shownThreads = (threads: readonly ShownThread[], more: boolean): ShownThreads => ({
  threads,
  more,
  last: threads.at(-1)?.id,
  holds: (noteId) => threads.some(({ notes }) => notes.some(({ id }) => id === noteId)),
});

const linesIn = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));

/** What is left of a suggestion that nothing is known of is code. */
const asCode = (content: string): ShownPart => ({
  kind: 'text',
  shown: { text: `~~~~~~~~\n${content}~~~~~~~~`, cut: false },
});

const partsOfNote = (note: NoteWithAuthor, body: ShownText): readonly ShownPart[] => {
  if (body.cut || note.suggestions.length === 0) return [{ kind: 'text', shown: body }];
  const left = [...note.suggestions];
  return partsOf(body.text).map((part): ShownPart => {
    if (part.kind === 'text') return { kind: 'text', shown: { text: part.text, cut: false } };
    const index = left.findIndex(
      ({ above, below, content }) => above === part.above && below === part.below && content === part.content,
    );
    const [suggestion] = index === -1 ? [] : left.splice(index, 1);
    if (suggestion === undefined) return asCode(part.content);
    const [before, after] = [linesIn(suggestion.replaced), linesIn(suggestion.content)];
    const appliable = whyNotAppliable(suggestion, note.place) === undefined;
    return { kind: 'suggestion', suggestion, appliable, before, after };
  });
};

/** Threads whose comments have buttons for their tasks, where they may be changed. One with suggestions is shown in pieces, and has none. */
export const withTasksOfNotes = (
  threads: readonly ShownThread[],
  mayChangeNote: (note: ShownNote) => boolean,
): readonly ShownThread[] =>
  threads.map((thread) => ({
    ...thread,
    notes: thread.notes.map((note) => {
      const [part, ...others] = note.parts;
      if (part?.kind !== 'text' || others.length > 0) return note;
      return { ...note, parts: [{ ...part, shown: withTasks(part.shown, `tasks-${note.id}`, mayChangeNote(note)) }] };
    }),
  }));

const textsOf = (threads: readonly ShownThread[]): readonly ShownText[] =>
  threads.flatMap(({ notes }) =>
    notes.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.shown] : []))),
  );

export const notesIn = (threads: readonly ShownThread[]): readonly ShownNote[] => threads.flatMap(({ notes }) => notes);

/** Threads with the HTML of their texts, and that of other texts beside them. */
export const renderThreads = async (
  threads: readonly ShownThread[],
  others: readonly ShownText[],
  render: (texts: readonly ShownText[]) => Promise<readonly ShownText[]>,
): Promise<{ readonly threads: readonly ShownThread[]; readonly others: readonly ShownText[] }> => {
  const rendered = await render([...others, ...textsOf(threads)]);
  let next = others.length;
  const withHtml = (part: ShownPart): ShownPart =>
    part.kind === 'text' ? { ...part, shown: rendered[next++] ?? part.shown } : part;
  return {
    others: rendered.slice(0, others.length),
    threads: threads.map((thread) => ({
      ...thread,
      notes: thread.notes.map((note) => ({ ...note, parts: note.parts.map(withHtml) })),
    })),
  };
};

/** A thread is shown from its first note, unless its texts leave no room for the note that the reader came for. */
const firstShown = (notes: readonly NoteWithAuthor[], { left }: PageTexts, wanted: number): number => {
  const at = notes.findIndex(({ id }) => id === wanted);
  let room = left;
  for (const { body } of notes.slice(0, Math.max(at, 0))) room -= Math.min(body.length, ONE_OF_SEVERAL);
  return room > 0 ? 0 : at;
};

const showThread = (
  { firstNoteId, individual, notes }: DiscussionWithNotes,
  texts: PageTexts,
  wanted: number,
): ShownThread => {
  const begin = firstShown(notes, texts, wanted);
  const shown: ShownNote[] = [];
  for (const note of notes.slice(begin)) {
    if (texts.full) break;
    const body = texts.show(note.body, ONE_OF_SEVERAL);
    shown.push({ ...note, cut: body.cut, parts: partsOfNote(note, body) });
  }
  const [first] = notes;
  return {
    id: firstNoteId,
    individual,
    system: first?.system === true,
    resolution: first?.resolution ?? null,
    at: first?.place ?? null,
    notes: shown,
    skipped: begin > 0,
    next: notes[begin + shown.length]?.id,
  };
};

/** What fits on a page; what is beyond is not even read. */
export const showThreads = async (
  { batches, hasNext }: Pick<PageInBatches<DiscussionWithNotes>, 'batches' | 'hasNext'>,
  texts: PageTexts,
  wanted = 0,
): Promise<ShownThreads> => {
  const threads: ShownThread[] = [];
  for await (const batch of batches) {
    for (const discussion of batch) {
      if (texts.full) return shownThreads(threads, true);
      threads.push(showThread(discussion, texts, wanted));
    }
  }
  return shownThreads(threads, hasNext);
};
