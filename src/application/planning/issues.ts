import { readQuickActions } from '../../domain/collaboration/quick-action.js';
import {
  checkIssue,
  mayAssign,
  mayChangeIssue,
  mayLock,
  maySeeIssue,
  type Issue,
} from '../../domain/planning/issue.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { timeGiven } from '../../domain/shared/given-time.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { DomainEvents } from '../shared/domain-events.js';
import { userIdOf, type Actor, type UserActor } from '../shared/actor.js';
import type { DescriptionSeen } from '../shared/overtaken.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import { together } from '../shared/together.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { checkActions } from '../collaboration/operations/check-actions.js';
import type { ActionOutcome } from '../collaboration/ports/action-ports.js';
import type { SubjectRepository } from '../collaboration/ports/subject-ports.js';
import { assign, changeIssue, label, takeIssue, type IssueChange } from './change-issue.js';
import type { IssueActionRepositories, IssueActions, ReadIssueActions } from './issue-actions.js';
import { holdMilestone } from './operations/hold-milestone.js';
import { bothChanges } from './operations/plan-actions.js';
import { choicesOf, milestonesBetween } from './operations/told-changes.js';
import { viewerOf } from '../workspace/operations/viewer-of.js';
import type { PlanningReader } from './ports/planning-readers.js';
import type { ChangeableIssue, VisibleIssue } from './visible-issue.js';

export interface IssueFields {
  readonly title?: string;
  readonly description?: string;
  readonly confidential?: boolean;
  readonly dueDate?: string | null;
  /** One of the project, or of a group above it. */
  readonly milestoneId?: number | null;
  /** Those that aren't there yet are created for whoever may manage labels, and ignored for others. */
  readonly labels?: readonly string[];
  /** Who doesn't see the project is left out. */
  readonly assigneeIds?: readonly UserId[];
  readonly kind?: Issue['kind'];
}

export interface OpenIssueCommand extends IssueFields {
  readonly title: string;
  /** When it was opened, which owners may say. */
  readonly createdAt?: Date;
}

export interface EditIssueCommand extends Omit<IssueFields, 'kind'>, DescriptionSeen {
  readonly stateEvent?: 'close' | 'reopen';
  readonly addLabels?: readonly string[];
  readonly removeLabels?: readonly string[];
  readonly discussionLocked?: boolean;
  /** When it was last changed, which owners may say. */
  readonly updatedAt?: Date;
}

export interface OpenedIssue {
  readonly iid: number;
  /** What became of the quick actions in its description. */
  readonly outcomes: readonly ActionOutcome[];
}

type Needs = IssueActionRepositories & {
  readonly subjects: Pick<SubjectRepository, 'holdAlone' | 'awaitOthers'>;
  readonly events: DomainEvents;
};

/** So often a removal lets others finish what they say of an issue; then it doesn't let go of the issue any more. */
const MOST_TRIES = 20;

/** Opening, changing, closing and removing issues. */
export class Issues {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly reader: PlanningReader,
    private readonly actions: IssueActions,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound when it is not there, or not for the caller to see. */
  async find(
    actor: Actor,
    { project, level }: Permitted<'read_issues' | 'write_issues'>,
    iid: number,
  ): Promise<VisibleIssue> {
    const issue = await this.reader.findIssue(project.id, iid, viewerOf(actor, this.clock));
    const userId = userIdOf(actor);
    const party = { userId, level, assigned: issue?.assignees.some(({ id }) => id === userId) ?? false };
    if (issue === undefined || !maySeeIssue(issue, party)) throw new NotFound();
    // eslint-disable-next-line no-restricted-syntax -- the one place that decides it
    return { issue, party } as VisibleIssue;
  }

  /** The same, for who is about to change it or comment on it. @throws NotFound likewise. */
  async findToChange(actor: Actor, place: Permitted<'write_issues'>, iid: number): Promise<ChangeableIssue> {
    return (await this.find(actor, place, iid)) as ChangeableIssue;
  }

