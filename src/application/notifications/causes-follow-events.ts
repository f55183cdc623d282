import type { AlertSettingsRepository } from '../alerts/ports/alert-repositories.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { PipelineEndEvent } from '../shared/ci-events.js';
import type {
  AlertEvent,
  DomainEvent,
  IssueEvent,
  MergeRequestEvent,
  NoteEvent,
  SetFollower,
} from '../shared/domain-events.js';
import type { JobRequests } from '../shared/jobs/job-queue.js';
import { together } from '../shared/together.js';
import { causeOfEdit, isEdit } from './cause-of-edit.js';
import { mailExpiry } from './mail-lifetime.js';
import type { CauseDetails, CauseKind, CauseRepository, NewCause } from './ports/cause-ports.js';

interface Needs {
  readonly causes: CauseRepository;
  readonly jobs: JobRequests<{ readonly tell_people: number }>;
  readonly alertSettings: AlertSettingsRepository;
}

/** Whoever assigns an issue to thousands, or gives it thousands of labels, wants to be a nuisance. */
const MAX_NAMED = 200;
const some = <Id extends number>(ids: readonly Id[]): readonly Id[] => ids.slice(0, MAX_NAMED);

const OF_ISSUES: Readonly<Partial<Record<DomainEvent['kind'], CauseKind>>> = {
  issue_opened: 'new_issue',
  issue_closed: 'close_issue',
  issue_reopened: 'reopen_issue',
  issue_reassigned: 'reassign_issue',
  issue_labelled: 'label_issue',
};

const OF_MERGE_REQUESTS: Readonly<Partial<Record<DomainEvent['kind'], CauseKind>>> = {
  merge_request_opened: 'new_merge_request',
  merge_request_pushed: 'push_to_merge_request',
  merge_request_reopened: 'reopen_merge_request',
  merge_request_closed: 'close_merge_request',
  merge_request_labelled: 'label_merge_request',
  merge_request_merged: 'merge_merge_request',
  merge_request_reassigned: 'reassign_merge_request',
  merge_request_reviewers_chosen: 'reassign_merge_request',
};

/** What has to be told by mail is noted in the transaction in which it happened; who is told is found out afterwards. */
export const causesFollowEvents: SetFollower<Needs> = {
  follow: async (events, repositories) => {
    const mailed = await findMailedAlerts(events, repositories);
    const causes = events.flatMap((event) => causeOf(event, mailed) ?? []);
    if (causes.length > 0) await tellLater(repositories, causes);
  },
};

export const tellLater = async (
  { causes, jobs }: Pick<Needs, 'causes' | 'jobs'>,
  told: readonly NewCause[],
): Promise<void> => {
  const ids = await causes.add(told.map((cause) => ({ ...cause, expiresAt: mailExpiry(cause.at) })));
  await jobs.enqueueAll(
    'tell_people',
    told.map(({ at }, index) => ({ subject: ids[index]!, at })),
  );
};

/** The projects, of those with alerts among the events, that want them told by mail. */
const findMailedAlerts = async (
  events: readonly DomainEvent[],
  { alertSettings }: Needs,
): Promise<ReadonlySet<ProjectId>> => {
  const projects = [...new Set(events.flatMap((event) => ('alert' in event ? event.alert.projectId : [])))];
  const settings = await together(projects.map((projectId) => alertSettings.find(projectId)));
  return new Set(projects.filter((_, index) => settings[index]?.sendEmail));
};

const causeOf = (event: DomainEvent, mailedAlerts: ReadonlySet<ProjectId>): NewCause | undefined => {
  if ('alert' in event) return mailedAlerts.has(event.alert.projectId) ? ofAlert(event) : undefined;
  if (event.kind === 'project_moved') {
    const { projectId, by, at } = event;
    return { kind: 'moved_project', projectId, actorId: by, details: {}, at };
  }
  if (event.kind === 'note_added') return ofNote(event);
  if (isEdit(event)) return causeOfEdit(event);
  if (event.kind === 'pipeline_ended') return ofPipeline(event);
  if ('mergeRequest' in event) return ofMergeRequest(event);
  return 'issue' in event ? ofIssue(event) : undefined;
};

const ofAlert = ({ kind, alert, by, at }: AlertEvent): NewCause => ({
  kind,
  projectId: alert.projectId,
  alertId: alert.id,
  actorId: by,
  details: {},
  at,
});

const ofPipeline = ({ pipeline, fixed, failed, by, at }: PipelineEndEvent): NewCause => {
  const { id, iid, sha, projectId, status } = pipeline;
  const ref = pipeline.sourceBranch ?? pipeline.ref;
  const succeeded = fixed ? 'fixed_pipeline' : 'success_pipeline';
  const kind = status === 'failed' ? 'failed_pipeline' : succeeded;
  return { kind, projectId, actorId: by, details: { pipeline: { id, iid, ref, sha, failed } }, at };
};

const ofNote = ({ subject, note, by, at }: NoteEvent): NewCause => ({
  kind: 'new_note',
  projectId: subject.projectId,
  subjectId: subject.id,
  noteId: note.id,
  actorId: by,
  details: {},
  at,
});

const ofIssue = (event: IssueEvent): NewCause | undefined => {
  const kind = OF_ISSUES[event.kind];
  if (kind === undefined) return undefined;
  const { issue, by, at } = event;
  return {
    kind,
    projectId: issue.projectId,
    subjectId: issue.id,
    actorId: by,
    details: detailsOf(event),
    at,
  };
};

const detailsOf = (event: IssueEvent | MergeRequestEvent): CauseDetails => {
  if ('labels' in event) return event.labels.length === 0 ? {} : { labels: some(event.labels) };
  if (!('added' in event)) return {};
  const { kind, added, removed } = event;
  const reviewing = kind === 'merge_request_reviewers_chosen';
  return { added: some(added), removed: some(removed), ...(reviewing ? { reviewing } : {}) };
};

const ofMergeRequest = (event: MergeRequestEvent): NewCause | undefined => {
  const kind = OF_MERGE_REQUESTS[event.kind];
  if (kind === undefined) return undefined;
  const { mergeRequest, by, at } = event;
  return {
    kind,
    projectId: mergeRequest.projectId,
    subjectId: mergeRequest.id,
    actorId: by,
    details: detailsOf(event),
    at,
  };
};
