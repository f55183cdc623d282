import { readQuickActions } from '../../domain/collaboration/quick-action.js';
import { branchRef, isRefName } from '../../domain/repositories/ref-name.js';
import {
  checkMergeRequest,
  mayChange,
  mayLock,
  squashes,
  type BranchPair,
  type MergeRequest,
  type MergeRequestParty,
} from '../../domain/review/merge-request.js';
import {
  ConflictInList,
  Forbidden,
  NotFound,
  NotPossible,
  Overloaded,
  Unavailable,
  UnprocessableInList,
} from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { ActionOutcome } from '../collaboration/ports/action-ports.js';
import { checkActions } from '../collaboration/operations/check-actions.js';
import { bothChanges } from '../planning/operations/plan-actions.js';
import { holdMilestone } from '../planning/operations/hold-milestone.js';
import { choicesOf, milestonesBetween } from '../planning/operations/told-changes.js';
import type { Actor, UserActor } from '../shared/actor.js';
import type { SubjectFacts } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import { together } from '../shared/together.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import {
  changeMergeRequest,
  CHOSEN,
  choosable,
  type ChangesAsSeen,
  type MergeRequestChange,
} from './change-merge-request.js';
import type { LookAtBranches } from './look-at-branches.js';
import type {
  MergeRequestActionRepositories,
  MergeRequestActions,
  ReadMergeRequestActions,
} from './merge-request-actions.js';
import { changeLabels, relabelling, type LabelChanges } from './merge-request-labels.js';
import type { NamedIssues } from './named-issues.js';
import { OpenTwin, type MergeRequestReader, type PeopleKind } from './ports/merge-request-ports.js';
import type { RefreshMergeRequests } from './refresh-merge-requests.js';
import { partyOf, type ChangeableMergeRequest, type VisibleMergeRequest } from './visible-merge-request.js';

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

export interface OpenedMergeRequest {
  readonly iid: number;
  /** What became of the quick actions in its description. */
  readonly outcomes: readonly ActionOutcome[];
}

export interface EditMergeRequestCommand extends People, LabelChanges, ChangesAsSeen {
  readonly stateEvent?: 'close' | 'reopen';
}

