import { withProjectNamed } from '../../domain/collaboration/moved-references.js';
import type { Issue } from '../../domain/planning/issue.js';
import { NotPossible } from '../../domain/shared/domain-error.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { NoteRepository } from '../collaboration/ports/note-ports.js';
import { rewriteNotes } from '../collaboration/operations/rewrite-notes.js';
import type { NewTexts, NoteTextReader, SubjectCopyRepository } from '../collaboration/ports/copy-ports.js';
import type { UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { assign, takeIssue } from './change-issue.js';
import { changeIssueState } from './change-issue-state.js';
import { labelSubject } from './operations/label-subject.js';
import { mayBeNamedIn } from './operations/may-be-named-in.js';
import { choicesOf, milestonesBetween } from './operations/told-changes.js';
import type { IssueLinkRepository } from './ports/issue-links.js';
import type { NamedThings } from './ports/named-things.js';
import type { PlanningRepositories } from './ports/planning-repositories.js';
import type { VisibleIssue } from './visible-issue.js';

type Needs = PlanningRepositories & {
  readonly notes: NoteRepository;
  readonly issueLinks: IssueLinkRepository;
  readonly subjectCopies: SubjectCopyRepository;
  readonly events: DomainEvents;
};

/** An issue that the caller sees, in a project out of which they may take issues. */
export interface MovableIssue extends VisibleIssue {
  readonly moving: Permitted<'move_issues'>;
}

interface Copied {
  readonly before: Issue;
  readonly from: Project;
  readonly to: Project;
  readonly authorId: Issue['authorId'];
  readonly by: UserActor['id'];
  readonly createdAt: Date;
  readonly at: Date;
  /** Of the other project; the one of that title. */
  readonly milestoneId: number | null;
}

/** Taking issues to other projects, and making others like them. */
export class IssueMoves {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly things: NamedThings,
    private readonly noteTexts: NoteTextReader,
    private readonly clock: Clock,
  ) {}

  /**
   * What was said goes along, with labels and milestone as far as the project has some of that name, and with labels of groups in any case;
   * the old one is closed, and says where it went.
   *
   * @returns the number of the new one. @throws NotPossible.
   */
  async move(actor: UserActor, { issue, moving }: MovableIssue, to: Permitted<'move_issues'>): Promise<number> {
    requireKind(issue, 'move');
    if (to.project.id === issue.projectId) throw new NotPossible('Cannot move issue to project it originates from!');
    const at = this.clock.now();
    const named = await this.#milestoneIn(to.project, issue);
    const texts = await this.#textsOf(issue, moving.project, to.project);
    return this.unitOfWork.execute(async (repositories) => {
      const { issues, issueLinks, subjectCopies, events } = repositories;
      await events.publish({ kind: 'issue_ending', issue, by: actor.id, at });
      const milestoneId = await holdMilestone(repositories, to.project, named);
      const before = await takeIssue(repositories, issue.id);
      // Of two who move it at once, one is told.
      if (before.movedToId !== null) throw new NotPossible('Cannot move issue: it was moved already.');
      const { authorId, createdAt } = before;
      const copied = {
        before,
        from: moving.project,
        to: to.project,
        authorId,
        by: actor.id,
        createdAt,
        at,
        milestoneId,
      };
      const added = await copyIssue(repositories, copied);
      await subjectCopies.copyNotes(before.id, added.id, unlessUnknown(copied, texts));
      await subjectCopies.copyAttachments(before.id, added.id);
      await issueLinks.moveAll(before.id, added.id);
      await tellBoth(repositories, copied, added, 'moved');
      await issues.markMoved(before.id, added.id);
      await changeIssueState(repositories, 'closed', { issue: before, by: actor.id, at });
      if (before.state === 'closed') await changeIssueState(repositories, 'closed', { issue: added, by: actor.id, at });
      return added.iid;
    });
  }

  /** Makes another one of the caller's own like it, also in the same project. @returns its number. @throws NotPossible. */
  async clone(
    actor: UserActor,
    { issue, moving }: MovableIssue,
    to: Permitted<'move_issues'>,
    withNotes: boolean,
  ): Promise<number> {
    requireKind(issue, 'clone');
    const at = this.clock.now();
    const named = await this.#milestoneIn(to.project, issue);
    const texts = withNotes ? await this.#textsOf(issue, moving.project, to.project) : undefined;
    return this.unitOfWork.execute(async (repositories) => {
      const milestoneId = await holdMilestone(repositories, to.project, named);
      const before = await takeIssue(repositories, issue.id);
      const by = actor.id;
      const copied = { before, from: moving.project, to: to.project, authorId: by, by, createdAt: at, at, milestoneId };
      const added = await copyIssue(repositories, copied);
      if (withNotes) await repositories.subjectCopies.copyNotes(before.id, added.id, unlessUnknown(copied, texts));
      await tellBoth(repositories, copied, added, 'cloned');
      return added.iid;
    });
  }

  /** What becomes of what was said; undefined where all of it stays as it is. */
  async #textsOf(before: Issue, from: Project, to: Project): Promise<NewTexts | undefined> {
    const rewrite = rewriteFor({ before, from, to });
    return rewrite && rewriteNotes(this.noteTexts, before.id, rewrite);
  }

  /** The one of that title. */
  async #milestoneIn(project: Project, { milestone }: VisibleIssue['issue']): Promise<number | null> {
    if (milestone === null) return null;
    return (await this.things.milestone(project.id, milestone.title))?.id ?? null;
  }
}

