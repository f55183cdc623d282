import type { Notes } from '../../../../../application/collaboration/notes.js';
import type { NoteReader, NoteWithAuthor } from '../../../../../application/collaboration/ports/note-ports.js';
import { mayChangeNote } from '../../../../../domain/collaboration/note.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { pathNumber } from '../form-fields.js';
import { addressOfNote } from './comment-page.js';
import { withOutcomes } from './written-notice.js';
import { addFormPage, textField, typed } from '../frame/form-page.js';
import { isPreview, previewOf } from '../frame/preview.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { isOvertaken, refuseOvertaken, seenIn } from '../frame/seen-values.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import type { ProjectMarkdown } from '../project-markdown.js';
import { tickTask } from '../tasks.js';
import { ATTACHMENTS_LABEL, withAttached, type AttachingParts } from '../uploads/attached-files.js';
import type { FoundToDiscuss } from './find-to-discuss.js';

type EditingParts = AttachingParts & {
  readonly notes: Notes;
  readonly noteReader: NoteReader;
  readonly markdown: ProjectMarkdown;
};

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

/** All that the form changes. */
const valuesOf = ({ body }: NoteWithAuthor) => ({ body });

/** What was typed, and beside it what others have saved meanwhile, for whoever would put theirs in its place. */
const formOf = async (parts: EditingParts, context: PageContext, { found, note }: OwnNote) => {
  const form = typed(context, valuesOf(note));
  const saved = isOvertaken(context, valuesOf(note)) && !isPreview(context);
  const text = { text: note.body, cut: false };
  return {
    form,
    seen: seenIn(context, valuesOf(note)),
    ...(await previewOf(parts, context, found.place, form.body)),
    ...(saved ? { saved: await parts.markdown.render(text, context.browser, found.place) } : {}),
  };
};

/** Editing and removing comments, of whatever they are. */
export const addCommentEditing = (
  pages: Pages,
  parts: EditingParts,
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
    show: async (context, own, refusal) => {
      const { found } = own;
      await sendProjectPage(context, found.place, 'comment-form', {
        tab,
        title: 'Edit comment',
        address: found.address,
        ...(await formOf(parts, context, own)),
        fieldIds: { note: 'body' },
        fieldLabels: { note: 'The comment', ...ATTACHMENTS_LABEL },
        ...refusal,
      });
    },
    act: async (context, { found, note }) => {
      if (isPreview(context)) return undefined;
      refuseOvertaken(context, valuesOf(note));
      const outcomes = await withAttached(parts, context, { ...found.place, text: 'body' }, () =>
        notes.edit(actorOf(context.browser), found, note, { written: textField(context, 'body'), seen: note.body }),
      );
      return { notice: withOutcomes('Comment saved.', outcomes), to: addressOfNote(found.address, note.id) };
    },
  });

  pages.post(`${path}/notes/:id/tasks`, 'signed_in', async (context) => {
    const { found, note } = await find(context);
    await tickTask(context, {
      text: note.body,
      to: addressOfNote(found.address, note.id),
      save: (written, seen) => notes.edit(actorOf(context.browser), found, note, { written, seen }),
    });
  });

  addRemoval(pages, notes, { path, tab, find });
};

const addRemoval = (
  pages: Pages,
  notes: Notes,
  {
    path,
    tab,
    find,
  }: Pick<CommentedPage, 'path' | 'tab'> & { readonly find: (context: PageContext) => Promise<OwnNote> },
): void => {
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
