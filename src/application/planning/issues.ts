import {
  checkIssue,
  mayAssign,
  mayChangeConfidentiality,
  mayChangeIssue,
  maySeeIssue,
  type Issue,
  type IssueParty,
} from '../../domain/planning/issue.js';
import { DEFAULT_LABEL_COLOR } from '../../domain/planning/label.js';
import { PROJECT_PERMISSIONS } from '../../domain/workspace/workspace-policy.js';
import { Forbidden, Invalid, NotFound } from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { DomainEvents } from '../shared/domain-events.js';
import { userIdOf, type Actor, type UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { changeIssueState, type IssueHappening } from './change-issue-state.js';
import { labelSubject, noteMilestones } from './operations/label-subject.js';
import type { IssueDetails, PlanningReader } from './ports/planning-readers.js';
import type { PlanningRepositories } from './ports/planning-repositories.js';

export interface IssueFields {
  readonly title?: string;
  readonly description?: string;
  readonly confidential?: boolean;
  readonly dueDate?: string | null;
  /** One of the project's own. */
  readonly milestoneId?: number | null;
  /** Those that aren't there yet are created for whoever may manage labels, and ignored for others. */
  readonly labels?: readonly string[];
  /** Who doesn't see the project is left out. */
  readonly assigneeIds?: readonly UserId[];
  readonly kind?: Issue['kind'];
}

export interface EditIssueCommand extends Omit<IssueFields, 'kind'> {
  readonly stateEvent?: 'close' | 'reopen';
}

/** Has no value: nothing but what `Issues.find` hands out has it. */
declare const SEEN: unique symbol;

/** Proof that the caller may see an issue; only `Issues.find` hands it out. */
export interface VisibleIssue {
  readonly [SEEN]: true;
  readonly issue: IssueDetails;
  readonly party: IssueParty;
}

/** Has no value, like `SEEN`. */
declare const OPEN_TO_CHANGE: unique symbol;

/** Proof that the caller may see an issue, and that its project takes changes; only `Issues.findToChange` hands it out. */
export interface ChangeableIssue extends VisibleIssue {
  readonly [OPEN_TO_CHANGE]: true;
}

/** What an issue is to have, and which milestone it had. */
interface Planned extends Pick<IssueHappening, 'by' | 'at'> {
  readonly labels: readonly string[] | undefined;
  readonly level: number;
  readonly from: number | null;
  readonly to: number | null;
}

type Needs = PlanningRepositories & { readonly events: DomainEvents };

/** Opening, changing, closing and removing issues. */
export class Issues {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: PlanningReader,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound when it is not there, or not for the caller to see. */
  async find(
    actor: Actor,
    { project, level }: Permitted<'read_project'> | Permitted<'take_part'>,
    iid: number,
  ): Promise<VisibleIssue> {
    const issue = await this.reader.findIssue(project.id, iid);
    const userId = userIdOf(actor);
    const party = { userId, level, assigned: issue?.assignees.some(({ id }) => id === userId) ?? false };
    if (issue === undefined || !maySeeIssue(issue, party)) throw new NotFound();
    // eslint-disable-next-line no-restricted-syntax -- the one place that decides it
    return { issue, party } as VisibleIssue;
  }

  /** The same, for who is about to change it or comment on it. @throws NotFound likewise. */
  async findToChange(actor: Actor, place: Permitted<'take_part'>, iid: number): Promise<ChangeableIssue> {
    return (await this.find(actor, place, iid)) as ChangeableIssue;
  }

  /** @throws Invalid naming every problem. */
  async open(
    author: UserActor,
    { project, level }: Permitted<'take_part'>,
    fields: IssueFields & { readonly title: string },
  ): Promise<number> {
    const {
      title,
      description = '',
      confidential = false,
      dueDate = null,
      milestoneId = null,
      kind = 'issue',
    } = fields;
    check({ title, description });
    const createdAt = this.clock.now();
    return this.unitOfWork.execute(async (repositories) => {
      const { issues, events } = repositories;
      await this.#holdMilestone(repositories, project.id, milestoneId);
      const issue = await issues.add({
        projectId: project.id,
        kind,
        title,
        description,
        severity: null,
        confidential,
        dueDate,
        milestoneId,
        authorId: author.id,
        createdAt,
      });
      const planned = { labels: fields.labels, level, from: null, to: milestoneId, by: author.id, at: createdAt };
      await plan(repositories, issue, planned);
      if (fields.assigneeIds !== undefined && mayAssign(issue, { level }))
        await assign(repositories, issue, fields.assigneeIds, createdAt);
      await events.publish({ kind: 'issue_opened', issue, by: author.id, at: createdAt });
      return issue.iid;
    });
  }

  /** @throws Forbidden for who may see but not change it, or not its confidentiality; Invalid naming every problem. */
  async edit(actor: UserActor, { issue, party }: ChangeableIssue, command: EditIssueCommand): Promise<void> {
    if (!mayChangeIssue(issue, party)) throw new Forbidden();
    const { stateEvent, labels: _labels, assigneeIds: _assigneeIds, ...changes } = command;
    check({ ...issue, ...definedIn(changes) });
    const at = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      if (stateEvent === 'close') await repositories.events.publish({ kind: 'issue_ending', issue, by: actor.id, at });
      await this.#holdMilestone(repositories, issue.projectId, changes.milestoneId ?? null);
      // As it is now, and held: somebody else may be changing it.
      const before = await takeIssue(repositories, issue.id);
      const edited = { ...before, ...definedIn(changes) };
      // Compared with how it is now: a form that repeats it changes nothing.
      if (edited.confidential !== before.confidential && !mayChangeConfidentiality(party))
        throw new Forbidden('Only members from reporter up may change whether an issue is confidential');
      const happening = { issue: edited, by: actor.id, at };
      await repositories.issues.update(issue.id, changes, at);
      if (edited.confidential !== before.confidential) {
        await repositories.events.publish({
          kind: edited.confidential ? 'issue_hidden' : 'issue_unhidden',
          ...happening,
        });
      }
      const { level } = party;
      const planned = { labels: command.labels, level, from: before.milestoneId, to: edited.milestoneId };
      await plan(repositories, edited, { ...planned, by: actor.id, at });
      await this.#reassign(repositories, command, party, happening);
      if (stateEvent !== undefined)
        await changeIssueState(repositories, stateEvent === 'close' ? 'closed' : 'opened', happening);
    });
  }

  /** @throws NotFound for one that has just been removed, or belongs to another project. */
  async remove(actor: UserActor, { project }: Permitted<'remove_issues'>, { issue }: VisibleIssue): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      await repositories.events.publish({ kind: 'issue_ending', issue, by: actor.id, at });
      const held = await takeIssue(repositories, issue.id);
      if (held.projectId !== project.id) throw new NotFound();
      // Told first: whoever keeps something of it still finds it.
      await repositories.events.publish({
        kind: 'subject_removed',
        subject: { ...held, kind: 'issue' },
        by: actor.id,
        at,
      });
      await repositories.events.publish({ kind: 'issue_removed', issue: held, by: actor.id, at });
      await repositories.issues.remove(issue.id);
    });
  }

  async #reassign(
    repositories: Needs,
    { assigneeIds }: EditIssueCommand,
    party: IssueParty,
    happening: IssueHappening,
  ): Promise<void> {
    const { issue, at } = happening;
    if (assigneeIds === undefined) return;
    const { added, removed } = await assign(repositories, issue, assigneeIds, at);
    if (added.length > 0 && !mayAssign(issue, party))
      throw new Forbidden('Only members from reporter up may assign people to a confidential issue');
    if (added.length + removed.length === 0) return;
    await repositories.events.publish({ kind: 'issue_reassigned', ...happening, added, removed });
  }

  /** Keeps it from being removed meanwhile. @throws Invalid at `milestone_id` when the project has no such milestone. */
  async #holdMilestone({ milestones }: Needs, projectId: ProjectId, milestoneId: number | null): Promise<void> {
    if (milestoneId === null) return;
    const milestone = await milestones.take(projectId, milestoneId);
    if (milestone === undefined) throw new Invalid({ milestone_id: ['is none of this project'] });
  }
}

