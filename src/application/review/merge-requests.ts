import { branchRef, isRefName } from '../../domain/repositories/ref-name.js';
import {
  checkMergeRequest,
  mayChange,
  type BranchPair,
  type MergeRequest,
  type MergeRequestParty,
} from '../../domain/review/merge-request.js';
import {
  ConflictInList,
  Forbidden,
  Invalid,
  NotFound,
  NotPossible,
  Overloaded,
  Unavailable,
  UnprocessableInList,
} from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { SubjectLabelRepository } from '../collaboration/ports/label-ports.js';
import { noteMilestones } from '../planning/operations/label-subject.js';
import type { MilestoneRepository } from '../planning/ports/planning-repositories.js';
import type { ResourceEventRepository } from '../planning/ports/resource-event-ports.js';
import type { Actor, UserActor } from '../shared/actor.js';
import type { DomainEvents, SubjectFacts } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { LookAtBranches } from './look-at-branches.js';
import { changeLabels, type LabelChanges } from './merge-request-labels.js';
import type { NamedIssues } from './named-issues.js';
import {
  OpenTwin,
  type MergeRequestChanges,
  type MergeRequestDetails,
  type MergeRequestReader,
  type PeopleKind,
  type ReviewRepositories,
} from './ports/merge-request-ports.js';
import type { RefreshMergeRequests } from './refresh-merge-requests.js';

/** People that are chosen; who may not see it is left out. */
interface People {
  readonly assigneeIds?: readonly UserId[];
  readonly reviewerIds?: readonly UserId[];
}

export interface OpenCommand extends People, Pick<LabelChanges, 'labels'> {
  readonly title: string;
  readonly description?: string;
  readonly sourceBranch: string;
  readonly targetBranch: string;
  readonly milestoneId?: number | null;
  readonly squash?: boolean;
  readonly removeSourceBranch?: boolean;
  readonly allowCollaboration?: boolean;
}

export interface EditMergeRequestCommand extends People, LabelChanges, MergeRequestChanges {
  readonly stateEvent?: 'close' | 'reopen';
}

/** Has no value: nothing but what `MergeRequests.find` hands out has it. */
declare const SEEN: unique symbol;

/** Proof that the caller may see a merge request. */
export interface VisibleMergeRequest {
  readonly [SEEN]: true;
  readonly mergeRequest: MergeRequestDetails;
  readonly place: Permitted<'read_merge_requests'> | Permitted<'open_merge_requests'>;
}

/** Has no value, like `SEEN`. */
declare const OPEN_TO_CHANGE: unique symbol;

/** Proof that the caller may see a merge request, and that its project takes changes. */
export interface ChangeableMergeRequest extends VisibleMergeRequest {
  readonly [OPEN_TO_CHANGE]: true;
}

export type ReviewNeeds = ReviewRepositories & {
  readonly milestones: MilestoneRepository;
  readonly subjectLabels: SubjectLabelRepository;
  readonly resourceEvents: ResourceEventRepository;
  readonly events: DomainEvents;
};

interface Parts {
  readonly unitOfWork: UnitOfWork<ReviewNeeds>;
  readonly reader: MergeRequestReader;
  readonly look: LookAtBranches;
  readonly refresh: RefreshMergeRequests;
  readonly namedIssues: NamedIssues;
  /** Whether two projects have the same code, one or both being forks. */
  readonly areRelated: (actor: Actor, one: ProjectId, other: ProjectId) => Promise<boolean>;
  readonly clock: Clock;
}

const PEOPLE = { assignees: 'merge_request_reassigned', reviewers: 'merge_request_reviewers_chosen' } as const;

export const partyOf = (
  actor: UserActor,
  { level }: Pick<VisibleMergeRequest['place'], 'level'>,
): MergeRequestParty => ({
  userId: actor.id,
  level,
});

/** Opening, changing, closing and removing merge requests. */
export class MergeRequests {
  constructor(private readonly parts: Parts) {}

  /** @throws NotFound when it is not there. */
  async find(place: VisibleMergeRequest['place'], iid: number): Promise<VisibleMergeRequest> {
    const mergeRequest = await this.parts.reader.find(place.project.id, iid);
    if (mergeRequest === undefined) throw new NotFound();
    // eslint-disable-next-line no-restricted-syntax -- the one place that decides it
    return { mergeRequest, place } as VisibleMergeRequest;
  }

  /** The same, for who is about to change it. @throws NotFound likewise. */
  async findToChange(place: Permitted<'open_merge_requests'>, iid: number): Promise<ChangeableMergeRequest> {
    // eslint-disable-next-line no-restricted-syntax -- its project takes changes, as the permission says
    return (await this.find(place, iid)) as ChangeableMergeRequest;
  }

