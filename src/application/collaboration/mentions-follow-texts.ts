import { mayNameSubjects } from '../../domain/collaboration/references.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { SubjectChanges } from '../../domain/shared/subject-changes.js';
import type { DomainEvent, NoteEditEvent, NoteEvent, SetFollower } from '../shared/domain-events.js';
import type { MentioningText } from './text-mentions.js';

/** What somebody wrote that others may be told of below what it names. */
interface Written {
  readonly projectId: ProjectId;
  readonly subjectId: number;
  readonly noteId: number | null;
  readonly text: string;
}

/** What is asked for: it is done after the transaction, with the rights of whoever wrote the text. */
interface TextToRead {
  readonly kind: 'read_mentions';
  readonly projectId: ProjectId;
  readonly userId: UserId;
  readonly payload: MentioningText;
}

interface Needs {
  readonly codeWorks: { add(work: TextToRead, at: Date): Promise<void> };
}

/** Asks for texts to be read that may name issues or merge requests: those that they name say so. */
export const mentionsFollowTexts: SetFollower<Needs> = {
  follow: async (events, { codeWorks }) => {
    for (const event of events) {
      const written = writtenIn(event);
      if (written === undefined || !mayNameSubjects(written.text) || !('by' in event) || event.by === null) continue;
      const { projectId, subjectId, noteId } = written;
      const work = { kind: 'read_mentions', projectId, userId: event.by, payload: { subjectId, noteId } } as const;
      await codeWorks.add(work, event.at);
    }
  },
};

const TELLING: ReadonlySet<DomainEvent['kind']> = new Set([
  'issue_opened',
  'issue_edited',
  'merge_request_opened',
  'merge_request_edited',
]);

const writtenIn = (event: DomainEvent): Written | undefined => {
  if (event.kind === 'note_added' || event.kind === 'note_edited') return ofNote(event);
  if (!TELLING.has(event.kind) || ('changes' in event && !isRetold(event.changes))) return undefined;
  // What monitoring sends names nothing of a project.
  if (event.kind === 'issue_opened' && event.issue.kind === 'incident') return undefined;
  if ('issue' in event) return ofSubject(event.issue);
  return 'mergeRequest' in event ? ofSubject(event.mergeRequest) : undefined;
};

const isRetold = ({ title, description }: SubjectChanges): boolean => title !== undefined || description !== undefined;

const ofNote = ({ subject, note }: NoteEvent | NoteEditEvent): Written | undefined => {
  const isRead = subject.kind === 'issue' || subject.kind === 'merge_request';
  if (!isRead || subject.confidential) return undefined;
  return { projectId: subject.projectId, subjectId: subject.id, noteId: note.id, text: note.body };
};

interface Titled {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly title: string;
  readonly description: string;
  readonly confidential?: boolean;
}

/** A confidential issue is named nowhere. */
const ofSubject = ({ id, projectId, title, description, confidential = false }: Titled): Written | undefined =>
  confidential ? undefined : { projectId, subjectId: id, noteId: null, text: `${title}\n${description}` };