const plan = async (
  repositories: Needs,
  issue: Pick<Issue, 'id' | 'projectId'>,
  { labels, level, from, to, by, at }: Planned,
): Promise<void> => {
  // Those that are created in passing; nobody below that level makes any.
  const color = level >= PROJECT_PERMISSIONS.manage_labels ? DEFAULT_LABEL_COLOR : null;
  if (labels !== undefined) await labelSubject(repositories, issue, { names: labels, color, by, at });
  await noteMilestones(repositories, issue.id, { from, to, by, at });
};

const assign = async (
  { issues }: PlanningRepositories,
  { id, projectId }: Pick<Issue, 'id' | 'projectId'>,
  userIds: readonly UserId[],
  at: Date,
): ReturnType<PlanningRepositories['issues']['setAssignees']> =>
  issues.setAssignees(id, await issues.assignable(projectId, userIds, at.toISOString().slice(0, 10)));

/** @throws NotFound for one that has just been removed. */
const takeIssue = async ({ issues }: PlanningRepositories, id: number): Promise<Issue> => {
  const issue = await issues.take(id);
  if (issue === undefined) throw new NotFound();
  return issue;
};

const definedIn = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

const check = (issue: Pick<Issue, 'title' | 'description'>): void => {
  const problems = new ProblemCollector();
  checkIssue(problems, issue);
  problems.refuse();
};