  /** @throws Invalid naming every problem. */
  async open(
    author: UserActor,
    { project, level }: Permitted<'write_issues'>,
    { createdAt, ...given }: OpenIssueCommand,
  ): Promise<OpenedIssue> {
    const { description = '', confidential = false, kind = 'issue' } = given;
    const party = { userId: author.id, level, assigned: false };
    const opening = {
      projectId: project.id,
      title: given.title,
      state: 'opened',
      confidential,
      authorId: author.id,
    } as const;
    const { text, read } = await this.#readActions(author, { issue: opening, party }, description);
    const fields = fieldsOf({ ...given, ...opening, description: text }, read?.change ?? {});
    const { title, dueDate = null } = fields;
    check({ title, description: text });
    const at = this.clock.now();
    const openedAt = timeGiven('created_at', createdAt, { level, now: at }) ?? at;
    return this.unitOfWork.execute(async (repositories) => {
      const { issues, resourceEvents, events } = repositories;
      const { milestoneId = null } = await holdMilestone(repositories, project.id, fields);
      const issue = await issues.add({
        projectId: project.id,
        kind,
        title,
        description: text,
        severity: null,
        confidential: fields.confidential,
        dueDate,
        milestoneId,
        authorId: author.id,
        createdAt: openedAt,
        // Whoever asks for what has changed since then finds it.
        updatedAt: at,
      });
      const by = author.id;
      const labelled = fields.labels && (await label(repositories, issue, fields.labels, { level, by, at }));
      const labels = labelled?.added ?? [];
      const assignees = mayAssign(issue, { level }) ? fields.assigneeIds : undefined;
      const assigned = assignees && (await assign(repositories, issue, assignees, at));
      const told = [...milestonesBetween(null, milestoneId), ...(assigned ? choicesOf('assignee', assigned) : [])];
      await together([
        resourceEvents.add(issue.id, told, by, at),
        events.publish({ kind: 'issue_opened', issue, labels, by, at }),
      ]);
      return { iid: issue.iid, outcomes: await finish(repositories, { issue, party, by, at }, read) };
    });
  }

  /**
   * @returns what became of the quick actions in a description. @throws Forbidden for who may see but not change it, or not its
   * confidentiality; Invalid naming every problem; Overtaken.
   */
  async edit(
    actor: UserActor,
    { issue, party }: ChangeableIssue,
    { updatedAt, ...command }: EditIssueCommand,
  ): Promise<readonly ActionOutcome[]> {
    if (!mayChangeIssue(issue, party)) throw new Forbidden();
    if (command.discussionLocked !== undefined && !mayLock(party)) throw new Forbidden();
    const { text, read } = await this.#readActions(actor, { issue, party }, command.description);
    const asked = changeOf(command);
    const change = {
      ...bothChanges(asked, read?.change ?? {}),
      ...(text === undefined ? {} : { description: text }),
    };
    check({ title: change.retitle?.(issue.title) ?? issue.title, description: text ?? issue.description });
    const at = this.clock.now();
    const changedAt = timeGiven('updated_at', updatedAt, { level: party.level, now: at });
    const happening = { issue, party, by: actor.id, at };
    return this.unitOfWork.execute(async (repositories) => {
      await changeIssue(repositories, happening, change, read?.others);
      const outcomes = (await read?.finish(repositories, issue.id)) ?? [];
      if (changedAt !== undefined) await repositories.issues.setUpdatedAt(issue.id, changedAt);
      return outcomes;
    });
  }

