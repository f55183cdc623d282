import type { NoteReader, NoteWithAuthor } from '../../../../../application/collaboration/ports/note-ports.js';
import type { DiscussableSubject, VisibleSubject } from '../../../../../application/collaboration/subjects.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { orNotFound } from '../../kit/or-not-found.js';
import type { Decide, GuardContext } from '../../route.js';
import { findNoted, findNotedToDiscuss, type SubjectOfApi, type SubjectRoutesParts } from './subject-of-api.js';

export type FindNoteParts = SubjectRoutesParts & { readonly noteReader: NoteReader };

export interface FoundNote<Visible> {
  readonly visible: Visible;
  readonly note: NoteWithAuthor;
}

const findIn =
  <Visible extends VisibleSubject>({ noteReader }: FindNoteParts, find: Decide<Visible>) =>
  async (context: GuardContext): Promise<FoundNote<Visible>> => {
    const visible = await find(context);
    const id = orNotFound(identifierIn(context.path['note_id']));
    return { visible, note: orNotFound(await noteReader.find(visible.subject.id, id)) };
  };

/** Finds the note that a path names, in a subject that the caller may see. */
export const findNote = (parts: FindNoteParts, of: SubjectOfApi) => findIn<VisibleSubject>(parts, findNoted(parts, of));

/** The same, for callers who are about to change it or to do something else to it. */
export const findNoteToChange = (parts: FindNoteParts, of: SubjectOfApi) =>
  findIn<DiscussableSubject>(parts, findNotedToDiscuss(parts, of));
