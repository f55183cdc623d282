import type { DraftNote } from '../../../../../application/collaboration/ports/draft-ports.js';
import type { SaidPosition } from '../../../../../application/collaboration/ports/subject-ports.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { queryOf } from '../comments/said-line.js';
import type { FoundToDiscuss } from '../comments/find-to-discuss.js';
import { field, pathNumber } from '../form-fields.js';
import { addFormPage, textField, typed } from '../frame/form-page.js';
import { tell } from '../frame/notice.js';
import { isPreview, previewOf } from '../frame/preview.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { refuseOvertaken, seenIn } from '../frame/seen-values.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { ATTACHMENTS_LABEL, withAttached } from '../uploads/attached-files.js';
import {
  findMergeRequestToDiscuss,
  MERGE_REQUEST,
  TAB,
  type MergeRequestPagesParts,
} from './merge-request-pages-parts.js';
import { addressOfDraft } from './pending-review.js';

const DRAFT = `${MERGE_REQUEST}/draft_notes/:id`;

/** Whether a form of a comment keeps it for the review of whoever writes it. */
export const isForReview = ({ request }: PageContext): boolean => field(request, 'kind') === 'draft';

interface Drafted {
  readonly position?: SaidPosition;
  /** The note that the thread begins with which it answers. */
  readonly answers?: number;
}

/** Keeps what a form says for the review of whoever sent it, and leads to where it is shown. */
export const keepForReview = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  found: FoundToDiscuss,
  drafted: Drafted = {},
): Promise<void> => {
  const { browser, request, response } = context;
  const resolves = drafted.answers !== undefined && field(request, 'resolves') === 'true';
  const draft = await withAttached(parts, context, { ...found.place, text: 'body' }, () =>
    parts.draftNotes.add(actorOf(browser), found, { ...drafted, resolves, written: textField(context, 'body') }),
  );
  tell(response, browser, 'Added to your review: nobody else sees it until you publish it.');
  const onChanges = drafted.position !== undefined || field(request, 'on') === 'changes';
  const changes = `${found.address}/diffs${queryOf(context, ['version', 'view'])}#draft_${draft.id}`;
  response.redirect(303, onChanges ? changes : addressOfDraft(found.address, draft));
};

interface OwnDraft {
  readonly found: FoundToDiscuss;
  readonly draft: DraftNote;
}

const valuesOf = ({ body }: DraftNote) => ({ body });

/** Changing and removing what is pending. */
export const addDraftPages = (pages: Pages, parts: MergeRequestPagesParts): void => {
  const { draftNotes, draftNoteReader } = parts;

  const find = async (context: PageContext): Promise<OwnDraft> => {
    const found = await findMergeRequestToDiscuss(parts, context);
    const { id: authorId } = actorOf(context.browser);
    const draft = await draftNoteReader.find(found.subject.id, authorId, pathNumber(context.request));
    return { found, draft: orNotFound(draft) };
  };

  addFormPage<OwnDraft>(pages, {
    path: `${DRAFT}/edit`,
    large: 'with files',
    find,
    show: async (context, { found, draft }, refusal) => {
      const form = typed(context, valuesOf(draft));
      await sendProjectPage(context, found.place, 'comment-form', {
        tab: TAB,
        title: 'Edit pending comment',
        address: addressOfDraft(found.address, draft),
        form,
        seen: seenIn(context, valuesOf(draft)),
        ...(await previewOf(parts, context, found.place, form.body)),
        fieldIds: { note: 'body' },
        fieldLabels: { note: 'The comment', ...ATTACHMENTS_LABEL },
        ...refusal,
      });
    },
    act: async (context, { found, draft }) => {
      if (isPreview(context)) return undefined;
      refuseOvertaken(context, valuesOf(draft));
      await withAttached(parts, context, { ...found.place, text: 'body' }, () =>
        draftNotes.edit(actorOf(context.browser), found, draft, {
          written: textField(context, 'body'),
          seen: draft.body,
        }),
      );
      return { notice: 'Comment saved.', to: addressOfDraft(found.address, draft) };
    },
  });

  addRemovalPage<OwnDraft>(pages, {
    path: `${DRAFT}/remove`,
    find,
    ask: async ({ browser, places }, { found, draft }) => ({
      title: 'Delete the pending comment?',
      consequences: ['Its text is gone. Nobody but you has seen it.'],
      button: 'Delete comment',
      cancel: addressOfDraft(found.address, draft),
      frame: await places.ofProject(browser, found.place, TAB),
    }),
    act: async ({ browser }, { found, draft }) => {
      await draftNotes.remove(actorOf(browser), draft);
      return { notice: 'Comment deleted.', to: draft.place === null ? found.address : `${found.address}/diffs` };
    },
  });
};
