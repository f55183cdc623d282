import type { MergeRequestDetails } from '../../../../../application/review/ports/merge-request-ports.js';
import { isDraft, retitled } from '../../../../../domain/review/merge-request.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { field, fieldNumber } from '../form-fields.js';
import { describedBy } from '../description-templates.js';
import { textField, typed, typedList } from '../frame/form-page.js';
import { previewOf } from '../frame/preview.js';
import { digestOf } from '../frame/seen-values.js';
import type { PageContext } from '../page-context.js';
import { NOTHING_CHOSEN, peopleIn, planningChoices } from '../planning-choices.js';
import type { MergeRequestPagesParts } from './merge-request-pages-parts.js';

/** What the form says of a merge request, beside its branches. */
export const fieldsIn = (context: PageContext) => {
  const { request } = context;
  const milestoneId = fieldNumber(request, 'milestone_id');
  const title = field(request, 'title').trim();
  return {
    // Who writes `Draft:` before the title means it, as who checks the box does.
    title: title === '' ? title : retitled(title, isDraft(title) || field(request, 'draft') === 'true'),
    description: textField(context, 'description'),
    milestoneId: milestoneId === 0 ? null : milestoneId,
    labels: typedList(context, 'labels', []),
    assigneeIds: peopleIn(context, 'assignee_ids'),
    reviewerIds: peopleIn(context, 'reviewer_ids'),
    squash: field(request, 'squash') === 'true',
    removeSourceBranch: field(request, 'remove_source_branch') === 'true',
  };
};

/** What stands in the form before anybody types. */
export interface FormValues {
  readonly title: string;
  readonly description: string;
  readonly milestone_id: string;
  readonly draft: string;
  readonly squash: string;
  readonly remove_source_branch: string;
}

export const EMPTY_FORM: FormValues = {
  title: '',
  description: '',
  milestone_id: '',
  draft: '',
  squash: '',
  remove_source_branch: '',
};

export const valuesOf = ({ title, description, ...rest }: MergeRequestDetails): FormValues => ({
  title: retitled(title, false),
  description,
  milestone_id: String(rest.milestone?.id ?? ''),
  draft: String(isDraft(title)),
  squash: String(rest.squash),
  remove_source_branch: String(rest.removeSourceBranch === true),
});

/** All that the form changes. */
export const allOf = (mergeRequest: MergeRequestDetails) => ({
  ...valuesOf(mergeRequest),
  targetBranch: mergeRequest.targetBranch,
  labels: mergeRequest.labels,
  assignees: mergeRequest.assignees.map(({ id }) => id),
  reviewers: mergeRequest.reviewers.map(({ id }) => id),
});

const digestOfText = (name: string, text: string): string => digestOf({ [name]: text.replaceAll('\r\n', '\n') });

/** Whether a text is the one that the form proposed before: then it gives way to what is proposed now. */
const isUntouched = ({ request }: PageContext, name: 'title' | 'description'): boolean =>
  field(request, `proposed_${name}`) === digestOfText(name, field(request, name));

/** What was typed over what is proposed, of which as much stays as was touched. */
const beginForm = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  project: Project,
  { before, values }: { readonly before: FormValues; readonly values: FormValues },
) => {
  const untouched = isUntouched(context, 'description');
  const begun = { kind: 'merge_requests', untouched, description: (untouched ? before : values).description } as const;
  const { description, templates } = await describedBy(parts, context, project, begun);
  const { title } = isUntouched(context, 'title') ? before : values;
  const form = { ...values, title, description };
  const touched = context.request.method === 'POST';
  const mark = (name: 'title' | 'description'): string =>
    touched && !isUntouched(context, name) ? '' : digestOfText(name, form[name]);
  return { form, templates, proposed: { title: mark('title'), description: mark('description') } };
};

/** What the template of the form needs. @param begins whether its description may begin with a template of the project. */
export const showForm = async (
  parts: MergeRequestPagesParts,
  context: PageContext,
  place: { readonly project: Project; readonly level: number },
  {
    before,
    begins = false,
    mergeRequest,
  }: { readonly before: FormValues; readonly begins?: boolean; readonly mergeRequest?: MergeRequestDetails },
) => {
  const values = typed<keyof FormValues>(context, { ...before });
  const begun = begins ? await beginForm(parts, context, place.project, { before, values }) : undefined;
  const form = begun?.form ?? values;
  const { assignees, reviewers, labels, milestone } = mergeRequest ?? {
    ...NOTHING_CHOSEN,
    assignees: [],
    reviewers: [],
  };
  const chosen = { people: [...assignees, ...reviewers], labels, milestone };
  const idsOf = (people: readonly { readonly id: number }[]) => people.map(({ id }) => String(id));
  return {
    form,
    templates: begun?.templates,
    proposed: begun?.proposed,
    squashIsChosen: place.project.merging.squash.startsWith('default'),
    fieldLabels: { title: 'The title', source_branch: 'The source branch', target_branch: 'The target branch' },
    assigned: typedList(context, 'assignee_ids', idsOf(assignees)),
    reviewing: typedList(context, 'reviewer_ids', idsOf(reviewers)),
    labelled: typedList(context, 'labels', labels),
    ...(await planningChoices(parts, context, place.project, chosen)),
    ...(await previewOf(parts, context, place, form.description)),
  };
};