interface Parts {
  readonly unitOfWork: UnitOfWork<MergeRequestActionRepositories>;
  readonly reader: MergeRequestReader;
  readonly look: LookAtBranches;
  readonly actions: MergeRequestActions;
  readonly refresh: RefreshMergeRequests;
  readonly namedIssues: NamedIssues;
  /** Whether two projects have the same code, one or both being forks. */
  readonly forkNetwork: { areRelated(actor: Actor, one: ProjectId, other: ProjectId): Promise<boolean> };
  readonly mayPush: (actor: Actor, projectId: ProjectId) => Promise<boolean>;
  readonly mayRead: (actor: Actor, projectId: ProjectId) => Promise<boolean>;
  readonly clock: Clock;
}

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

  /** One that was seen, as it is now. @throws NotFound when it is there no more. */
  again({ place, mergeRequest }: VisibleMergeRequest): Promise<VisibleMergeRequest> {
    return this.find(place, mergeRequest.iid);
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
  ): Promise<OpenedMergeRequest> {
    const { sourceBranch, targetBranch } = command;
    const squash = squashes(target.project.merging.squash, command.squash);
    const { removeSourceBranch = null, allowCollaboration = false } = command;
    const pair = { projectId: target.project.id, targetBranch, sourceProjectId: source.project.id, sourceBranch };
    const party = { userId: author.id, level: target.level };
    const opening = { ...pair, title: command.title, state: 'opened', authorId: author.id } as const;
    const { text, read } = await this.#readActions(author, { mergeRequest: opening, party }, command.description ?? '');
    const { retitle, relabel, reassign, milestoneId: planned = command.milestoneId } = read?.change ?? {};
    const texts = { title: retitle?.(command.title) ?? command.title, description: text };
    check(texts);
    await this.#requireBranches(author, pair);
    const issues = await this.parts.namedIssues.find(author, target.project, texts);
    const createdAt = this.parts.clock.now();
    const opened = await this.#refusingTwins(pair, () =>
      this.parts.unitOfWork.execute(async (repositories) => {
        const { mergeRequests, resourceEvents, events } = repositories;
        const held = await holdMilestone(repositories, pair.projectId, given({ milestoneId: planned }));
        const { milestoneId = null } = held;
        const options = { squash, removeSourceBranch, allowCollaboration, milestoneId, authorId: author.id };
        const added = await mergeRequests.add({ ...pair, ...options, ...texts, sourceSha: null, createdAt });
        const { reviewerIds, assigneeIds = reassign && [] } = command;
        const people = given({
          assignees: assigneeIds && (reassign?.(assigneeIds) ?? assigneeIds),
          reviewers: reviewerIds,
        });
        const told = [...milestonesBetween(null, milestoneId)];
        for (const [kind, userIds] of Object.entries(people) as [PeopleKind, readonly UserId[]][]) {
          const chosen = await choosable(repositories, pair.projectId, userIds, createdAt);
          told.push(...choicesOf(CHOSEN[kind], await mergeRequests.setPeople(added.id, kind, chosen)));
        }
        await mergeRequests.setIssues(added.id, issues);
        const happening = { by: author.id, at: createdAt };
        const { relabel: relabelled } = bothChanges(given({ relabel: relabelling(command) }), given({ relabel }));
        const got = await changeLabels(repositories, added, relabelled, { level: target.level, ...happening });
        await together([
          resourceEvents.add(added.id, told, author.id, createdAt),
          events.publish({ kind: 'merge_request_opened', mergeRequest: added, labels: got.added, ...happening }),
        ]);
        return { ...added, outcomes: await finish(repositories, { ...added, party, at: createdAt }, read) };
      }),
    );
    await this.#refresh(opened.id);
    return opened;
  }

  /**
   * @returns what became of the quick actions in a description. @throws Forbidden for who may see but not change it; Invalid naming every
   * problem; ConflictInList; NotPossible; Overtaken.
   */
  async edit(
    actor: UserActor,
    { mergeRequest: seen, place }: ChangeableMergeRequest,
    command: EditMergeRequestCommand,
  ): Promise<readonly ActionOutcome[]> {
    const party = partyOf(actor, place);
    requireRights(seen, party, command);
    const { text, read } = await this.#readActions(actor, { mergeRequest: seen, party }, command.description);
    const change = bothChanges(changeOf({ ...command, ...given({ description: text }) }), read?.change ?? {});
    const title = change.retitle?.(seen.title) ?? seen.title;
    const edited = { ...seen, title, ...given({ description: text, targetBranch: command.targetBranch }) };
    check(edited);
    await this.#requireInvitation(actor, seen, command.allowCollaboration);
    const elsewhere = edited.targetBranch !== seen.targetBranch;
    if (elsewhere) await this.#requireBranches(actor, edited);
    if (change.stateEvent === 'reopen') await this.#requireSource(actor, edited);
    const retold = change.retitle !== undefined || text !== undefined;
    const issues = retold ? await this.parts.namedIssues.find(actor, place.project, edited) : undefined;
    const about = { id: seen.id, projectId: seen.projectId, party, at: this.parts.clock.now() };
    const outcomes = await this.#refusingTwins(edited, () =>
      this.parts.unitOfWork.execute(async (repositories) => {
        await changeMergeRequest(repositories, about, { ...change, ...given({ issues }) });
        return (await read?.finish(repositories, seen.id)) ?? [];
      }),
    );
    if (elsewhere || change.stateEvent === 'reopen') await this.#refresh(seen.id);
    return outcomes;
  }

  /** What keeps a closed one from being opened again, in words; undefined where nothing does. */
  async whyNotReopened(actor: UserActor, mergeRequest: MergeRequest): Promise<string | undefined> {
    try {
      await this.#requireSource(actor, mergeRequest);
    } catch (error) {
      if (error instanceof NotPossible) return error.message;
      throw error;
    }
    const twin = await this.parts.reader.findOpenTwin(mergeRequest);
    return twin === undefined ? undefined : `!${twin} is open for the same branches.`;
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

  async #readActions<Description extends string | undefined>(
    actor: UserActor,
    about: Parameters<MergeRequestActions['read']>[1],
    description: Description,
  ): Promise<{ readonly text: Description | string; readonly read: ReadMergeRequestActions | undefined }> {
    if (description === undefined) return { text: description, read: undefined };
    const { text, actions } = readQuickActions(description);
    checkActions(actions, 'description');
    return { text, read: actions.length === 0 ? undefined : await this.parts.actions.read(actor, about, actions) };
  }

  /** @throws UnprocessableInList, Invalid. */
  async #requireBranches(actor: UserActor, pair: BranchPair): Promise<void> {
    const { projectId, sourceProjectId, sourceBranch, targetBranch } = pair;
    if (projectId === sourceProjectId && sourceBranch === targetBranch)
      throw new UnprocessableInList("You can't use same project/branch for source and target");
    if (
      sourceProjectId !== null &&
      projectId !== sourceProjectId &&
      !(await this.parts.forkNetwork.areRelated(actor, sourceProjectId, projectId))
    )
      throw new UnprocessableInList('Source project is not a fork of the target project');
    const fit = [sourceBranch, targetBranch].every((branch) => isRefName(branchRef(branch)));
    const tips = fit ? await this.parts.look.tips(pair) : undefined;
    new ProblemCollector()
      .check((tips?.source ?? null) !== null, 'source_branch', 'does not exist')
      .check((tips?.target ?? null) !== null, 'target_branch', 'does not exist')
      .refuse();
  }

  /** Who may push to the source alone lets others push. @throws Forbidden. */
  async #requireInvitation(actor: UserActor, seen: MergeRequest, wanted = seen.allowCollaboration): Promise<void> {
    if (wanted === seen.allowCollaboration) return;
    if (seen.sourceProjectId === null || !(await this.parts.mayPush(actor, seen.sourceProjectId)))
      throw new Forbidden('Only who may push to the source branch lets others push to it');
  }

  /** @throws NotPossible when there is nothing to be merged any more, or nothing that the caller may show to others. */
  async #requireSource(actor: UserActor, pair: Pick<MergeRequest, 'state'> & BranchPair): Promise<void> {
    if (pair.state !== 'closed') return;
    const { projectId, sourceProjectId } = pair;
    const isSeen =
      sourceProjectId === projectId || (sourceProjectId !== null && (await this.parts.mayRead(actor, sourceProjectId)));
    const tips = isSeen ? await this.parts.look.tips(pair) : undefined;
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