  /**
   * @throws Invalid naming every problem; UnprocessableInList where the branches can't be merged into one another; ConflictInList where
   * one is open for them.
   */
  async open(
    author: UserActor,
    source: Permitted<'push_code'>,
    target: Permitted<'open_merge_requests'>,
    command: OpenCommand,
  ): Promise<number> {
    const { title, description = '', sourceBranch, targetBranch, milestoneId = null } = command;
    const { squash = false, removeSourceBranch = null, allowCollaboration = false } = command;
    const pair = { projectId: target.project.id, targetBranch, sourceProjectId: source.project.id, sourceBranch };
    check({ title, description });
    await this.#requireBranches(author, pair);
    const issues = await this.parts.namedIssues.find(author, target.project, { title, description });
    const createdAt = this.parts.clock.now();
    const opened = await this.#refusingTwins(pair, () =>
      this.parts.unitOfWork.execute(async (repositories) => {
        const { mergeRequests, events } = repositories;
        await holdMilestone(repositories, pair.projectId, milestoneId);
        const options = { squash, removeSourceBranch, allowCollaboration };
        const texts = { title, description, milestoneId, authorId: author.id };
        const added = await mergeRequests.add({ ...pair, ...options, ...texts, sourceSha: null, createdAt });
        for (const [kind, userIds] of chosenIn(command))
          await mergeRequests.setPeople(
            added.id,
            kind,
            await choosable(repositories, pair.projectId, userIds, createdAt),
          );
        await mergeRequests.setIssues(added.id, issues);
        await changeLabels(repositories, added, command, { level: target.level, by: author.id, at: createdAt });
        const planned = { from: null, to: milestoneId, by: author.id, at: createdAt };
        await noteMilestones(repositories, added.id, planned);
        await events.publish({ kind: 'merge_request_opened', mergeRequest: added, by: author.id, at: createdAt });
        return added;
      }),
    );
    await this.#refresh(opened.id);
    return opened.iid;
  }

  /** @throws Forbidden for who may see but not change it; Invalid naming every problem; ConflictInList; NotPossible. */
  async edit(
    actor: UserActor,
    { mergeRequest: seen, place }: ChangeableMergeRequest,
    command: EditMergeRequestCommand,
  ): Promise<void> {
    const party = partyOf(actor, place);
    if (!mayChange(seen, party)) throw new Forbidden();
    const { stateEvent, assigneeIds: _assigneeIds, reviewerIds: _reviewerIds, ...rest } = command;
    const { labels: _labels, addLabels: _addLabels, removeLabels: _removeLabels, ...changes } = rest;
    const edited = { ...seen, ...definedIn(changes) };
    check(edited);
    if (changes.targetBranch !== undefined && changes.targetBranch !== seen.targetBranch)
      await this.#requireBranches(actor, edited);
    if (stateEvent === 'reopen' && seen.state === 'closed') await this.#requireSource(edited);
    const issues = await this.parts.namedIssues.find(actor, place.project, edited);
    const at = this.parts.clock.now();
    await this.#refusingTwins(edited, () =>
      this.parts.unitOfWork.execute(async (repositories) => {
        const { mergeRequests, events } = repositories;
        // As it is now, and held: somebody else may be changing it. Before its milestone, which others take last.
        const before = await mergeRequests.take(seen.id);
        if (before === undefined) throw new NotFound();
        await holdMilestone(repositories, seen.projectId, changes.milestoneId ?? null);
        await mergeRequests.update(seen.id, changes, at);
        if (changes.title !== undefined || changes.description !== undefined)
          await mergeRequests.setIssues(seen.id, issues);
        const happening = { mergeRequest: { ...before, ...definedIn(changes) }, by: actor.id, at };
        for (const [kind, userIds] of chosenIn(command)) {
          const chosen = await choosable(repositories, seen.projectId, userIds, at);
          const { added, removed } = await mergeRequests.setPeople(seen.id, kind, chosen);
          if (added.length + removed.length > 0)
            await events.publish({ kind: PEOPLE[kind], ...happening, added, removed });
        }
        await changeLabels(repositories, seen, command, { level: place.level, by: actor.id, at });
        const { milestoneId: to } = happening.mergeRequest;
        await noteMilestones(repositories, seen.id, { from: before.milestoneId, to, by: actor.id, at });
        await changeState(repositories, stateEvent, happening);
        if (stateEvent === undefined) await events.publish({ kind: 'merge_request_edited', ...happening });
      }),
    );
    if (edited.targetBranch !== seen.targetBranch || stateEvent === 'reopen') await this.#refresh(seen.id);
  }

  /** @throws NotFound for one that has just been removed. */
  async remove(
    actor: UserActor,
    { project }: Permitted<'remove_merge_requests'>,
    { mergeRequest: { id } }: VisibleMergeRequest,
  ): Promise<void> {
    const at = this.parts.clock.now();
    await this.parts.unitOfWork.execute(async ({ mergeRequests, events }) => {
      const held = await mergeRequests.take(id);
      if (held?.projectId !== project.id) throw new NotFound();
      // Told first: whoever keeps something of it still finds it.
      await events.publish({ kind: 'subject_removed', subject: factsOfSubject(held), by: actor.id, at });
      await events.publish({ kind: 'merge_request_removed', mergeRequest: held, by: actor.id, at });
      await mergeRequests.remove(id);
    });
  }

  /** @throws UnprocessableInList, Invalid. */
  async #requireBranches(actor: UserActor, pair: BranchPair): Promise<void> {
    const { projectId, sourceProjectId, sourceBranch, targetBranch } = pair;
    if (projectId === sourceProjectId && sourceBranch === targetBranch)
      throw new UnprocessableInList("You can't use same project/branch for source and target");
    if (
      sourceProjectId !== null &&
      projectId !== sourceProjectId &&
      !(await this.parts.areRelated(actor, sourceProjectId, projectId))
    )
      throw new UnprocessableInList('Source project is not a fork of the target project');
    const fit = [sourceBranch, targetBranch].every((branch) => isRefName(branchRef(branch)));
    const tips = fit ? await this.parts.look.tips(pair) : undefined;
    new ProblemCollector()
      .check((tips?.source ?? null) !== null, 'source_branch', 'does not exist')
      .check((tips?.target ?? null) !== null, 'target_branch', 'does not exist')
      .refuse();
  }

  /** @throws NotPossible when there is nothing to be merged any more. */
  async #requireSource(pair: BranchPair): Promise<void> {
    const tips = pair.sourceProjectId === null ? undefined : await this.parts.look.tips(pair);
    if ((tips?.source ?? null) === null)
      throw new NotPossible(`The source branch '${pair.sourceBranch}' is gone: push it again before reopening.`);
  }

  /** What was asked for is done already: whoever shows it next looks again. */
  async #refresh(id: number): Promise<void> {
    try {
      await this.parts.refresh.execute(id);
    } catch (error) {
      if (!(error instanceof Unavailable || error instanceof Overloaded)) throw error;
    }
  }

  async #refusingTwins<Result>(pair: BranchPair, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OpenTwin)) throw error;
      const twin = await this.parts.reader.findOpenTwin(pair);
      const which = twin === undefined ? '' : `: !${twin}`;
      throw new ConflictInList(`Another open merge request already exists for this source branch${which}`);
    }
  }
}

