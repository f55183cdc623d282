import type { IssueFields } from '../../../../../application/planning/issues.js';
import type { IssueDetails } from '../../../../../application/planning/ports/planning-readers.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import { Forbidden } from '../../../../../domain/shared/domain-error.js';
import { mayChangeConfidentiality, mayChangeIssue } from '../../../../../domain/planning/issue.js';
import { withOutcomes } from '../comments/written-notice.js';
import { field, fieldNumber } from '../form-fields.js';
import { describedBy, usesTemplate } from '../description-templates.js';
import { addFormPage, dayField, textField, typed, typedList, type Refusal } from '../frame/form-page.js';
import { isPreview, previewOf } from '../frame/preview.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { refuseOvertaken, seenIn } from '../frame/seen-values.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorFor } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { NOTHING_CHOSEN, peopleIn, planningChoices } from '../planning-choices.js';
import { projectOfPage } from '../project-of-page.js';
import { projectPath } from '../project-path.js';
import { ATTACHMENTS_LABEL, withAttached } from '../uploads/attached-files.js';
import { findIssue, findIssueToChange, ISSUE, ISSUES, addressOfIssues } from './issue-pages-parts.js';
import type { FoundToChange, IssuePagesParts } from './issue-pages-parts.js';

type Place = PermittedProject<'write_issues'>;

interface Shown extends Refusal {
  readonly title: string;
  readonly button: string;
  readonly cancel: string;
  readonly issue?: IssueDetails;
  readonly mayHide: boolean;
}

/** Opening, editing and removing issues. */
export const addIssueFormPages = (pages: Pages, parts: IssuePagesParts): void => {
  addNewIssue(pages, parts);
  addIssueEditing(pages, parts);
  addIssueRemoval(pages, parts);
};

const addNewIssue = (pages: Pages, parts: IssuePagesParts): void => {
  addFormPage<Place>(pages, {
    path: `${ISSUES}/new`,
    large: 'with files',
    find: (context) => projectOfPage(parts.access, context, 'write_issues'),
    show: (context, place, refusal) =>
      showForm(parts, context, place, {
        title: 'New issue',
        button: 'Create issue',
        cancel: addressOfIssues(place),
        // Whoever opens an issue may make it confidential.
        mayHide: true,
        ...refusal,
      }),
    act: async (context, place) => {
      if (isPreview(context) || usesTemplate(context)) return undefined;
      const { iid, outcomes } = await withAttached(parts, context, { ...place, text: 'description' }, () => {
        const fields = { ...fieldsIn(context), confidential: field(context.request, 'confidential') === 'true' };
        return parts.issues.open(actorOf(context.browser), place, fields);
      });
      return { notice: withOutcomes(`Issue #${iid} created.`, outcomes), to: `${addressOfIssues(place)}/${iid}` };
    },
  });
};

const addIssueEditing = (pages: Pages, parts: IssuePagesParts): void => {
  addFormPage<FoundToChange>(pages, {
    path: `${ISSUE}/edit`,
    large: 'with files',
    find: async (context) => {
      const found = await findIssueToChange(parts, context);
      if (!mayChangeIssue(found.issue, found.party)) throw new Forbidden();
      return found;
    },
    show: (context, { issue, party, place, address }, refusal) =>
      showForm(parts, context, place, {
        title: `Edit issue #${issue.iid}`,
        button: 'Save changes',
        cancel: address,
        issue,
        mayHide: mayChangeConfidentiality(party),
        ...refusal,
      }),
    act: async (context, found) => {
      if (isPreview(context)) return undefined;
      const { issue, party, address } = found;
      refuseOvertaken(context, allOf(issue));
      const hidden = field(context.request, 'confidential') === 'true';
      const confidential = mayChangeConfidentiality(party) ? hidden : issue.confidential;
      const others = { confidential, seenDescription: issue.description };
      const outcomes = await withAttached(parts, context, { ...found.place, text: 'description' }, () =>
        parts.issues.edit(actorOf(context.browser), found, { ...fieldsIn(context), ...others }),
      );
      return { notice: withOutcomes(`Issue #${issue.iid} saved.`, outcomes), to: address };
    },
  });
};