const requireKind = ({ kind }: Issue, verb: 'move' | 'clone'): void => {
  // Its alert would go on without it.
  if (kind !== 'issue') throw new NotPossible(`Cannot ${verb} issues of type '${kind}'.`);
};

/** Keeps it from being removed meanwhile; null where it has been. */
const holdMilestone = async ({ milestones }: Needs, { id }: Project, named: number | null): Promise<number | null> =>
  named === null ? null : ((await milestones.use(id, named)) ?? null);

/** References go on naming what they named, as far as nobody learns of a project that they don't see; else texts stay as they are. */
const rewriteFor = ({ before, from, to }: Pick<Copied, 'before' | 'from' | 'to'>): NewTexts['rewrite'] | undefined =>
  from.id !== to.id && mayBeNamedIn(before, from, to) ? (text) => withProjectNamed(text, from.fullPath) : undefined;

/** The issue may have become confidential since. */
const unlessUnknown = (copied: Copied, texts: NewTexts | undefined): NewTexts | undefined =>
  rewriteFor(copied) && texts;

const copyIssue = async (repositories: Needs, copied: Copied): Promise<Issue> => {
  const { issues, subjectLabels, resourceEvents, events } = repositories;
  const { before, from, to, authorId, by, createdAt, at, milestoneId } = copied;
  const { title, confidential, dueDate, kind, severity } = before;
  const description = rewriteFor(copied)?.(before.description) ?? before.description;
  const texts = { kind, title, description, severity, confidential, dueDate };
  const added = await issues.add({ ...texts, projectId: to.id, milestoneId, authorId, createdAt });
  const names = await subjectLabels.namesOf(before.id);
  if (from.id !== to.id) await subjectLabels.copyThoseOfGroups(before.id, to.id);
  const { added: labels } = await labelSubject(repositories, added, { names, color: null, by, at });
  const assigned = await assign(repositories, added, await issues.assigneesOf(before.id), at);
  const told = [...milestonesBetween(null, milestoneId), ...choicesOf('assignee', assigned)];
  await resourceEvents.add(added.id, told, by, at);
  await events.publish({ kind: 'issue_opened', issue: added, labels, by, at });
  return added;
};

/** Says in each where the other is, as far as nobody learns of a project that they don't see. */
const tellBoth = async (
  { notes }: Needs,
  { before, from, to, by, at }: Copied,
  added: Issue,
  verb: 'moved' | 'cloned',
): Promise<void> => {
  const note = { authorId: by, system: true, createdAt: at };
  const there = mayBeNamedIn(added, to, from) ? `${to.fullPath}#${added.iid}` : 'another project';
  const here = mayBeNamedIn(before, from, to) ? `${from.fullPath}#${before.iid}` : 'another project';
  await notes.add({ ...note, subjectId: before.id, body: `${verb} to ${there}` });
  await notes.add({ ...note, subjectId: added.id, body: `${verb} from ${here}` });
};
