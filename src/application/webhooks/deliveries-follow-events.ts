import { matchesPattern } from '../../domain/repositories/protected-ref.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { SubjectChanges } from '../../domain/shared/subject-changes.js';
import type { DeliveredEvent, MergeRequestAction, Webhook, WebhookFacts } from '../../domain/webhooks/webhook.js';
import { toldChanges } from '../../domain/webhooks/told-changes.js';
import { toldPushOptions } from '../../domain/webhooks/told-push-options.js';
import type { CiJobRepository } from '../pipelines/ports/ci-job-ports.js';
import type { JobsChangedEvent } from '../shared/ci-events.js';
import type {
  DomainEvent,
  IssueEvent,
  MergeRequestEvent,
  NoteEvent,
  PushEvent,
  ReleaseEvent,
  SetFollower,
} from '../shared/domain-events.js';
import { together } from '../shared/together.js';
import type { WebhookDeliveryRepository, WebhookRepository } from './ports/webhook-ports.js';

interface Needs {
  readonly ciJobs: Pick<CiJobRepository, 'takeUntold'>;
  readonly webhooks: WebhookRepository;
  readonly webhookDeliveries: WebhookDeliveryRepository;
}

interface Happening {
  readonly projectId: ProjectId;
  readonly event: DeliveredEvent;
  readonly facts: WebhookFacts;
  /** Where pushes may be filtered by it. */
  readonly branch?: string;
}

/** Whoever mirrors a repository moves all of its refs at once: receivers hear of the first ones. */
const MOST_REFS = 20;
/** A pipeline may begin with hundreds: the others are told with what changes next. */
const MOST_JOBS = 100;

const ISSUE_ACTIONS = {
  issue_opened: 'open',
  issue_closed: 'close',
  issue_reopened: 'reopen',
  issue_edited: 'update',
} as const;

const MERGE_REQUEST_ACTIONS: Readonly<Record<MergeRequestEvent['kind'], MergeRequestAction | undefined>> = {
  merge_request_opened: 'open',
  merge_request_edited: 'update',
  // Told as an edit.
  merge_request_retargeted: undefined,
  merge_request_closed: 'close',
  merge_request_reopened: 'reopen',
  merge_request_merged: 'merge',
  merge_request_approved: 'approved',
  merge_request_unapproved: 'unapproved',
  merge_request_pushed: 'update',
  // Told with the change that it is part of.
  merge_request_reassigned: undefined,
  merge_request_reviewers_chosen: undefined,
  merge_request_labelled: undefined,
  merge_request_removed: undefined,
};

/** What webhooks hear of is noted in the transaction in which it happened, and sent afterwards. */
export const deliveriesFollowEvents: SetFollower<Needs> = {
  follow: async (events, { ciJobs, webhooks, webhookDeliveries }) => {
    const seen = events.flatMap((event) =>
      'at' in event ? happeningsOf(event, event.at).map((each) => ({ ...each, at: event.at })) : [],
    );
    const changes = events.filter((event) => event.kind === 'jobs_changed');
    const projects = [...new Set([...seen, ...changes].map(({ projectId }) => projectId))];
    const found = await together(projects.map((projectId) => webhooks.working(projectId)));
    const working = new Map(projects.map((projectId, index) => [projectId, found[index] ?? []]));
    // Jobs are looked at only where somebody wants to hear of them.
    const wanted = changes.filter(({ projectId }) =>
      (working.get(projectId) ?? []).some((webhook) => webhook.events.has('job_events')),
    );
    const happenings = [...seen, ...(await ofJobs(wanted, ciJobs))];
    const deliveries = happenings.flatMap(({ projectId, event, facts, branch, at }) =>
      (working.get(projectId) ?? [])
        .filter((webhook) => webhook.events.has(event) && hearsOf(webhook, branch))
        .map(({ id: webhookId }) => ({ webhookId, event, facts, at })),
    );
    if (deliveries.length > 0) await webhookDeliveries.add(deliveries);
  },
};

/** Several changes of one pipeline tell once how its jobs stand in the end. */
const ofJobs = async (changes: readonly JobsChangedEvent[], ciJobs: Needs['ciJobs']) => {
  const happenings: (Happening & { readonly at: Date })[] = [];
  for (const { pipelineId, projectId, by, at } of new Map(changes.map((each) => [each.pipelineId, each])).values()) {
    if (by === null) continue;
    for (const { id, status } of await ciJobs.takeUntold(pipelineId, MOST_JOBS)) {
      const facts = { kind: 'job', id, status, by, at: at.toISOString() } as const;
      happenings.push({ projectId, event: 'job_events', facts, at });
    }
  }
  return happenings;
};