/** @throws Forbidden */
const requireRights = (
  seen: MergeRequest,
  party: MergeRequestParty,
  { discussionLocked }: EditMergeRequestCommand,
): void => {
  if (!mayChange(seen, party) || (discussionLocked !== undefined && !mayLock(party))) throw new Forbidden();
};

/** What quick actions ask for beyond what it is opened with. */
const finish = async (
  repositories: MergeRequestActionRepositories,
  opened: Parameters<typeof changeMergeRequest>[1],
  read: ReadMergeRequestActions | undefined,
): Promise<readonly ActionOutcome[]> => {
  if (read === undefined) return [];
  const { stateEvent, discussionLocked } = read.change;
  const rest = given({ stateEvent, discussionLocked });
  if (Object.keys(rest).length > 0) await changeMergeRequest(repositories, opened, rest);
  return read.finish(repositories, opened.id);
};

const changeOf = (command: EditMergeRequestCommand): MergeRequestChange => {
  const { title, labels, addLabels, removeLabels, assigneeIds, reviewerIds, ...rest } = command;
  const relabel = relabelling(given({ labels, addLabels, removeLabels }));
  const retitle = title === undefined ? undefined : () => title;
  const reassign = assigneeIds === undefined ? undefined : () => assigneeIds;
  return { ...rest, ...given({ retitle, relabel, reassign, reviewers: reviewerIds }) };
};

/** The fields that have a value. */
const given = <Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };

const check = (mergeRequest: Pick<MergeRequest, 'title' | 'description'>): void => {
  const problems = new ProblemCollector();
  checkMergeRequest(problems, mergeRequest);
  problems.refuse();
};
