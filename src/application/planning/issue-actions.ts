import { issueIn } from '../../domain/collaboration/action-arguments.js';
import type { QuickAction } from '../../domain/collaboration/quick-action.js';
import {
  mayAssign,
  mayChangeConfidentiality,
  mayChangeIssue,
  mayLock,
  type Issue,
  type IssueParty,
} from '../../domain/planning/issue.js';
import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import type { Project } from '../../domain/workspace/namespace.js';
import {
  applyCommonAction,
  done,
  NOT_ALLOWED,
  notDone,
  type Acting,
  type CommonActionRepositories,
} from '../collaboration/operations/common-actions.js';
import type { ActionOutcome, ActionPlan, SubjectActions } from '../collaboration/ports/action-ports.js';
import type { IsEmoji } from '../collaboration/ports/award-ports.js';
import type { SubjectDetails } from '../collaboration/ports/subject-ports.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import { changeIssue, takeIssue } from './change-issue.js';
import type { ChangeableIssue } from './visible-issue.js';
import { linkIssues, type LinkingRepositories } from './operations/link-issues.js';
import { mayBeNamedIn } from './operations/may-be-named-in.js';
import {
  bothChanges,
  ISSUE_PLANS,
  planAction,
  planned,
  refused,
  type PlannedAction,
  type PlannedChange,
} from './operations/plan-actions.js';
import type { NamedThings } from './ports/named-things.js';
import type { PlanningRepositories } from './ports/planning-repositories.js';

export type IssueActionRepositories = PlanningRepositories & LinkingRepositories & CommonActionRepositories;

export interface LinkableIssue {
  readonly issue: Issue;
  readonly project: Project;
}

export interface IssueActionsParts {
  readonly things: NamedThings;
  readonly isEmoji: IsEmoji;
  readonly clock: Clock;
  /** An issue that somebody may see, in a project that takes changes. @throws NotFound, Forbidden. */
  readonly find: (actor: UserActor, project: string, iid: number) => Promise<ChangeableIssue>;
  /** An issue that somebody may link with others; undefined where they may not, or don't see it. */
  readonly findLinkable: (actor: UserActor, project: string, iid: number) => Promise<LinkableIssue | undefined>;
  /** A project that somebody may see. @throws NotFound. */
  readonly findProject: (actor: UserActor, project: string) => Promise<Project>;
}

/** What the actions are about; one that is being opened has no id yet. */
interface About {
  readonly issue: Pick<Issue, 'projectId' | 'title' | 'state' | 'confidential' | 'authorId'> &
    Partial<Pick<Issue, 'id' | 'iid'>>;
  readonly party: IssueParty;
}

/** What is done once the issue is as it is to be, and held. */
type Step = (repositories: IssueActionRepositories, acting: Acting) => Promise<ActionOutcome>;

/** Quick actions with all that they name found. */
export interface ReadIssueActions {
  readonly change: PlannedChange;
  /** Issues that are held together with it. */
  readonly others: readonly number[];
  /** What it takes beyond the change. @returns what became of each action. */
  finish(repositories: IssueActionRepositories, issueId: number): Promise<readonly ActionOutcome[]>;
}

const NOTHING: Pick<ReadIssueActions, 'change' | 'others'> = { change: {}, others: [] };

interface ReadAction extends Pick<ReadIssueActions, 'change' | 'others'> {
  readonly step: Step;
}

const told = ({ change, outcome }: PlannedAction): ReadAction => ({
  ...NOTHING,
  change,
  step: () => Promise.resolve(outcome),
});

const NAME_ONE = 'name an issue, as in #1 or group/project#1, that you may link.';

/** What lines of descriptions and comments ask of issues. */
export class IssueActions implements SubjectActions<IssueActionRepositories> {
  readonly kind = 'issue';

  constructor(private readonly parts: IssueActionsParts) {}

  async plan(
    actor: UserActor,
    subject: SubjectDetails,
    actions: readonly QuickAction[],
  ): Promise<ActionPlan<IssueActionRepositories>> {
    const about = await this.parts.find(actor, String(subject.projectId), subject.iid ?? 0);
    const read = await this.read(actor, about, actions);
    const { change, others } = read;
    return {
      apply: async (repositories) => {
        const at = this.parts.clock.now();
        // Whoever may not change it has asked for nothing that does.
        if (Object.keys(change).length + others.length > 0)
          await changeIssue(repositories, { ...about, by: actor.id, at }, change, others);
        return read.finish(repositories, about.issue.id);
      },
    };
  }

