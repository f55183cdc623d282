import type { UserProfile, UserReader } from '../identity/ports/identity-readers.js';
import type { NoteReader } from '../collaboration/ports/note-ports.js';
import type { IssueDetails, PlanningReader } from '../planning/ports/planning-readers.js';
import type { MergeRequestReader } from '../review/ports/merge-request-ports.js';
import { STRANGER, type WorkspaceReader } from '../workspace/ports/workspace-readers.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { DeliveredEvent, Webhook, WebhookFacts } from '../../domain/webhooks/webhook.js';
import { composeChanges, type ComposeChangesParts } from './compose-changes.js';
import { composeCommitNote, type ComposeCommitNoteParts } from './compose-commit-note.js';
import { composeMergeRequest, composeMergeRequestNote } from './compose-merge-request.js';
import { composeDeployment, sampleDeployment, type ComposeDeploymentParts } from './compose-deployment.js';
import { composeJob, type ComposeJobParts } from './compose-job.js';
import { composePipeline, type ComposePipelineParts } from './compose-pipeline.js';
import { composeRelease, type ComposeReleaseParts } from './compose-release.js';
import { composePush, samplePush, type ComposePushParts } from './compose-push.js';
import type { ComposeWebhook } from './ports/webhook-ports.js';
import {
  presentNote,
  presentPeople,
  presentProject,
  presentRepository,
  type PresentLines,
  type WebhookUrls,
} from './webhook-words.js';

export interface ComposeWebhookParts
  extends
    ComposePushParts,
    ComposePipelineParts,
    ComposeJobParts,
    ComposeDeploymentParts,
    ComposeCommitNoteParts,
    ComposeReleaseParts,
    ComposeChangesParts {
  readonly workspace: Pick<WorkspaceReader, 'findProject'>;
  readonly users: Pick<UserReader, 'find'>;
  readonly planning: Pick<PlanningReader, 'findIssue'>;
  readonly notes: Pick<NoteReader, 'find'>;
  readonly lines: PresentLines;
  readonly mergeRequests: Pick<MergeRequestReader, 'findById'>;
}

type Facts<Kind extends WebhookFacts['kind']> = Extract<WebhookFacts, { kind: Kind }>;

/** What a webhook asks for to be told of a confidential issue. */
const CONFIDENTIAL_EVENT = { issue: 'confidential_issues_events', note: 'confidential_note_events' } as const;

/** What a receiver reads of a person. */
const presentUser = (user: UserProfile | undefined) => ({
  id: user?.id ?? 0,
  name: user?.name ?? 'Ghost User',
  username: user?.username ?? 'ghost',
  avatar_url: null,
  email: '[REDACTED]',
});

/** What each of them begins with. */
interface Common {
  readonly user: ReturnType<typeof presentUser>;
  readonly project: object;
  readonly repository: object;
}

/** Makes the bodies of deliveries, of what is there when they are sent. */
export const createComposeWebhook = (parts: ComposeWebhookParts): ComposeWebhook => {
  const { workspace, users, urls } = parts;

  return async ({ projectId, events }, event, facts) => {
    const project = await workspace.findProject(projectId);
    if (project === undefined) return undefined;
    const user = await users.find(facts.by);
    if (facts.kind === 'push') return composePush(parts, project, presentUser(user), facts);
    if (facts.kind === 'test' && (event === 'push_events' || event === 'tag_push_events'))
      return composePush(parts, project, presentUser(user), await samplePush(parts, project, event));
    const common = {
      user: presentUser(user),
      project: presentProject(project, urls),
      repository: presentRepository(project, urls),
    };
    if (facts.kind === 'test') return composeTest(parts, common, { project, event }, facts);
    if (facts.kind === 'issue' || facts.kind === 'note')
      return composeIssue(parts, common, { project, heard: events }, facts);
    return composeOfCode(parts, common, project, facts);
  };
};

type FactsOfCode = Facts<
  'merge_request' | 'merge_request_note' | 'commit_note' | 'release' | 'pipeline' | 'job' | 'deployment'
>;

