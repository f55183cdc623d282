import type { DiscussableSubject } from '../../../../../application/collaboration/subjects.js';
import type { UserActor } from '../../../../../application/shared/actor.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { addCommentEditing } from '../comments/comment-editing.js';
import type { FoundToDiscuss } from '../comments/find-to-discuss.js';
import { addReactions } from '../comments/reactions.js';
import { queryOf, saidIn } from '../comments/said-line.js';
import { pathNumber } from '../form-fields.js';
import { refusalOf, textField } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { isPreview, previewOf } from '../frame/preview.js';
import type { PageContext } from '../page-context.js';
import { actorFor } from '../page-request.js';
import { actorOf } from '../page-session.js';
import type { Pages } from '../page.js';
import { projectPath } from '../project-path.js';
import { ATTACHMENTS_LABEL, withAttached } from '../uploads/attached-files.js';
import { CodePage } from './code-page.js';
import { showCommit, type CommitPageParts } from './commit-page.js';

const COMMIT = '/*path/-/commit/:sha';
const ID = /^[0-9a-f]{7,40}$/;

const idIn = ({ request }: PageContext): string => {
  const id = String(request.params['sha']);
  if (!ID.test(id)) throw new NotFound('Commit');
  return id;
};

/** A commit, for who is about to comment on it. */
const findCommit = async ({ access, subjects }: CommitPageParts, context: PageContext): Promise<FoundToDiscuss> => {
  const actor = actorFor(context.browser);
  const place = await access.project(actor, projectPath(context.request), 'discuss_code');
  const found = await subjects.findToDiscuss(actor, place, 'commit', idIn(context));
  return { ...found, place, address: `/${place.project.fullPath}/-/${found.subject.page}` };
};

/** Writes what a form says. @returns the id of the note. */
type Write = (author: UserActor, found: DiscussableSubject, body: string) => Promise<number | undefined>;

/** Writing, editing and removing comments on commits, and on the lines that they change. */
export const addCommitCommentPages = (pages: Pages, parts: CommitPageParts): void => {
  const { subjects, notes, discussions } = parts;
  const page = new CodePage(parts);

  const addForm = (
    path: string,
    {
      notice,
      field,
      write,
    }: { readonly notice: string; readonly field: string; readonly write: (context: PageContext) => Write },
  ): void => {
    pages.postText(`${COMMIT}/${path}`, async (context) => {
      const found = await findCommit(parts, context);
      const { browser, response } = context;
      if (isPreview(context))
        return showCommit(parts, context, await previewOf(parts, context, found.place, textField(context, 'body')));
      try {
        const begun = await subjects.begin(found);
        const id = await withAttached(parts, context, { ...found.place, text: 'body' }, () =>
          write(context)(actorOf(browser), begun, textField(context, 'body')),
        );
        tell(response, browser, notice);
        response.redirect(303, `${found.address}${queryOf(context, ['view'])}#note_${id}`);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined || response.headersSent) throw error;
        const { status, ...said } = refusal;
        response.status(status);
        await showCommit(parts, context, {
          fieldIds: { note: field, attachments: field.replace('body', 'attachments') },
          fieldLabels: { note: 'The comment', ...ATTACHMENTS_LABEL },
          ...said,
        });
      }
    });

    // Somebody who signs in again, or reloads what a form led to, comes this way.
    pages.get(`${COMMIT}/${path}`, 'anyone', async (context) => {
      const { addresses } = await page.open(context);
      context.response.redirect(303, `${addresses.commit(idIn(context))}${queryOf(context, ['view', 'line'])}`);
    });
  };

  addForm('notes', {
    notice: 'Comment added.',
    field: 'body',
    write: () => async (author, found, body) => (await notes.add(author, found, body)).result,
  });
  addForm('line_threads', {
    notice: 'Thread started.',
    field: 'line-body',
    write: (context) => async (author, found, body) =>
      (await discussions.begin(author, found, body, { position: saidIn(context) })).result,
  });
  addForm('threads/:thread/notes', {
    notice: 'Reply added.',
    field: 'body',
    write: (context) => async (author, found, body) =>
      (await discussions.reply(author, found, { firstNoteId: pathNumber(context.request, 'thread') }, body)).result,
  });

  addActsOnComments(pages, parts);
};

const addActsOnComments = (pages: Pages, parts: CommitPageParts): void => {
  const find = (context: PageContext) => findCommit(parts, context);
  addCommentEditing(pages, parts, { path: COMMIT, tab: 'files', find });
  addReactions(pages, parts, { path: COMMIT, find, commentsOnly: true });
};