  async read(actor: UserActor, about: About, actions: readonly QuickAction[]): Promise<ReadIssueActions> {
    const read: ReadAction[] = [];
    for (const action of actions) read.push(await this.#readOne(actor, about, action, actions));
    return {
      change: read.map(({ change }) => change).reduce(bothChanges, {}),
      others: read.flatMap(({ others }) => others),
      finish: async (repositories, issueId) => {
        const { isEmoji, clock } = this.parts;
        const subject = { ...(await takeIssue(repositories, issueId)), kind: 'issue' } as const;
        const acting = { subject, level: about.party.level, by: actor.id, at: clock.now(), isEmoji };
        const outcomes: ActionOutcome[] = [];
        for (const { step } of read) outcomes.push(await step(repositories, acting));
        return outcomes;
      },
    };
  }

  async #readOne(
    actor: UserActor,
    about: About,
    action: QuickAction,
    all: readonly QuickAction[],
  ): Promise<ReadAction> {
    if (action.name === 'relate' || action.name === 'duplicate') return this.#readLink(actor, about, action);
    if (action.name === 'confidential') return told(hide(about, action));
    const { issue, party } = about;
    const confidential = issue.confidential || all.some(({ name }) => name === 'confidential');
    const change = {
      actor,
      projectId: issue.projectId,
      words: 'issue',
      title: issue.title,
      state: issue.state,
      mayChange: mayChangeIssue(issue, party),
      mayAssign: mayAssign({ confidential }, party),
      mayLock: mayLock(party),
      assignable: 'read_issues',
      today: this.parts.clock.now().toISOString().slice(0, 10),
    } as const;
    if (action.name in ISSUE_PLANS) return told(await planAction(this.parts.things, change, action, ISSUE_PLANS));
    const step: Step = async (repositories, acting) =>
      (await applyCommonAction(repositories, acting, action)) ?? notDone(action, 'issues don’t know it.');
    return { ...NOTHING, step };
  }

  /** For who may link both: no link tells anybody of an issue that they don't see. */
  async #readLink(actor: UserActor, { issue, party }: About, action: QuickAction): Promise<ReadAction> {
    const project = String(issue.projectId);
    const duplicate = action.name === 'duplicate';
    if (party.level < ACCESS_LEVEL.reporter) return told(refused(action, NOT_ALLOWED));
    const named = issueIn(action.argument);
    const found = named && (await this.parts.findLinkable(actor, named.project ?? project, named.iid));
    if (found === undefined || found.issue.id === issue.id) return told(refused(action, NAME_ONE));
    const { issue: other } = found;
    const reference = `${other.projectId === issue.projectId ? '' : (named?.project ?? '')}#${other.iid}`;
    const known = mayBeNamedIn(other, found.project, await this.parts.findProject(actor, project));
    const shown = known ? reference : 'an issue of another project';
    const link: Step = async (repositories, { subject, at }) => {
      const id = await linkIssues(repositories, { from: subject.id, to: other.id, type: 'relates_to' }, at);
      if (!duplicate && id === undefined) return notDone(action, 'they are linked already.');
      if (!duplicate) return done(`Linked with ${reference}.`, { related_issue: reference });
      await noteDuplicate(repositories, { issue: subject, other, shown }, { by: actor.id, at });
      return done(`Closed this issue as a duplicate of ${reference}.`, { canonical_issue_id: other.id });
    };
    return { change: duplicate ? { stateEvent: 'close' } : {}, others: [other.id], step: link };
  }
}

const hide = ({ issue, party }: About, action: QuickAction): PlannedAction => {
  if (issue.confidential) return refused(action, 'this issue is confidential.');
  // Whoever opens an issue may make it confidential.
  if (issue.id !== undefined && !mayChangeConfidentiality(party)) return refused(action, NOT_ALLOWED);
  return planned({ confidential: true }, 'Made this issue confidential.', { confidential: true });
};

const noteDuplicate = async (
  { issues, notes }: IssueActionRepositories,
  { issue, other, shown }: { readonly issue: Acting['subject']; readonly other: Issue; readonly shown: string },
  { by, at }: Pick<Acting, 'by' | 'at'>,
): Promise<void> => {
  await issues.markDuplicate(issue.id, other.id);
  const note = { authorId: by, system: true, createdAt: at };
  await notes.add({ ...note, subjectId: issue.id, body: `marked this issue as a duplicate of ${shown}` });
  // Elsewhere, and of what is confidential, there are people who don't see it.
  if (issue.confidential || issue.projectId !== other.projectId) return;
  await notes.add({ ...note, subjectId: other.id, body: `marked #${issue.iid} as a duplicate of this issue` });
};
