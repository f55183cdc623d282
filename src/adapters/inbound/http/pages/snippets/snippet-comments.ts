import { isDiscussed } from '../../../../../application/snippets/ports/snippet-subject.js';
import type { SnippetDetails } from '../../../../../application/snippets/ports/snippet-ports.js';
import { mayChangeNote, type ChangeableNote } from '../../../../../domain/collaboration/note.js';
import { together } from '../../../../../application/shared/together.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import { addCommentEditing } from '../comments/comment-editing.js';
import { findToDiscuss } from '../comments/find-to-discuss.js';
import { addressOfNote, readCommentPage } from '../comments/comment-page.js';
import { addReactions, readReactions } from '../comments/reactions.js';
import { bodiesOf, showNotes } from '../comments/show-notes.js';
import { field, pathNumber } from '../form-fields.js';
import { textField } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { isPreview, previewOf } from '../frame/preview.js';
import { problemsOf, type PageContext, type Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { PageTexts } from '../page-texts.js';
import { projectOfPage } from '../project-of-page.js';
import { ATTACHMENTS_LABEL, withAttached } from '../uploads/attached-files.js';
import type { SnippetPagesParts } from './snippet-place.js';

const SNIPPETS = '/*path/-/snippets';
const SNIPPET = `${SNIPPETS}/:iid`;

/** What a page shows of the comments on a snippet of a project; nothing for a person's own. */
export const commentsOn = async (
  parts: SnippetPagesParts,
  context: PageContext,
  snippet: SnippetDetails,
  place: PermittedProject<'read_snippets'> | undefined,
) => {
  if (place === undefined || !isDiscussed(snippet)) return {};
  const { noteReader, markdown, urls } = parts;
  const { browser, request } = context;
  const { user } = browser;
  const { subjectId } = snippet;
  const address = `/${place.project.fullPath}/-/snippets/${snippet.id}`;
  const { notes, pager } = await readCommentPage(context, { id: subjectId, address, pages: noteReader }, (from) =>
    showNotes(noteReader, subjectId, new PageTexts(), from),
  );
  const takesPart = user !== undefined && !place.project.archived;
  const mayChange = (note: ChangeableNote) => takesPart && mayChangeNote(note, { userId: user.id, level: place.level });
  const [bodies, reactions] = await together([
    markdown.renderAll(bodiesOf(notes, mayChange), browser, place),
    readReactions(parts, context, { id: subjectId, kind: 'snippet', place }, notes),
  ]);
  return {
    reactions,
    notes: notes.map((note, index) => ({ ...note, body: bodies[index] ?? note.body })),
    pager,
    whole: urls.api(`/projects/${snippet.projectId}/snippets/${snippet.id}`),
    mayChangeNote: mayChange,
    readOnly: place.project.archived,
    body: field(request, 'body'),
  };
};

const LABELS = { note: 'The comment', ...ATTACHMENTS_LABEL };

/** Writing, editing and removing comments on snippets of projects. */
export const addSnippetCommentPages = (
  pages: Pages,
  parts: SnippetPagesParts,
  show: (context: PageContext, extra: object) => Promise<void>,
): void => {
  const find = (context: PageContext) =>
    findToDiscuss(parts, context, {
      kind: 'snippet',
      addressOf: ({ project }) => `/${project.fullPath}/-/snippets`,
    });

  pages.postText(`${SNIPPET}/notes`, async (context) => {
    const found = await find(context);
    if (isPreview(context))
      return show(context, await previewOf(parts, context, found.place, textField(context, 'body')));
    try {
      const { result } = await withAttached(parts, context, { ...found.place, text: 'body' }, () =>
        parts.notes.add(actorOf(context.browser), found, textField(context, 'body')),
      );
      tell(context.response, context.browser, 'Comment added.');
      context.response.redirect(303, result === undefined ? found.address : addressOfNote(found.address, result));
    } catch (error) {
      const problems = problemsOf(error);
      context.response.status(400);
      await show(context, { problems, fieldIds: { note: 'body' }, fieldLabels: LABELS });
    }
  });

  // Somebody who signs in again, or reloads what a form led to, comes this way.
  pages.get(`${SNIPPET}/notes`, 'anyone', async (context) => {
    const { project } = await projectOfPage(parts.access, context, 'read_snippets');
    const { request, response } = context;
    response.redirect(303, `/${project.fullPath}/-/snippets/${pathNumber(request, 'iid')}`);
  });

  addCommentEditing(pages, parts, { path: SNIPPET, tab: 'snippets', find });
  addReactions(pages, parts, { path: SNIPPET, find });
};
