import type { CommentPages } from '../../../../../application/collaboration/ports/comment-pages.js';
import type { NoteReader } from '../../../../../application/collaboration/ports/note-ports.js';
import { idIn, pathNumber } from '../form-fields.js';
import type { PageContext } from '../page-context.js';
import { allowLiveScript } from '../page-headers.js';
import { ONE_OF_SEVERAL, PageTexts, type ShownText } from '../page-texts.js';
import type { ChangeLine } from './changes.js';

/** Comments and threads on one page, where their texts leave room for so many. */
const COMMENTS_PER_PAGE = 100;
const FIRST_PAGE = { page: 1, perPage: COMMENTS_PER_PAGE, counted: false } as const;

/** Where a page of a conversation begins. */
export interface CommentsFrom {
  readonly request: typeof FIRST_PAGE;
  /** The comment or thread before its first one; 0 where there is none. */
  readonly after: number;
  /** The note that the reader came for; 0 for none. */
  readonly wanted: number;
  /** The first page has the whole description, the others the beginning of it, to have room for comments. */
  readonly first: boolean;
}

/** A page of a conversation. */
export interface ReadComments {
  /** The last comment or thread that it shows. */
  readonly last: number | undefined;
  readonly more: boolean;
  readonly holds: (noteId: number) => boolean;
}

/** The addresses of the pages of a conversation before and after this one. */
export interface CommentPager {
  readonly earlier: string | undefined;
  readonly later: string | undefined;
}

/** The page that holds a comment, whichever that is by then. */
export const addressOfNote = (page: string, noteId: number): string => `${page}?note=${noteId}#note_${noteId}`;

/** The texts of a page, and in them its description. */
export const textsFrom = (
  { first }: CommentsFrom,
  description: string,
): { readonly texts: PageTexts; readonly description: ShownText } => {
  const texts = new PageTexts();
  return { texts, description: first ? texts.show(description) : texts.show(description, ONE_OF_SEVERAL) };
};

const queryId = ({ request }: PageContext, name: string): number | undefined => {
  const text = request.query[name];
  return typeof text === 'string' ? idIn(text) : undefined;
};

/** A conversation, with the address of its first page. */
interface Conversation {
  readonly id: number;
  readonly address: string;
  readonly pages: CommentPages;
}

const beginningOf = async (context: PageContext, { id, pages }: Conversation): Promise<CommentsFrom> => {
  // A form of a thread is shown again on the page that has the thread.
  const wanted = queryId(context, 'note') ?? pathNumber(context.request, 'thread');
  const asked = queryId(context, 'after');
  if (wanted === 0) return { request: FIRST_PAGE, wanted, after: asked ?? 0, first: asked === undefined };
  const after = await pages.pageOf(id, wanted, COMMENTS_PER_PAGE);
  return { request: FIRST_PAGE, wanted, after, first: after === 0 };
};

const pagerOf = async (
  { id, address, pages }: Conversation,
  { after, first }: CommentsFrom,
  { more, last }: ReadComments,
): Promise<CommentPager> => {
  const linkTo = (entry: number) => `${address}?after=${entry}#comments`;
  const later = more ? linkTo(last ?? after) : undefined;
  if (first) return { earlier: undefined, later };
  const before = await pages.pageBefore(id, after, COMMENTS_PER_PAGE);
  return { earlier: before === 0 ? `${address}#comments` : linkTo(before), later };
};

/** The page of a conversation that `?note=` or `?after=` asks for; else the first. */
export const readCommentPage = async <Read extends ReadComments>(
  context: PageContext,
  conversation: Conversation,
  read: (from: CommentsFrom) => Promise<Read>,
): Promise<Read & { readonly from: CommentsFrom; readonly pager: CommentPager }> => {
  let from = await beginningOf(context, conversation);
  let shown = await read(from);
  if (from.wanted > 0 && shown.more && !shown.holds(from.wanted)) {
    // Long texts left no room for it: the page begins with it.
    from = { ...from, after: await conversation.pages.pageOf(conversation.id, from.wanted, 1), first: false };
    shown = await read(from);
  }
  const pager = await pagerOf(conversation, from, shown);
  // Then `comments.js` is on the page.
  if (pager.earlier !== undefined || pager.later !== undefined) allowLiveScript(context.response);
  return { ...shown, from, pager };
};

/** What was done before the first comment of a page is on the page before it. */
export const linesFrom = async (
  lines: readonly ChangeLine[],
  noteReader: Pick<NoteReader, 'find'>,
  { id, after, begins }: { readonly id: number; readonly after: number; readonly begins: Date | undefined },
): Promise<readonly ChangeLine[]> => {
  if (after === 0) return lines;
  const since = (await noteReader.find(id, after))?.createdAt ?? begins;
  return since === undefined ? [] : lines.filter(({ at }) => at >= since);
};
