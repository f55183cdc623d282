import type { Notes } from '../../../../../application/collaboration/notes.js';
import type { NoteReader, NoteWithAuthor } from '../../../../../application/collaboration/ports/note-ports.js';
import { mayChangeNote } from '../../../../../domain/collaboration/note.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { pathNumber } from '../form-fields.js';
import { addressOfNote } from './comment-page.js';
import { withOutcomes } from './written-notice.js';
import { addFormPage, textField, typed } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { ATTACHMENTS_LABEL, withAttached, type AttachingParts } from '../uploads/attached-files.js';
import type { FoundToDiscuss } from './find-to-discuss.js';

interface OwnNote {
  readonly found: FoundToDiscuss;
  readonly note: NoteWithAuthor;
}

/** What people talk about that has comments. */
export interface CommentedPage {
  /** Of its page. */
  readonly path: string;
  readonly tab: string;
  readonly find: (context: PageContext) => Promise<FoundToDiscuss>;
}

/** Editing and removing comments, of whatever they are. */
export const addCommentEditing = (
  pages: Pages,
  parts: AttachingParts & { readonly notes: Notes; readonly noteReader: NoteReader },
  { path, tab, find: findSubject }: CommentedPage,
): void => {
  const { notes, noteReader } = parts;
  const find = async (context: PageContext): Promise<OwnNote> => {
    const found = await findSubject(context);
    const note = orNotFound(await noteReader.find(found.subject.id, pathNumber(context.request)), 'Note');
    if (!mayChangeNote(note, { userId: actorOf(context.browser).id, level: found.level })) throw new Forbidden();
    return { found, note };
  };

  addFormPage<OwnNote>(pages, {
    path: `${path}/notes/:id/edit`,
    large: 'with files',
    find,
    show: (context, { found, note }, refusal) =>
      sendProjectPage(context, found.place, 'comment-form', {
        tab,
        title: 'Edit comment',
        address: found.address,
        form: typed(context, { body: note.body }),
        fieldIds: { note: 'body' },
        fieldLabels: { note: 'The comment', ...ATTACHMENTS_LABEL },
        ...refusal,
      }),
    act: async (context, { found, note }) => {
      const outcomes = await withAttached(parts, context, { ...found.place, text: 'body' }, () =>
        notes.edit(actorOf(context.browser), found, note, textField(context, 'body')),
      );
      return { notice: withOutcomes('Comment saved.', outcomes), to: addressOfNote(found.address, note.id) };
    },
  });

  addRemovalPage<OwnNote>(pages, {
    path: `${path}/notes/:id/remove`,
    find,
    ask: async ({ browser, places }, { found }) => ({
      title: 'Remove the comment?',
      consequences: ['Its text is gone for everybody.'],
      button: 'Remove comment',
      cancel: found.address,
      frame: await places.ofProject(browser, found.place, tab),
    }),
    act: async ({ browser }, { found, note }) => {
      await notes.remove(actorOf(browser), found, note);
      return { notice: 'Comment removed.', to: found.address };
    },
  });
};
