import { mayComment } from '../../domain/collaboration/note.js';
import { textReferences, type TextReference } from '../../domain/collaboration/references.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { isKnownIn, type SeenProject } from '../../domain/shared/known-in.js';
import { seenFor, SUBJECT_PERMISSIONS } from '../../domain/workspace/workspace-policy.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { NoteReader, NoteRepository } from './ports/note-ports.js';
import type { PlaceToDiscuss, SubjectDetails, SubjectReader, SubjectRepository } from './ports/subject-ports.js';
import type { Subjects } from './subjects.js';

/** A text: of an issue or merge request itself, or of a comment on it. */
export interface MentioningText {
  readonly subjectId: number;
  readonly noteId: number | null;
}

/** What is to be written below what a text names. */
export interface TextMention {
  readonly targetId: number;
  readonly body: string;
}

type Mentionable = TextReference['kind'];

interface Parts {
  readonly subjectReader: SubjectReader;
  readonly noteReader: Pick<NoteReader, 'find'>;
  readonly subjects: Subjects;
  /** The project of a number or path, for who may see it, or comment on what is of that kind there. @throws NotFound, Forbidden. */
  readonly see: (actor: UserActor, project: string) => Promise<Permitted<'read_project'>>;
  readonly enter: (actor: UserActor, project: string, kind: Mentionable) => Promise<PlaceToDiscuss<Mentionable>>;
}

const WORDS = { issue: 'issue', merge_request: 'merge request' } as const;

/** Issues and merge requests that the texts of others name. */
export class TextMentions {
  constructor(private readonly parts: Parts) {}

  /** Those that whoever wrote the text may comment on, and whose readers may know of where it stands. */
  async find(actor: UserActor, { subjectId, noteId }: MentioningText): Promise<readonly TextMention[]> {
    const source = await this.parts.subjectReader.find(subjectId);
    if (source === undefined || source.confidential) return [];
    const text = await this.#textOf(source, noteId);
    const references = text === undefined ? [] : textReferences(text);
    if (references.length === 0) return [];
    const { project } = await this.parts.see(actor, String(source.projectId));
    const from = seenFor(project, SUBJECT_PERMISSIONS[source.kind].read);
    const found: TextMention[] = [];
    for (const reference of references) {
      const seen = await this.#see(actor, from, reference);
      if (seen === undefined || seen.targetId === source.id) continue;
      const name = `${seen.elsewhere ? project.fullPath : ''}${source.reference}`;
      found.push({ targetId: seen.targetId, body: `mentioned in ${wordsOf(source)} ${name}` });
    }
    return found;
  }

  async #textOf({ id, title, description }: SubjectDetails, noteId: number | null): Promise<string | undefined> {
    return noteId === null ? `${title}\n${description}` : (await this.parts.noteReader.find(id, noteId))?.body;
  }

  async #see(actor: UserActor, from: SeenProject, { kind, project, iid }: TextReference) {
    try {
      const place = await this.parts.enter(actor, project ?? String(from.id), kind);
      const { subject, level } = await this.parts.subjects.findToDiscuss(actor, place, kind, String(iid));
      const seenIn = seenFor(place.project, SUBJECT_PERMISSIONS[kind].read);
      if (!isKnownIn(from, seenIn) || !mayComment(subject, { level })) return undefined;
      return { targetId: subject.id, elsewhere: place.project.id !== from.id };
    } catch (error) {
      // What they may not see or touch stays as it is.
      if (error instanceof NotFound || error instanceof Forbidden) return undefined;
      throw error;
    }
  }
}

const wordsOf = ({ kind }: SubjectDetails): string => WORDS[kind as keyof typeof WORDS];

interface Needs {
  readonly notes: NoteRepository;
  readonly subjects: SubjectRepository;
}

/** Notes the mentions, each once whatever names them again, within the caller's unit of work. */
export const noteTextMentions = async (
  { notes, subjects }: Needs,
  { subjectId }: MentioningText,
  mentions: readonly TextMention[],
  { by, at }: { readonly by: UserId; readonly at: Date },
): Promise<void> => {
  // It may have become confidential since it was read.
  if ((await subjects.find(subjectId))?.confidential !== false) return;
  for (const { targetId, body } of [...mentions].sort((one, other) => one.targetId - other.targetId)) {
    if ((await subjects.find(targetId)) === undefined || (await notes.hasSystemNote(targetId, body))) continue;
    await notes.add({ subjectId: targetId, authorId: by, body, system: true, createdAt: at });
  }
};
