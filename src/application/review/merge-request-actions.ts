import type { ActionName, QuickAction } from '../../domain/collaboration/quick-action.js';
import {
  isDraft,
  mayChange,
  mayLock,
  retitled,
  type MergeRequest,
  type MergeRequestParty,
} from '../../domain/review/merge-request.js';
import { ConflictInList, DomainError, Forbidden, NotFound } from '../../domain/shared/domain-error.js';
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
import {
  bothChanges,
  MERGE_REQUEST_PLANS,
  planAction,
  planned,
  refused,
  type Plan,
  type PlannedAction,
  type PlannedChange,
} from '../planning/operations/plan-actions.js';
import type { NamedThings } from '../planning/ports/named-things.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import { changeMergeRequest, type ChangeNeeds } from './change-merge-request.js';
import type { BegunMerge } from './automatic-merges.js';
import type { ChangeableMergeRequest } from './visible-merge-request.js';
import { approve, unapprove } from './operations/approve.js';
import { OpenTwin } from './ports/merge-request-ports.js';

export type MergeRequestActionRepositories = ChangeNeeds & CommonActionRepositories;

export interface MergeRequestActionsParts {
  readonly things: NamedThings;
  readonly isEmoji: IsEmoji;
  readonly clock: Clock;
  /** One that somebody may see, in a project that takes changes. @throws NotFound, Forbidden. */
  readonly find: (actor: UserActor, project: string, iid: number) => Promise<ChangeableMergeRequest>;
  /** What keeps it from being opened again, in words; undefined where nothing does. */
  readonly whyNotReopened: (actor: UserActor, mergeRequest: MergeRequest) => Promise<string | undefined>;
  /** Merges the commits that it has. @throws DomainError. */
  readonly merge: (actor: UserActor, found: ChangeableMergeRequest) => Promise<BegunMerge>;
  /** What went wrong, or null. @throws DomainError. */
  readonly rebase: (actor: UserActor, found: ChangeableMergeRequest) => Promise<string | null>;
}

/** What the actions are about; one that is being opened has no id yet. */
interface About {
  readonly mergeRequest: Pick<MergeRequest, 'projectId' | 'title' | 'state' | 'authorId'> &
    Partial<Pick<MergeRequest, 'id'>>;
  readonly party: MergeRequestParty;
}

type Step = (repositories: MergeRequestActionRepositories, acting: Acting) => Promise<ActionOutcome>;

/** Quick actions with all that they name found. */
export interface ReadMergeRequestActions {
  readonly change: PlannedChange;
  /** What they take beyond the change. @returns what became of each. */
  finish(repositories: MergeRequestActionRepositories, id: number): Promise<readonly ActionOutcome[]>;
}

interface ReadAction {
  readonly change: PlannedChange;
  readonly step: Step;
}

const told = ({ change, outcome }: PlannedAction): ReadAction => ({ change, step: () => Promise.resolve(outcome) });

const changeDraft =
  (draft: boolean): Plan =>
  (_, { title }, action) => {
    if (isDraft(title) === draft)
      return refused(action, `this merge request is ${draft ? 'a draft' : 'ready'} already.`);
    const retitle = (before: string) => retitled(before, draft);
    const message = `Marked this merge request as ${draft ? 'a draft' : 'ready'}.`;
    return planned({ retitle }, message, { draft });
  };

const PLANS: Readonly<Partial<Record<ActionName, Plan>>> = {
  ...MERGE_REQUEST_PLANS,
  draft: changeDraft(true),
  ready: changeDraft(false),
};

/** Acts that take units of work of their own. */
const LATER: ReadonlySet<ActionName> = new Set<ActionName>(['merge', 'rebase']);

const DECIDE: Readonly<Partial<Record<ActionName, Step>>> = {
  approve: (repositories, acting) =>
    decide(repositories, acting, approve, [
      'approve',
      'Approved this merge request.',
      'you opened it, you approved it already, or you are below Developer.',
    ]),
  unapprove: (repositories, acting) =>
    decide(repositories, acting, unapprove, ['unapprove', 'Took your approval back.', 'you have not approved it.']),
};

const decide = async (
  repositories: MergeRequestActionRepositories,
  { subject, level, by, at }: Acting,
  act: typeof approve,
  [name, message, why]: readonly [name: 'approve' | 'unapprove', message: string, why: string],
): Promise<ActionOutcome> => {
  const held = await repositories.mergeRequests.take(subject.id);
  const acted = held !== undefined && (await act(repositories, held, { userId: by, level }, at));
  return acted ? done(message, { [name]: true }) : notDone({ name }, why);
};

/** What lines of descriptions and comments ask of merge requests. */
export class MergeRequestActions implements SubjectActions<MergeRequestActionRepositories> {
  readonly kind = 'merge_request';

  constructor(private readonly parts: MergeRequestActionsParts) {}

