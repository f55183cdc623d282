import type { Commit } from '../../../../../application/repositories/ports/object-stores.js';
import type { Preview } from '../../../../../application/review/preview-changes.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { branchNames } from '../code/branch-names.js';
import { CodeAddresses } from '../code/code-addresses.js';
import { bodyOf, COMMIT_WORDS, titleOf } from '../code/commit-words.js';
import { DIFF_LIMITS, diffOptions, orTooLarge, showDiff } from '../code/diff-view.js';
import { withOutcomes } from '../comments/written-notice.js';
import { usesTemplate } from '../description-templates.js';
import { addFormPage, type Refusal } from '../frame/form-page.js';
import { isPreview } from '../frame/preview.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { cutAt } from '../page-texts.js';
import { ATTACHMENTS_LABEL, withAttached } from '../uploads/attached-files.js';
import { branchChoicesIn, comparesOthers, type BranchChoices } from './branch-choices.js';
import { EMPTY_FORM, fieldsIn, showForm, type FormValues } from './merge-request-form.js';
import {
  addressOfMergeRequests,
  MERGE_REQUESTS,
  TAB,
  type MergeRequestPagesParts,
} from './merge-request-pages-parts.js';

const COMMITS_SHOWN = 100;
const LONGEST_DESCRIPTION = 10_000;

/** Choosing two branches, seeing what lies between them, and asking others to merge it. */
export const addNewMergeRequestPage = (pages: Pages, parts: MergeRequestPagesParts): void => {
  addFormPage<BranchChoices>(pages, {
    path: `${MERGE_REQUESTS}/new`,
    large: 'with files',
    find: (context) => branchChoicesIn(parts, context),
    show: (context, choices, refusal) => show(parts, context, choices, refusal),
    act: async (context, { source, target, sourceBranch, targetBranch }) => {
      if (isPreview(context) || usesTemplate(context) || comparesOthers(context)) return undefined;
      if (source === undefined) throw new Invalid({ source_branch: ['is in no project that you may push to'] });
      const { iid, outcomes } = await withAttached(parts, context, { ...target, text: 'description' }, () => {
        const command = { ...fieldsIn(context), sourceBranch, targetBranch };
        return parts.mergeRequests.open(actorOf(context.browser), source, target, command);
      });
      return {
        notice: withOutcomes(`Merge request !${iid} created.`, outcomes),
        to: `${addressOfMergeRequests(target.project)}/${iid}`,
      };
    },
  });
};

const show = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  choices: BranchChoices,
  refusal: Refusal,
): Promise<void> => {
  const { place, source, target, sourceBranch, targetBranch } = choices;
  const compared = await compare(parts, context, choices);
  const values = 'diff' in compared ? valuesFor(compared.commits, sourceBranch) : EMPTY_FORM;
  const before = { ...values, squash: String(target.project.merging.squash === 'default_on') };
  // What was typed stays, also beside branches that nothing can be asked of.
  const isShown = context.request.method === 'POST' || ('diff' in compared && offersToMerge(compared));
  const kept = keptIn(choices);
  await sendProjectPage(context, place, 'new-merge-request', {
    tab: TAB,
    title: 'New merge request',
    sources: choices.sources.map(({ project }) => project.fullPath),
    targets: choices.targets.map(({ project }) => project.fullPath),
    sourceProject: source?.project.fullPath,
    targetProject: target.project.fullPath,
    sourceBranch,
    targetBranch,
    sourceBranches: await branchNames(parts, source?.project.id),
    targetBranches: await branchNames(parts, target.project.id),
    kept,
    ...(isShown ? await showForm(parts, context, target, { before, begins: true }) : {}),
    action: `${addressOfMergeRequests(place.project)}/new?${new URLSearchParams(kept).toString()}`,
    fieldLabels: {
      title: 'The title',
      source_branch: 'The source branch',
      target_branch: 'The target branch',
      ...ATTACHMENTS_LABEL,
    },
    button: 'Create merge request',
    cancel: addressOfMergeRequests(target.project),
    ...compared,
    ...refusal,
  });
};

const offersToMerge = ({ commits, twin }: { readonly commits: readonly Commit[]; readonly twin: number | undefined }) =>
  commits.length > 0 && twin === undefined;

/** What the address must go on saying. */
const keptIn = ({ source, target, sourceBranch, targetBranch }: BranchChoices) => ({
  ...(source === undefined ? {} : { source_project: source.project.fullPath }),
  source_branch: sourceBranch,
  target_project: target.project.fullPath,
  target_branch: targetBranch,
});

/** What lies between the branches; empty before they are chosen, and what is wrong where they aren't there. */
const compare = async (parts: MergeRequestPagesParts, context: PageContext, choices: BranchChoices) => {
  const { source, target, sourceBranch, targetBranch } = choices;
  if (source === undefined || sourceBranch === '' || targetBranch === '') return {};
  const found = await parts.previewChanges.execute({ source, sourceBranch, target, targetBranch });
  if (!('store' in found)) {
    const absent = ['does not exist'];
    return {
      problems: {
        ...(found.source ? { source_branch: absent } : {}),
        ...(found.target ? { target_branch: absent } : {}),
      },
    };
  }
  const pair = { projectId: target.project.id, targetBranch, sourceProjectId: source.project.id, sourceBranch };
  const twin = await parts.mergeRequestReader.findOpenTwin(pair);
  const shown = await read(parts, context, found);
  return { ...shown, at: new CodeAddresses(source.project.fullPath), twin };
};

const read = async ({ history }: MergeRequestPagesParts, context: PageContext, preview: Preview) => {
  const { store, base, target, head } = preview;
  const options = diffOptions(context);
  const limits = { ...DIFF_LIMITS, ignoreWhitespace: options.ignoreWhitespace };
  const commits = await history.log(store, { tips: [head], not: [target], limit: COMMITS_SHOWN + 1 });
  const diff =
    base === undefined ? { files: [], overflow: false } : await orTooLarge(history.diff(store, base, head, limits));
  return {
    commits: commits.slice(0, COMMITS_SHOWN),
    moreCommits: commits.length > COMMITS_SHOWN,
    diff: showDiff(context, diff, options),
    options,
    sides: { from: base, to: head },
    words: COMMIT_WORDS,
  };
};

/** A branch that is called after an issue closes it. */
const ISSUE_OF_BRANCH = /^([1-9]\d{0,8})-/;

/** One commit says what it is about; of several the name of the branch does. */
const valuesFor = (commits: readonly Commit[], branch: string): FormValues => {
  const [only, ...others] = commits;
  const single = others.length === 0 ? only : undefined;
  const [, issue] = ISSUE_OF_BRANCH.exec(branch) ?? [];
  const words = branch
    .replace(ISSUE_OF_BRANCH, '')
    .replace(/[-_/]+/g, ' ')
    .trim();
  const title = words === '' ? branch : words[0]!.toUpperCase() + words.slice(1);
  const texts = [...(single ? [bodyOf(single.message)] : []), ...(issue === undefined ? [] : [`Closes #${issue}`])];
  return {
    ...EMPTY_FORM,
    title: cutAt(single ? titleOf(single.message) : title, 255),
    description: cutAt(texts.filter((text) => text !== '').join('\n\n'), LONGEST_DESCRIPTION),
    remove_source_branch: 'true',
  };
};
