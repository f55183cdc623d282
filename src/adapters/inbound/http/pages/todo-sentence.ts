import type { Todo } from '../../../../application/collaboration/ports/todo-ports.js';
import type { TodoAction } from '../../../../domain/collaboration/todo.js';
import type { UserId } from '../../../../domain/shared/identifiers.js';
import type { SubjectKind } from '../../../../domain/shared/subject.js';
import { addressOfNote } from './comments/comment-page.js';
import { cutAt } from './page-texts.js';

interface Words {
  /** In a field to choose from. */
  readonly label: string;
  /** What stands between whoever asks and what it is about. */
  readonly does: string;
  /** The same where somebody asks themselves. */
  readonly own?: string;
  /** What stands after what it is about. */
  readonly after?: string;
  /** Whether it just happened, and nobody asks. */
  readonly happened?: true;
}

const WORDS: Readonly<Record<TodoAction, Words>> = {
  assigned: { label: 'Assigned', does: 'assigned you', own: 'assigned yourself' },
  review_requested: {
    label: 'Review requested',
    does: 'asked you to review',
    own: 'asked yourself to review',
  },
  mentioned: { label: 'Mentioned', does: 'mentioned you in' },
  directly_addressed: { label: 'Addressed', does: 'wrote to you in' },
  marked: { label: 'Put here by yourself', does: 'put', after: 'on your list' },
  unmergeable: { label: 'Conflicts', does: 'Conflicts keep', after: 'from being merged', happened: true },
  approval_required: { label: 'Approval needed', does: 'needs your approval of' },
  build_failed: { label: 'Pipeline failed', does: 'A pipeline failed in', happened: true },
};

const NOUNS: Readonly<Record<SubjectKind, string>> = {
  issue: 'issue',
  merge_request: 'merge request',
  snippet: 'snippet',
  commit: 'commit',
};

const MADE = ['assigned', 'review_requested', 'mentioned', 'directly_addressed', 'marked', 'unmergeable'] as const;

/** What the service asks people to do, for a field to choose from. */
export const TODO_ACTION_OPTIONS = MADE.map((action) => [action, WORDS[action].label] as const);

const QUOTE_LENGTH = 280;

/** What people call what a to-do is about, as "issue #12". */
export const nameOfSubject = ({ subject }: Pick<Todo, 'subject'>): string =>
  `${NOUNS[subject.kind]} ${subject.reference}`;

/** A to-do as people say it: "Grace assigned you *issue #12 “Leak”* in *ada/engine*". */
export const todoSentenceOf = (todo: Todo, reader: UserId) => {
  const { id, action, state, subject, note, author, createdAt } = todo;
  const { does, own = does, after, happened } = WORDS[action];
  const isOwn = author?.id === reader;
  const page = `/${subject.projectPath}/-/${subject.page}`;
  return {
    id,
    state,
    at: createdAt,
    /** Whoever asks, where it is somebody else who is still there. */
    person: happened || isOwn ? null : author,
    who: happened ? '' : isOwn ? 'You' : 'Somebody',
    does: isOwn && !happened ? own : does,
    name: nameOfSubject(todo),
    title: subject.title,
    href: note === null ? page : addressOfNote(page, note.id),
    after,
    projectPath: subject.projectPath,
    quote: note === null ? '' : note.body.length > QUOTE_LENGTH ? `${cutAt(note.body, QUOTE_LENGTH)}…` : note.body,
  };
};