  async plan(
    actor: UserActor,
    subject: SubjectDetails,
    actions: readonly QuickAction[],
  ): Promise<ActionPlan<MergeRequestActionRepositories>> {
    const found = await this.parts.find(actor, String(subject.projectId), subject.iid ?? 0);
    const { mergeRequest } = found;
    const party = { userId: actor.id, level: found.place.level };
    const now = actions.filter(({ name }) => !LATER.has(name));
    const later = actions.filter(({ name }) => LATER.has(name));
    const read = await this.read(actor, { mergeRequest, party }, now);
    const { change } = read;
    const { id, projectId } = mergeRequest;
    return {
      apply: async (repositories) => {
        const about = { id, projectId, party, at: this.parts.clock.now() };
        // Whoever may not change it has asked for nothing that does.
        if (Object.keys(change).length > 0)
          await changeMergeRequest(repositories, about, change).catch((error: unknown) => {
            throw error instanceof OpenTwin ? new ConflictInList('Another open merge request already exists') : error;
          });
        return read.finish(repositories, id);
      },
      ...(later.length === 0 ? {} : { afterwards: () => this.#doLater(actor, found, later) }),
    };
  }

  async read(actor: UserActor, about: About, actions: readonly QuickAction[]): Promise<ReadMergeRequestActions> {
    const read: ReadAction[] = [];
    for (const action of actions) read.push(await this.#readOne(actor, about, action));
    return {
      change: read.map(({ change }) => change).reduce(bothChanges, {}),
      finish: async (repositories, id) => {
        const held = await repositories.mergeRequests.take(id);
        if (held === undefined) throw new NotFound();
        const subject = { ...held, kind: 'merge_request', confidential: false } as const;
        const { isEmoji, clock } = this.parts;
        const acting = { subject, level: about.party.level, by: actor.id, at: clock.now(), isEmoji };
        const outcomes: ActionOutcome[] = [];
        for (const { step } of read) outcomes.push(await step(repositories, acting));
        return outcomes;
      },
    };
  }

  async #readOne(actor: UserActor, { mergeRequest, party }: About, action: QuickAction): Promise<ReadAction> {
    const mayChangeIt = mayChange(mergeRequest, party);
    if (action.name in PLANS) {
      const why = action.name === 'reopen' && mayChangeIt ? await this.#whyNotReopened(actor, mergeRequest) : undefined;
      if (why !== undefined) return told(refused(action, why));
      const about = {
        actor,
        projectId: mergeRequest.projectId,
        words: 'merge request',
        title: mergeRequest.title,
        state: mergeRequest.state,
        mayChange: mayChangeIt,
        mayAssign: true,
        mayLock: mayLock(party),
        assignable: 'read_merge_requests',
        today: this.parts.clock.now().toISOString().slice(0, 10),
      } as const;
      return told(await planAction(this.parts.things, about, action, PLANS));
    }
    const step: Step = async (repositories, acting) =>
      (await DECIDE[action.name]?.(repositories, acting)) ??
      (await applyCommonAction(repositories, acting, action)) ??
      notDone(action, LATER.has(action.name) ? 'ask for it in a comment.' : 'merge requests don’t know it.');
    return { change: {}, step };
  }

  async #whyNotReopened(actor: UserActor, mergeRequest: About['mergeRequest']): Promise<string | undefined> {
    if (mergeRequest.id === undefined || mergeRequest.state !== 'closed') return undefined;
    return this.parts.whyNotReopened(actor, mergeRequest as MergeRequest);
  }

  async #doLater(
    actor: UserActor,
    found: ChangeableMergeRequest,
    actions: readonly QuickAction[],
  ): Promise<readonly ActionOutcome[]> {
    const outcomes: ActionOutcome[] = [];
    for (const action of actions)
      outcomes.push(await this.#doOneLater(actor, found, action).catch((error: unknown) => toldBy(error, action)));
    return outcomes;
  }

  async #doOneLater(actor: UserActor, found: ChangeableMergeRequest, action: QuickAction): Promise<ActionOutcome> {
    if (action.name === 'merge') {
      const outcome = await this.parts.merge(actor, found);
      if (outcome.outcome === 'waits')
        return done('It is merged once the pipeline of its last commit succeeds.', { merge: true });
      if (outcome.outcome === 'merged') return done('Merged this merge request.', { merge: true });
      return notDone(action, `it can’t be merged now (${outcome.reason}).`);
    }
    const error = await this.parts.rebase(actor, found);
    return error === null ? done('Rebased the source branch.', { rebase: true }) : notDone(action, error);
  }
}

const toldBy = (error: unknown, action: QuickAction): ActionOutcome => {
  if (!(error instanceof DomainError) || error.kind === 'unavailable' || error.kind === 'overloaded') throw error;
  const unexplained = error instanceof Forbidden && error.reason === undefined;
  const isNotTheirs = unexplained || error.kind === 'unauthenticated' || error.kind === 'not_found';
  return notDone(action, isNotTheirs ? NOT_ALLOWED : error.message);
};