const factsOfSubject = ({ id, projectId, iid, title }: MergeRequest): SubjectFacts => ({
  ...{ id, projectId, iid, title },
  kind: 'merge_request',
  confidential: false,
});

const changeState = async (
  { mergeRequests, events }: ReviewNeeds,
  stateEvent: EditMergeRequestCommand['stateEvent'],
  happening: { readonly mergeRequest: MergeRequest; readonly by: UserId; readonly at: Date },
): Promise<void> => {
  if (stateEvent === undefined) return;
  const { mergeRequest, by, at } = happening;
  const state = stateEvent === 'close' ? 'closed' : 'opened';
  if (!(await mergeRequests.changeState(mergeRequest.id, state, by, at))) return;
  const kind = state === 'closed' ? 'merge_request_closed' : 'merge_request_reopened';
  await events.publish({ kind, ...happening });
};

const chosenIn = ({ assigneeIds, reviewerIds }: People): readonly (readonly [PeopleKind, readonly UserId[]])[] => [
  ...(assigneeIds === undefined ? [] : [['assignees', assigneeIds] as const]),
  ...(reviewerIds === undefined ? [] : [['reviewers', reviewerIds] as const]),
];

const choosable = (
  { mergeRequests }: ReviewNeeds,
  projectId: ProjectId,
  userIds: readonly UserId[],
  at: Date,
): Promise<readonly UserId[]> => mergeRequests.choosable(projectId, userIds, at.toISOString().slice(0, 10));

/** Keeps it from being removed meanwhile. @throws Invalid at `milestone_id` when the project has no such milestone. */
const holdMilestone = async (
  { milestones }: ReviewNeeds,
  projectId: ProjectId,
  milestoneId: number | null,
): Promise<void> => {
  if (milestoneId === null) return;
  const milestone = await milestones.take(projectId, milestoneId);
  if (milestone === undefined) throw new Invalid({ milestone_id: ['is none of this project'] });
};

const definedIn = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

const check = (mergeRequest: Pick<MergeRequest, 'title' | 'description'>): void => {
  const problems = new ProblemCollector();
  checkMergeRequest(problems, mergeRequest);
  problems.refuse();
};
