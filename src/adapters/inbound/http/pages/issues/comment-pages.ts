import type { NoteWithAuthor } from '../../../../../application/collaboration/ports/note-ports.js';
import { mayChangeNote } from '../../../../../domain/collaboration/note.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { pathNumber } from '../form-fields.js';
import { addFormPage, textField, typed } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import { problemsOf, type Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { showIssue } from './issue-page.js';
import { findIssueToDiscuss, ISSUE, type FoundToDiscuss, type IssuePagesParts } from './issue-pages-parts.js';

interface OwnNote {
  readonly found: FoundToDiscuss;
  readonly note: NoteWithAuthor;
}

/** Comments on issues: writing, editing and removing them. */
export const addCommentPages = (pages: Pages, parts: IssuePagesParts): void => {
  const { notes, noteReader } = parts;

  pages.postLarge(`${ISSUE}/notes`, async (context) => {
    const found = await findIssueToDiscuss(parts, context);
    try {
      const id = await notes.add(actorOf(context.browser), found, textField(context, 'body'));
      tell(context.response, context.browser, 'Comment added.');
      context.response.redirect(303, `${found.address}#note_${id}`);
    } catch (error) {
      const problems = problemsOf(error);
      context.response.status(400);
      await showIssue(parts, context, { problems, fieldIds: { note: 'body' }, fieldLabels: { note: 'The comment' } });
    }
  });

  const find = async (context: PageContext): Promise<OwnNote> => {
    const found = await findIssueToDiscuss(parts, context);
    const note = orNotFound(await noteReader.find(found.subject.id, pathNumber(context.request)), 'Note');
    if (!mayChangeNote(note, { userId: actorOf(context.browser).id, level: found.level })) throw new Forbidden();
    return { found, note };
  };

  addFormPage<OwnNote>(pages, {
    path: `${ISSUE}/notes/:id/edit`,
    large: true,
    find,
    show: (context, { found, note }, refusal) =>
      sendProjectPage(context, found.place, 'comment-form', {
        tab: 'issues',
        title: 'Edit comment',
        address: found.address,
        form: typed(context, { body: note.body }),
        fieldIds: { note: 'body' },
        fieldLabels: { note: 'The comment' },
        ...refusal,
      }),
    act: async (context, { found, note }) => {
      await notes.edit(actorOf(context.browser), found, note, textField(context, 'body'));
      return { notice: 'Comment saved.', to: `${found.address}#note_${note.id}` };
    },
  });

  addRemovalPage<OwnNote>(pages, {
    path: `${ISSUE}/notes/:id/remove`,
    find,
    ask: async ({ browser, places }, { found }) => ({
      title: 'Remove the comment?',
      consequences: ['Its text is gone for everybody.'],
      button: 'Remove comment',
      cancel: found.address,
      frame: await places.ofProject(browser, found.place, 'issues'),
    }),
    act: async ({ browser }, { found, note }) => {
      await notes.remove(actorOf(browser), found, note);
      return { notice: 'Comment removed.', to: found.address };
    },
  });
};
