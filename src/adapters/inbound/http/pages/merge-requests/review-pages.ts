import type { DraftNote } from '../../../../../application/collaboration/ports/draft-ports.js';
import type { PublishedDrafts } from '../../../../../application/collaboration/publish-drafts.js';
import { mayApprove } from '../../../../../domain/review/merge-request.js';
import { NotPossible } from '../../../../../domain/shared/domain-error.js';
import { given } from '../../kit/given.js';
import { withOutcomes } from '../comments/written-notice.js';
import { field } from '../form-fields.js';
import { addFormPage, textField, typed, type Refusal } from '../frame/form-page.js';
import { isPreview, previewOf } from '../frame/preview.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { digestOf, refuseOvertaken } from '../frame/seen-values.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { ATTACHMENTS_LABEL, withAttached } from '../uploads/attached-files.js';
import { inWords, MAY_NOT_APPROVE } from './merge-request-acts.js';
import { frameOf } from './merge-request-page.js';
import {
  asItIs,
  findMergeRequestToChange,
  findMergeRequestToDiscuss,
  MERGE_REQUEST,
  TAB,
  type FoundToChange,
  type MergeRequestPagesParts,
} from './merge-request-pages-parts.js';
import { pendingReviewOf } from './pending-review.js';

type Parts = MergeRequestPagesParts;

const REVIEW = `${MERGE_REQUEST}/review`;

/** What a form shows of drafts: one that was added or changed since is none of them. */
const shownOf = (drafts: readonly Pick<DraftNote, 'id' | 'updatedAt'>[]) =>
  drafts.map(({ id, updatedAt }) => [id, updatedAt]);

const REVIEW_CHANGED = 'Your review has changed since this page was shown: look at it, and send it again.';

const counted = (comments: number): string => `${comments} ${comments === 1 ? 'comment' : 'comments'}`;

const showReview = async (parts: Parts, context: PageContext, found: FoundToChange, refusal: Refusal) => {
  const mergeRequest = await asItIs(parts, found);
  const { id: userId } = actorOf(context.browser);
  const approvals = await parts.mergeRequestReader.approvals(mergeRequest.id);
  const hasApproved = approvals.some(({ person }) => person.id === userId);
  const form = typed(context, { body: '' });
  const pending = await pendingReviewOf(parts, context, found);
  await sendProjectPage(context, found.place, 'review', {
    ...(await frameOf(parts, context, found, mergeRequest)),
    title: 'Finish review',
    part: 'review',
    pending,
    seen: digestOf(shownOf(pending.drafts)),
    whole: parts.urls.api(`/projects/${mergeRequest.projectId}/merge_requests/${mergeRequest.iid}`),
    offersApproval: !hasApproved && mayApprove(mergeRequest, { userId, level: found.place.level }),
    approves: field(context.request, 'approve') === 'true',
    form,
    counted,
    ...(await previewOf(parts, context, found.place, form.body)),
    fieldIds: { note: 'body' },
    fieldLabels: { note: 'The review', ...ATTACHMENTS_LABEL },
    ...refusal,
  });
};

/** @throws NotPossible where there is nothing to publish. */
const publish = async (parts: Parts, context: PageContext, changed: FoundToChange): Promise<PublishedDrafts> => {
  const actor = actorOf(context.browser);
  const found = await findMergeRequestToDiscuss(parts, context);
  const approves = field(context.request, 'approve') === 'true';
  return withAttached(parts, context, { ...found.place, text: 'body' }, async () => {
    const summary = textField(context, 'body').trim() === '' ? undefined : textField(context, 'body');
    const drafts = await parts.draftNoteReader.all(found.subject.id, actor.id);
    refuseOvertaken(context, shownOf(drafts), REVIEW_CHANGED);
    if (drafts.length === 0 && summary === undefined && !approves)
      throw new NotPossible('Nothing is pending: your review has no comments.');
    const sha = field(context.request, 'sha') || undefined;
    const also = approves ? parts.approvals.approving(actor, changed, sha) : undefined;
    return inWords(MAY_NOT_APPROVE, parts.publishDrafts.all(actor, found, given({ summary, also, drafts })));
  });
};

/** What somebody has drafted of a merge request: all of it in one place, to be published or thrown away. */
export const addReviewPages = (pages: Pages, parts: Parts): void => {
  addFormPage<FoundToChange>(pages, {
    path: REVIEW,
    large: 'with files',
    find: (context) => findMergeRequestToChange(parts, context),
    show: (context, found, refusal) => showReview(parts, context, found, refusal),
    act: async (context, found) => {
      if (isPreview(context)) return undefined;
      const { comments, outcomes } = await publish(parts, context, found);
      const approved = field(context.request, 'approve') === 'true' ? ' Approved.' : '';
      return {
        notice: withOutcomes(`Review published: ${counted(comments)}.${approved}`, outcomes),
        to: `${found.address}#comments`,
      };
    },
  });

  addRemovalPage<FoundToChange>(pages, {
    path: `${REVIEW}/discard`,
    find: (context) => findMergeRequestToChange(parts, context),
    ask: async ({ browser, places }, { place, address, mergeRequest }) => {
      const drafts = await parts.draftNoteReader.all(mergeRequest.id, actorOf(browser).id);
      return {
        title: 'Discard your review?',
        consequences: [`${counted(drafts.length)} that only you see will be gone.`],
        button: 'Discard review',
        cancel: address,
        fields: { seen: digestOf(shownOf(drafts)) },
        frame: await places.ofProject(browser, place, TAB),
      };
    },
    act: async (context, { address }) => {
      const found = await findMergeRequestToDiscuss(parts, context);
      const drafts = await parts.draftNoteReader.all(found.subject.id, actorOf(context.browser).id);
      refuseOvertaken(context, shownOf(drafts), REVIEW_CHANGED);
      const discarded = await parts.draftNotes.discard(actorOf(context.browser), found);
      return { notice: `Review discarded: ${counted(discarded)}.`, to: address };
    },
  });
};