const hearsOf = ({ branchFilter }: Pick<Webhook, 'branchFilter'>, branch: string | undefined): boolean =>
  branch === undefined || branchFilter === null || matchesPattern(branch, branchFilter);

const happeningsOf = (event: DomainEvent, at: Date): readonly Happening[] => {
  if (event.kind === 'pushed') return event.quiet === true ? [] : ofPush(event);
  const when = at.toISOString();
  if (event.kind === 'note_added') return ofNote(event, when);
  if ('mergeRequest' in event) return ofMergeRequest(event);
  if (event.kind === 'pipeline_changed' || event.kind === 'deployment_changed') return ofStanding(event);
  if (event.kind === 'release_created' || event.kind === 'release_changed') return ofRelease(event);
  const action = ISSUE_ACTIONS[event.kind as keyof typeof ISSUE_ACTIONS] as
    (typeof ISSUE_ACTIONS)[keyof typeof ISSUE_ACTIONS] | undefined;
  if (action === undefined || !('issue' in event)) return [];
  const { issue, by } = event;
  const name = issue.confidential ? 'confidential_issues_events' : 'issues_events';
  const facts = { kind: 'issue', iid: issue.iid, action, ...changesIn(event), by, at: when } as const;
  return [{ projectId: issue.projectId, event: name, facts }];
};

const changesIn = (event: IssueEvent | MergeRequestEvent): { readonly changes?: SubjectChanges } =>
  'changes' in event ? { changes: toldChanges(event.changes) } : {};

const ofNote = (event: NoteEvent, when: string): readonly Happening[] => {
  const { subject, note, by } = event;
  if (subject.kind === 'merge_request' || subject.kind === 'commit') {
    const facts = { kind: `${subject.kind}_note`, id: subject.id, noteId: note.id, by, at: when } as const;
    return [{ projectId: subject.projectId, event: 'note_events', facts }];
  }
  if (subject.kind !== 'issue' || subject.iid === null) return [];
  const name = subject.confidential ? 'confidential_note_events' : 'note_events';
  const facts = { kind: 'note', iid: subject.iid, issueId: subject.id, noteId: note.id, by, at: when } as const;
  return [{ projectId: subject.projectId, event: name, facts }];
};

/** What stands otherwise than before: how it stood then is part of what is told. */
const ofStanding = (
  event: Extract<DomainEvent, { readonly kind: 'pipeline_changed' | 'deployment_changed' }>,
): readonly Happening[] => {
  const about = { by: event.by, at: event.at.toISOString() };
  if (event.kind === 'pipeline_changed') {
    const { id, projectId, status } = event.pipeline;
    return [{ projectId, event: 'pipeline_events', facts: { kind: 'pipeline', id, status, ...about } }];
  }
  const { id, projectId, status } = event.deployment;
  return [{ projectId, event: 'deployment_events', facts: { kind: 'deployment', id, status, ...about } }];
};

const ofRelease = ({ kind, projectId, tag, by, at }: ReleaseEvent): readonly Happening[] => {
  const action = kind === 'release_created' ? 'create' : 'update';
  return [{ projectId, event: 'releases_events', facts: { kind: 'release', tag, action, by, at: at.toISOString() } }];
};

const ofMergeRequest = (event: MergeRequestEvent): readonly Happening[] => {
  const action = MERGE_REQUEST_ACTIONS[event.kind];
  if (action === undefined) return [];
  const { mergeRequest, by, at } = event;
  const before = event.kind === 'merge_request_pushed' && event.from !== null ? { before: event.from } : {};
  const told = { ...before, ...changesIn(event) };
  const facts = { kind: 'merge_request', id: mergeRequest.id, action, by, at: at.toISOString(), ...told } as const;
  return [{ projectId: mergeRequest.projectId, event: 'merge_requests_events', facts }];
};

const ofPush = ({ projectId, refs, options, by, at }: PushEvent): readonly Happening[] => {
  const told = options === undefined || options.length === 0 ? {} : { options: toldPushOptions(options) };
  return refs.slice(0, MOST_REFS).map(({ kind, name, from, to, commitCount }) => {
    const ref = `refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`;
    const facts = { kind: 'push', ref, from, to, commitCount, ...told, by, at: at.toISOString() } as const;
    return kind === 'branch'
      ? { projectId, event: 'push_events', facts, branch: name }
      : { projectId, event: 'tag_push_events', facts };
  });
};
