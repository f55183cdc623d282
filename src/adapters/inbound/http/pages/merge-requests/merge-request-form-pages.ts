import { mayChange } from '../../../../../domain/review/merge-request.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { withOutcomes } from '../comments/written-notice.js';
import { field } from '../form-fields.js';
import { addFormPage, typed } from '../frame/form-page.js';
import { isPreview } from '../frame/preview.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { refuseOvertaken, seenIn } from '../frame/seen-values.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { Pages } from '../page.js';
import { actorFor } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { projectPath } from '../project-path.js';
import { ATTACHMENTS_LABEL, withAttached } from '../uploads/attached-files.js';
import { allOf, fieldsIn, showForm, valuesOf } from './merge-request-form.js';
import {
  addressOfMergeRequests,
  findMergeRequest,
  findMergeRequestToChange,
  MERGE_REQUEST,
  TAB,
  type FoundToChange,
  type MergeRequestPagesParts,
} from './merge-request-pages-parts.js';

/** Editing and removing merge requests. */
export const addMergeRequestFormPages = (pages: Pages, parts: MergeRequestPagesParts): void => {
  addEditing(pages, parts);
  addRemoval(pages, parts);
};

const addEditing = (pages: Pages, parts: MergeRequestPagesParts): void => {
  addFormPage<FoundToChange>(pages, {
    path: `${MERGE_REQUEST}/edit`,
    large: 'with files',
    find: async (context) => {
      const found = await findMergeRequestToChange(parts, context);
      const party = { userId: actorOf(context.browser).id, level: found.place.level };
      if (!mayChange(found.mergeRequest, party)) throw new Forbidden();
      return found;
    },
    show: async (context, { mergeRequest, place, address }, refusal) => {
      const { target_branch } = typed(context, { target_branch: mergeRequest.targetBranch });
      await sendProjectPage(context, place, 'edit-merge-request', {
        tab: TAB,
        title: `Edit merge request !${mergeRequest.iid}`,
        ...(await showForm(parts, context, place, { before: valuesOf(mergeRequest), mergeRequest })),
        ...(mergeRequest.state === 'merged' ? {} : { editedTarget: target_branch }),
        seen: seenIn(context, allOf(mergeRequest)),
        fieldLabels: ATTACHMENTS_LABEL,
        button: 'Save changes',
        cancel: address,
        ...refusal,
      });
    },
    act: async (context, found) => {
      if (isPreview(context)) return undefined;
      const { mergeRequest, address } = found;
      refuseOvertaken(context, allOf(mergeRequest));
      const targetBranch = field(context.request, 'target_branch').trim();
      const moved = targetBranch !== '' && mergeRequest.state !== 'merged' ? { targetBranch } : {};
      const others = { ...moved, seenDescription: mergeRequest.description };
      const outcomes = await withAttached(parts, context, { ...found.place, text: 'description' }, () =>
        parts.mergeRequests.edit(actorOf(context.browser), found, { ...fieldsIn(context), ...others }),
      );
      return { notice: withOutcomes(`Merge request !${mergeRequest.iid} saved.`, outcomes), to: address };
    },
  });
};

const addRemoval = (pages: Pages, parts: MergeRequestPagesParts): void => {
  addRemovalPage(pages, {
    path: `${MERGE_REQUEST}/remove`,
    find: async (context) => {
      const actor = actorFor(context.browser);
      const owner = await parts.access.project(actor, projectPath(context.request), 'remove_merge_requests');
      return { ...(await findMergeRequest(parts, context)), owner };
    },
    ask: async ({ browser, places }, { mergeRequest: { iid, title, sourceBranch }, address, place }) => ({
      title: `Remove merge request !${iid}?`,
      consequences: [`“${title}” goes with all its comments.`, `The branch ${sourceBranch} stays.`],
      button: 'Remove merge request',
      cancel: address,
      frame: await places.ofProject(browser, place, TAB),
    }),
    act: async ({ browser }, found) => {
      await parts.mergeRequests.remove(actorOf(browser), found.owner, found);
      const to = addressOfMergeRequests(found.place.project);
      return { notice: `Merge request !${found.mergeRequest.iid} removed.`, to };
    },
  });
};
