import { checkIssue, mayChangeIssue, maySeeIssue, type Issue, type IssueParty } from '../../domain/planning/issue.js';
import { DEFAULT_LABEL_COLOR } from '../../domain/planning/label.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { Publish } from '../shared/domain-events.js';
import { userIdOf, type Actor, type UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { IssueDetails, PlanningReader } from './ports/planning-readers.js';
import type { PlanningRepositories } from './ports/planning-repositories.js';

/** The project of an issue beside the level that the caller has in it. */
export interface IssuePlace {
  readonly project: { readonly id: number };
  readonly level: number;
}

export interface IssueFields {
  readonly title?: string;
  readonly description?: string;
  readonly confidential?: boolean;
  readonly dueDate?: string | null;
  readonly labels?: readonly string[];
  readonly assigneeIds?: readonly UserId[];
  readonly kind?: Issue['kind'];
}

export interface EditIssueCommand extends Omit<IssueFields, 'kind'> {
  readonly stateEvent?: 'close' | 'reopen';
}

/** Proof that the caller may see an issue; only `Issues.find` hands it out. */
export interface VisibleIssue {
  readonly issue: IssueDetails;
  readonly party: IssueParty;
}

/** Opening, changing, closing and removing issues. */
export class Issues<Repositories extends PlanningRepositories> {
  constructor(
    private readonly unitOfWork: UnitOfWork<Repositories>,
    private readonly reader: PlanningReader,
    private readonly clock: Clock,
    private readonly publish: Publish<Repositories>,
  ) {}

  /** @throws NotFound when it is not there, or not for the caller to see. */
  async find(actor: Actor, { project, level }: IssuePlace, iid: number): Promise<VisibleIssue> {
    const issue = await this.reader.findIssue(project.id, iid);
    const userId = userIdOf(actor);
    const party = { userId, level, assigned: issue?.assignees.some(({ id }) => id === userId) ?? false };
    if (issue === undefined || !maySeeIssue(issue, party)) throw new NotFound();
    return { issue, party };
  }

  /** @throws Invalid naming every problem. */
  async open(
    author: UserActor,
    { project }: IssuePlace,
    fields: IssueFields & { readonly title: string },
  ): Promise<number> {
    const { title, description = '', confidential = false, dueDate = null, kind = 'issue' } = fields;
    check({ title, description });
    const createdAt = this.clock.now();
    return this.unitOfWork.execute(async (repositories) => {
      const { issues } = repositories;
      const issue = await issues.add({
        projectId: project.id,
        kind,
        title,
        description,
        severity: null,
        confidential,
        dueDate,
        authorId: author.id,
        createdAt,
      });
      await this.#setLists(repositories, issue, fields, createdAt);
      return issue.iid;
    });
  }

  /** @throws Forbidden for who may see but not change it; Invalid naming every problem. */
  async edit(actor: UserActor, { issue, party }: VisibleIssue, command: EditIssueCommand): Promise<void> {
    if (!mayChangeIssue(issue, party)) throw new Forbidden();
    const { stateEvent, labels: _labels, assigneeIds: _assigneeIds, ...changes } = command;
    check({ ...issue, ...changes });
    const at = this.clock.now();
    await this.unitOfWork.execute(async (repositories) => {
      await repositories.issues.update(issue.id, changes, at);
      await this.#setLists(repositories, issue, command, at);
      if (stateEvent === undefined) return;
      const state = stateEvent === 'close' ? 'closed' : 'opened';
      if (!(await repositories.issues.changeState(issue.id, state, actor.id, at))) return;
      const kind = stateEvent === 'close' ? 'issue_closed' : 'issue_reopened';
      await this.publish({ kind, projectId: issue.projectId, issueId: issue.id, by: actor.id, at }, repositories);
    });
  }

  async remove({ issue }: VisibleIssue): Promise<void> {
    await this.unitOfWork.execute(({ issues }) => issues.remove(issue.id));
  }

  async #setLists(
    { issues }: PlanningRepositories,
    issue: Pick<Issue, 'id' | 'projectId'>,
    { labels, assigneeIds }: IssueFields,
    at: Date,
  ): Promise<void> {
    if (labels !== undefined) await issues.setLabels(issue, labels, DEFAULT_LABEL_COLOR, at);
    if (assigneeIds !== undefined) await issues.setAssignees(issue.id, assigneeIds);
  }
}

/** What callers know of it, whatever else its works may change. */
export type IssueUseCases = Pick<Issues<PlanningRepositories>, 'find' | 'open' | 'edit' | 'remove'>;

const check = (issue: Pick<Issue, 'title' | 'description'>): void => {
  const problems = new ProblemCollector();
  checkIssue(problems, issue);
  problems.refuse();
};