const addIssueRemoval = (pages: Pages, parts: IssuePagesParts): void => {
  addRemovalPage(pages, {
    path: `${ISSUE}/remove`,
    find: async (context) => {
      const actor = actorFor(context.browser);
      const manager = await parts.access.project(actor, projectPath(context.request), 'remove_issues');
      return { ...(await findIssue(parts, context)), manager };
    },
    ask: async ({ browser, places }, { issue, address, place }) => ({
      title: `Remove issue #${issue.iid}?`,
      consequences: [
        `“${issue.title}” goes with all its comments.`,
        ...(issue.kind === 'incident' ? ['The alert that it tells of ends.'] : []),
      ],
      button: 'Remove issue',
      cancel: address,
      frame: await places.ofProject(browser, place, 'issues'),
    }),
    act: async ({ browser }, found) => {
      await parts.issues.remove(actorOf(browser), found.manager, found);
      return { notice: `Issue #${found.issue.iid} removed.`, to: addressOfIssues(found.place) };
    },
  });
};

const fieldsIn = (context: PageContext): IssueFields & { readonly title: string } => {
  const { request } = context;
  const milestoneId = fieldNumber(request, 'milestone_id');
  return {
    title: field(request, 'title').trim(),
    description: textField(context, 'description'),
    dueDate: dayField(context, 'due_date'),
    milestoneId: milestoneId === 0 ? null : milestoneId,
    labels: typedList(context, 'labels', []),
    assigneeIds: peopleIn(context, 'assignee_ids'),
  };
};

const EMPTY = { title: '', description: '', milestone_id: '', due_date: '', confidential: 'false' };

const valuesOf = ({ title, description, milestone, dueDate, confidential }: IssueDetails): typeof EMPTY => ({
  title,
  description,
  milestone_id: String(milestone?.id ?? ''),
  due_date: dueDate ?? '',
  confidential: String(confidential),
});

/** All that the form changes. */
const allOf = (issue: IssueDetails) => ({
  ...valuesOf(issue),
  labels: issue.labels,
  assignees: issue.assignees.map(({ id }) => id),
});

const newForm = async (parts: IssuePagesParts, context: PageContext, { project }: Place) => {
  const form = typed(context, EMPTY);
  const begun = { kind: 'issues', description: form.description } as const;
  const { description, templates } = await describedBy(parts, context, project, begun);
  return { form: { ...form, description }, templates };
};

const editForm = (context: PageContext, issue: IssueDetails) => ({
  form: typed(context, valuesOf(issue)),
  templates: undefined,
});

const showForm = async (
  parts: IssuePagesParts,
  context: PageContext,
  place: Place,
  { issue, ...shown }: Shown,
): Promise<void> => {
  const { form, templates } = issue === undefined ? await newForm(parts, context, place) : editForm(context, issue);
  await sendProjectPage(context, place, 'issue-form', {
    tab: 'issues',
    form,
    templates,
    fieldLabels: ATTACHMENTS_LABEL,
    ...(issue === undefined ? {} : { seen: seenIn(context, allOf(issue)) }),
    assigned: typedList(context, 'assignee_ids', issue?.assignees.map(({ id }) => String(id)) ?? []),
    labelled: typedList(context, 'labels', issue?.labels ?? []),
    ...(await planningChoices(parts, context, place.project, issue ? chosenIn(issue) : NOTHING_CHOSEN)),
    ...(await previewOf(parts, context, place, form.description)),
    ...shown,
  });
};

const chosenIn = ({ assignees, labels, milestone }: IssueDetails) => ({
  people: assignees,
  labels,
  milestone: milestone ?? null,
});