const composeOfCode = (
  parts: ComposeWebhookParts,
  common: Common,
  project: Project,
  facts: FactsOfCode,
): Promise<object | undefined> => {
  if (facts.kind === 'merge_request') return composeMergeRequest(parts, common, project, facts);
  if (facts.kind === 'merge_request_note') return composeMergeRequestNote(parts, common, project, facts);
  if (facts.kind === 'commit_note') return composeCommitNote(parts, common, project, facts);
  if (facts.kind === 'release') return composeRelease(parts, common, project, facts);
  if (facts.kind === 'pipeline') return composePipeline(parts, common, project, facts);
  return facts.kind === 'job'
    ? composeJob(parts, common, project, facts)
    : composeDeployment(parts, common, project, facts);
};

/** Told of an issue, or of a comment on it; undefined once it is gone, or hidden from the receiver. */
const composeIssue = async (
  { planning, notes, users, milestones, lines, urls }: ComposeWebhookParts,
  common: object,
  { project, heard }: { readonly project: Project; readonly heard: Webhook['events'] },
  facts: Facts<'issue' | 'note'>,
): Promise<object | undefined> => {
  // Before its issue: what is written once the issue is hidden must not be taken for a comment on a public one.
  const note = facts.kind === 'note' ? await notes.find(facts.issueId, facts.noteId) : undefined;
  const issue = await planning.findIssue(project.id, facts.iid, STRANGER);
  // It may have been hidden since it happened.
  if (issue === undefined || (issue.confidential && !heard.has(CONFIDENTIAL_EVENT[facts.kind]))) return undefined;
  const confidential = issue.confidential ? 'confidential_' : '';
  if (facts.kind === 'issue')
    return {
      object_kind: 'issue',
      event_type: `${confidential}issue`,
      ...common,
      object_attributes: { ...presentIssue(issue, urls), action: facts.action },
      labels: issue.labels.map((title) => ({ title })),
      assignees: presentPeople(issue.assignees),
      changes: await composeChanges({ users, milestones }, facts.action, facts.changes),
    };
  if (note === undefined) return undefined;
  return {
    object_kind: 'note',
    event_type: `${confidential}note`,
    ...common,
    project_id: project.id,
    object_attributes: presentNote(note, project, {
      noteable: ['Issue', issue.id],
      page: urls.issue(project.fullPath, issue.iid),
      lines,
    }),
    issue: presentIssue(issue, urls),
  };
};

const presentIssue = (issue: IssueDetails, urls: WebhookUrls) => ({
  id: issue.id,
  iid: issue.iid,
  title: issue.title,
  description: issue.description,
  state: issue.state,
  confidential: issue.confidential,
  type: issue.kind === 'incident' ? 'Incident' : 'Issue',
  severity: issue.severity ?? 'unknown',
  author_id: issue.author?.id ?? null,
  assignee_ids: issue.assignees.map(({ id }) => id),
  assignee_id: issue.assignees[0]?.id ?? null,
  labels: issue.labels.map((title) => ({ title })),
  milestone_id: issue.milestone?.id ?? null,
  project_id: issue.projectId,
  due_date: issue.dueDate,
  created_at: issue.createdAt.toISOString(),
  updated_at: issue.updatedAt.toISOString(),
  closed_at: issue.closedAt?.toISOString() ?? null,
  url: urls.issue(issue.projectPath, issue.iid),
});

const KIND_OF_TEST: Partial<Readonly<Record<DeliveredEvent, string>>> = {
  note_events: 'note',
  confidential_note_events: 'note',
  merge_requests_events: 'merge_request',
  job_events: 'build',
  pipeline_events: 'pipeline',
  releases_events: 'release',
};

interface Tried {
  readonly project: Project;
  readonly event: DeliveredEvent;
}

const composeTest = (
  parts: ComposeWebhookParts,
  common: Common,
  { project, event }: Tried,
  { at }: Facts<'test'>,
): object => {
  if (event === 'deployment_events') return sampleDeployment(parts, common, project, at);
  const confidential = event.startsWith('confidential_') ? 'confidential_' : '';
  const kind = KIND_OF_TEST[event] ?? 'issue';
  const attributes = { id: 0, iid: 0, title: 'Test', note: 'Test', created_at: at, action: 'open' };
  return { object_kind: kind, event_type: `${confidential}${kind}`, ...common, object_attributes: attributes };
};