  /** @throws NotFound for one that has just been removed, or belongs to another project. */
  async remove(actor: UserActor, place: Permitted<'remove_issues'>, { issue }: VisibleIssue): Promise<void> {
    for (let tries = 1; !(await this.#remove(actor, place, issue, tries === MOST_TRIES)); tries += 1)
      await this.unitOfWork.execute(({ subjects }) => subjects.awaitOthers(issue.id));
  }

  /**
   * Whoever comments on it holds its subject and then the issue, whoever changes it the other way round: a removal that waited for either
   * while it holds the other would end in a deadlock with one of them.
   *
   * @returns false where somebody is at it, for whom it doesn't wait unless it `insists`; nothing is done then.
   */
  async #remove(
    actor: UserActor,
    { project }: Permitted<'remove_issues'>,
    issue: Issue,
    insists: boolean,
  ): Promise<boolean> {
    const at = this.clock.now();
    return this.unitOfWork.execute(async (repositories) => {
      await repositories.events.publish({ kind: 'issue_ending', issue, by: actor.id, at });
      const held = await takeIssue(repositories, issue.id);
      if (held.projectId !== project.id) throw new NotFound();
      if (!insists && !(await repositories.subjects.holdAlone(issue.id))) return false;
      // Told first: whoever keeps something of it still finds it.
      await repositories.events.publish({
        kind: 'subject_removed',
        subject: { ...held, kind: 'issue' },
        by: actor.id,
        at,
      });
      await repositories.events.publish({ kind: 'issue_removed', issue: held, by: actor.id, at });
      await repositories.issues.remove(issue.id);
      return true;
    });
  }

  async #readActions<Description extends string | undefined>(
    actor: UserActor,
    about: Parameters<IssueActions['read']>[1],
    description: Description,
  ): Promise<{ readonly text: Description | string; readonly read: ReadIssueActions | undefined }> {
    const { text, actions } = readQuickActions(description ?? '');
    if (description === undefined) return { text: description, read: undefined };
    checkActions(actions, 'description');
    return { text, read: actions.length === 0 ? undefined : await this.actions.read(actor, about, actions) };
  }
}

/** What quick actions ask for beyond what an issue is opened with. */
const finish = async (
  repositories: Needs,
  happening: Parameters<typeof changeIssue>[1],
  read: ReadIssueActions | undefined,
): Promise<readonly ActionOutcome[]> => {
  if (read === undefined) return [];
  const { change, others } = read;
  const { stateEvent, discussionLocked } = change;
  const rest = { ...(stateEvent && { stateEvent }), ...(discussionLocked === undefined ? {} : { discussionLocked }) };
  if (Object.keys(rest).length + others.length > 0) await changeIssue(repositories, happening, rest, others);
  return read.finish(repositories, happening.issue.id);
};

/** What an issue is opened with. */
const fieldsOf = <Given extends IssueFields & { readonly title: string; readonly confidential: boolean }>(
  given: Given,
  { retitle, relabel, reassign, milestoneId, dueDate, confidential }: IssueChange,
): Given => ({
  ...given,
  ...(retitle && { title: retitle(given.title) }),
  ...(relabel && { labels: relabel(given.labels ?? []) }),
  ...(reassign && { assigneeIds: reassign(given.assigneeIds ?? []) }),
  ...(milestoneId === undefined ? {} : { milestoneId }),
  ...(dueDate === undefined ? {} : { dueDate }),
  ...(confidential === undefined ? {} : { confidential }),
});

const changeOf = ({
  title,
  labels,
  addLabels = [],
  removeLabels = [],
  assigneeIds,
  ...rest
}: Omit<EditIssueCommand, 'updatedAt'>): IssueChange => {
  const relabelled = labels !== undefined || addLabels.length + removeLabels.length > 0;
  const relabel = (before: readonly string[]) =>
    [...new Set([...(labels ?? before), ...addLabels])].filter((name) => !removeLabels.includes(name));
  return {
    ...rest,
    ...(title === undefined ? {} : { retitle: () => title }),
    ...(relabelled ? { relabel } : {}),
    ...(assigneeIds === undefined ? {} : { reassign: () => assigneeIds }),
  };
};

const check = (issue: Pick<Issue, 'title' | 'description'>): void => {
  const problems = new ProblemCollector();
  checkIssue(problems, issue);
  problems.refuse();
};
