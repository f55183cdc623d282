import type { Notes } from '../../../../application/collaboration/notes.js';
import type { NoteReader, NoteWithAuthor } from '../../../../application/collaboration/ports/note-ports.js';
import type { DiscussableSubject, Subjects } from '../../../../application/collaboration/subjects.js';
import type { Subscriptions } from '../../../../application/collaboration/subscriptions.js';
import type { ChangeableIssue, Issues, VisibleIssue } from '../../../../application/planning/issues.js';
import type { PlanningReader } from '../../../../application/planning/ports/planning-readers.js';
import type { PermittedProject } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { mayChangeIssue } from '../../../../domain/planning/issue.js';
import { identifierIn } from '../../../../domain/shared/identifiers.js';
import { orNotFound } from '../kit/or-not-found.js';
import type { PageInBatches } from '../../../../application/shared/page-in-batches.js';
import type { WebUrls } from '../web-urls.js';
import { field, problemsOf, type PageContext, type Pages } from './page.js';
import { actorOf } from './page-session.js';
import { ONE_OF_SEVERAL, PageTexts, type ShownText } from './page-texts.js';
import { projectPath } from './project-path.js';
import { sendProjectPage } from './frame/send-place-page.js';
import { actorFor, pageRequest } from './page-request.js';

export interface IssuePagesParts {
  readonly access: WorkspaceAccess;
  readonly issues: Issues;
  readonly notes: Notes;
  readonly noteReader: NoteReader;
  readonly planningReader: PlanningReader;
  readonly subjects: Subjects;
  readonly subscriptions: Subscriptions;
  readonly urls: WebUrls;
}

const SHOWN_NOTES = { page: 1, perPage: 100 };

interface ShownNote extends Omit<NoteWithAuthor, 'body'> {
  readonly body: ShownText;
}

/** The notes that fit on a page; those beyond are not even read. */
const showNotes = async (
  { batches, hasNext }: PageInBatches<NoteWithAuthor>,
  texts: PageTexts,
): Promise<{ readonly notes: readonly ShownNote[]; readonly moreNotes: boolean }> => {
  const notes: ShownNote[] = [];
  for await (const batch of batches) {
    for (const note of batch) {
      if (texts.full) return { notes, moreNotes: true };
      notes.push({ ...note, body: texts.show(note.body, ONE_OF_SEVERAL) });
    }
  }
  return { notes, moreNotes: hasNext };
};

/** Plain pages of issues and incidents. */
export const addIssuePages = (pages: Pages, parts: IssuePagesParts): void => {
  const { issues, notes, subscriptions } = parts;
  pages.tabs.addToProjects({ name: 'issues', label: 'Issues', to: 'issues', permission: 'read_project', order: 30 });

  pages.get('/*path/-/issues', 'anyone', (context) => showIssues(parts, context));
  pages.get('/*path/-/issues/:iid', 'anyone', (context) => showIssue(parts, context));

  pages.post('/*path/-/issues/:iid/state', 'signed_in', async (context) => {
    const found = await findIssueToChange(parts, context);
    const stateEvent = field(context.request, 'state_event') === 'close' ? 'close' : 'reopen';
    await issues.edit(actorOf(context.browser), found, { stateEvent });
    context.response.redirect(303, found.address);
  });

  pages.post('/*path/-/issues/:iid/subscription', 'signed_in', async (context) => {
    const { issue, address } = await findIssue(parts, context);
    const subscribed = field(context.request, 'subscribed') === 'true';
    await subscriptions.change(actorOf(context.browser), issue, subscribed);
    context.response.redirect(303, address);
  });

  pages.post('/*path/-/issues/:iid/notes', 'signed_in', async (context) => {
    const found = await findIssueToDiscuss(parts, context);
    try {
      await notes.add(actorOf(context.browser), found, field(context.request, 'body'));
      context.response.redirect(303, found.address);
    } catch (error) {
      const problems = problemsOf(error);
      context.response.status(400);
      await showIssue(parts, context, { problems });
    }
  });
};

const addressOf = (request: PageContext['request']) => {
  const iid = orNotFound(identifierIn(String(request.params['iid'])));
  return { iid, address: `/${projectPath(request)}/-/issues/${String(request.params['iid'])}` };
};

interface FoundIssue extends VisibleIssue {
  readonly address: string;
  readonly place: PermittedProject<'read_project'>;
}

const findIssue = async (
  { access, issues }: IssuePagesParts,
  { browser, request }: PageContext,
): Promise<FoundIssue> => {
  const actor = actorFor(browser);
  const place = await access.project(actor, projectPath(request), 'read_project');
  const { iid, address } = addressOf(request);
  return { ...(await issues.find(actor, place, iid)), address, place };
};

const findIssueToChange = async (
  { access, issues }: IssuePagesParts,
  { browser, request }: PageContext,
): Promise<ChangeableIssue & { readonly address: string }> => {
  const actor = actorFor(browser);
  const place = await access.project(actor, projectPath(request), 'take_part');
  const { iid, address } = addressOf(request);
  return { ...(await issues.findToChange(actor, place, iid)), address };
};

const findIssueToDiscuss = async (
  { access, subjects }: IssuePagesParts,
  { browser, request }: PageContext,
): Promise<DiscussableSubject & { readonly address: string }> => {
  const actor = actorFor(browser);
  const place = await access.project(actor, projectPath(request), 'take_part');
  const { iid, address } = addressOf(request);
  return { ...(await subjects.findToDiscuss(actor, place, 'issue', String(iid))), address };
};

const showIssue = async (parts: IssuePagesParts, context: PageContext, extra: object = {}): Promise<void> => {
  const { noteReader, subscriptions, urls } = parts;
  const { issue, party, address, place } = await findIssue(parts, context);
  const readOnly = place.project.archived;
  const page = await noteReader.list(issue.id, { orderBy: 'created_at', sort: 'asc', page: SHOWN_NOTES });
  const texts = new PageTexts();
  const { user } = context.browser;
  await sendProjectPage(context, place, 'issue', {
    tab: 'issues',
    title: `${issue.title} (#${issue.iid})`,
    issue,
    address,
    description: texts.show(issue.description),
    ...(await showNotes(page, texts)),
    whole: urls.api(`/projects/${issue.projectId}/issues/${issue.iid}`),
    mayChange: user !== undefined && !readOnly && mayChangeIssue(issue, party),
    readOnly,
    subscribed: user !== undefined && (await subscriptions.isSubscribed(user, issue)),
    body: field(context.request, 'body'),
    ...extra,
  });
};

const showIssues = async ({ access, planningReader }: IssuePagesParts, context: PageContext): Promise<void> => {
  const { browser, request } = context;
  const actor = actorFor(browser);
  const place = await access.project(actor, projectPath(request), 'read_project');
  const { project } = place;
  const paging = pageRequest(context);
  const state = request.query['state'] === 'closed' ? 'closed' : 'opened';
  const page = await planningReader.listIssueHeads({
    viewer: access.viewer(actor),
    projectId: project.id,
    state,
    orderBy: 'created_at',
    sort: 'desc',
    page: paging,
  });
  const title = `Issues of ${project.name}`;
  const kept = { state };
  await sendProjectPage(context, place, 'issues', {
    tab: 'issues',
    title,
    issues: page.items,
    state,
    page,
    request: paging,
    kept,
  });
};
