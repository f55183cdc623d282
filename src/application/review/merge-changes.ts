import type { Signature } from '../../domain/repositories/object-format.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import { branchRights, type RefChanger } from '../../domain/repositories/protected-ref.js';
import type { ExaminedChange, PushRefusal } from '../../domain/repositories/push-decision.js';
import { branchRef } from '../../domain/repositories/ref-name.js';
import { decideMerge, type MergeRefusal, type PipelineStanding } from '../../domain/review/merge-decision.js';
import { squashes } from '../../domain/review/merge-request.js';
import { mergeMessage } from '../../domain/review/merge-message.js';
import { Forbidden, Overloaded, Unauthenticated } from '../../domain/shared/domain-error.js';
import { isKnownIn } from '../../domain/shared/known-in.js';
import { seenFor } from '../../domain/workspace/workspace-policy.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { changeIncidents, type IncidentChange, type IncidentRepositories } from '../planning/operations/incidents.js';
import type { ChangeCode, CodeDraft } from '../repositories/operations/change-code.js';
import type { ChangingRepositories } from '../repositories/operations/move-refs-within.js';
import type { HistoryReader, Merger, ObjectReader } from '../repositories/ports/object-stores.js';
import type { ProtectedRefRepository } from '../repositories/ports/repository-repositories.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import { requireSha } from './approvals.js';
import type { InTurn } from './in-turn.js';
import type { LookAtBranches } from './look-at-branches.js';
import type { ChangeableMergeRequest, VisibleMergeRequest } from './visible-merge-request.js';
import type { FoundIssue } from './ports/issue-finder.js';
import { lookedAt } from './looked-at.js';
import type { NamedIssues } from './named-issues.js';
import { factsOf, standingWhile } from './operations/facts.js';
import { isSameWish } from './operations/same-wish.js';
import type {
  AutomaticMerge,
  MergeOptions,
  MergeRequestDetails,
  MergeRequestReader,
  NamedIssue,
  ReviewRepositories,
} from './ports/merge-request-ports.js';
import type { RefreshMergeRequests } from './refresh-merge-requests.js';

/** Whoever merges: commits name them. */
export type Committer = UserActor & Pick<Signature, 'name' | 'email'>;

export interface MergeCommand extends MergeOptions {
  /** The commit that they looked at. */
  readonly sha?: string;
  /** The wish that is fulfilled, by nobody who is asking now. */
  readonly wish?: AutomaticMerge;
}

export type MergeOutcome =
  | { readonly outcome: 'merged' }
  | { readonly outcome: 'refused'; readonly reason: MergeRefusal; readonly conflicts: readonly string[] };

export type MergingNeeds = ReviewRepositories & ChangingRepositories & IncidentRepositories;

interface Parts {
  readonly changeCode: ChangeCode<MergingNeeds>;
  readonly reader: MergeRequestReader;
  readonly refresh: RefreshMergeRequests;
  readonly look: LookAtBranches;
  readonly namedIssues: NamedIssues;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf'>;
  readonly objects: ObjectReader;
  readonly history: HistoryReader;
  readonly merger: Merger;
  /** How commits name somebody; undefined once they are gone. */
  readonly signatureOf: (id: UserId) => Promise<Pick<Signature, 'name' | 'email'> | undefined>;
  readonly turns: InTurn<number>;
  readonly clock: Clock;
}

/** All that one attempt is made of. */
interface Attempt {
  readonly actor: Committer;
  readonly changer: RefChanger;
  readonly place: VisibleMergeRequest['place'];
  readonly mergeRequest: MergeRequestDetails;
  readonly command: MergeCommand;
  readonly source: ObjectId;
  readonly target: ObjectId;
}

/** What is to be committed, and what is then said of it. */
interface Made {
  readonly head: ObjectId;
  readonly mergeCommitSha: ObjectId | null;
  readonly squashCommitSha: ObjectId | null;
}

interface Closed {
  readonly named: readonly NamedIssue[];
  readonly issues: readonly FoundIssue[];
}

/** Undoes a unit of work for which something has changed since it was prepared. */
class Overtaken extends Error {}

/** Undoes the merge of a wish that was taken back since, or whose pipeline has not succeeded after all. */
export class NotDue extends Error {}

/** Others may be quicker, on other nodes too: each time everything is looked at again. */
const MOST_ATTEMPTS = 30;
const RETRY_AFTER_SECONDS = 2;
/** A branch of more commits counts as one of several authors. */
const MOST_AUTHORED = 500;
const MAY_NOT_MERGE: ReadonlySet<PushRefusal> = new Set<PushRefusal>(['may_not_push', 'protected_branch_pushed']);

/**
 * Merges. Commits are made outside every unit of work; then one unit of work moves the refs, if they are where they were, and changes
 * the rows, and tells what happened.
 */
export class MergeChanges {
  constructor(private readonly parts: Parts) {}

  /**
   * @throws Unauthenticated for who may not merge into that branch; Conflict when there are other commits than `sha`; NotDue for a wish
   * that isn't to be fulfilled now.
   */
  execute(actor: Committer, visible: ChangeableMergeRequest, command: MergeCommand): Promise<MergeOutcome> {
    return this.parts.turns.during(visible.mergeRequest.projectId, () => this.#merge(actor, visible, command));
  }

  async #merge(actor: Committer, { mergeRequest: { id }, place }: ChangeableMergeRequest, command: MergeCommand) {
    const changer = { level: place.level, admin: actor.admin };
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      // Whoever merges just after a push doesn't get ahead of the CI file. Asked first: once that has been read, its pipeline is there.
      const awaited = await this.parts.reader.awaitsPipeline(id);
      const mergeRequest = await lookedAt(this.parts, id);
      const rules = await this.parts.protections.branchesOf(place.project.id);
      if (!branchRights(mergeRequest.targetBranch, rules, changer).merge) throw new Unauthenticated();
      const pipeline = standingWhile(awaited, mergeRequest.pipeline);
      const reason = decideMerge({ ...factsOf(mergeRequest), pipeline });
      // Its branches moved each time that they were looked at.
      if (reason === 'unchecked') continue;
      if (reason !== undefined) return { outcome: 'refused', reason, conflicts: mergeRequest.conflicts } as const;
      requireSha(command.sha, mergeRequest.sourceSha);
      const tips = await this.parts.look.tips(mergeRequest);
      if (tips?.target == null || tips.source !== mergeRequest.sourceSha || tips.source === null) {
        await this.parts.refresh.execute(id);
        continue;
      }
      const { target, source } = tips;
      if (await this.#attempt({ actor, changer, place, mergeRequest, command, source, target }))
        return { outcome: 'merged' } as const;
    }
    throw new Overloaded(RETRY_AFTER_SECONDS);
  }

  /** False when something has changed meanwhile. */
  #attempt(attempt: Attempt): Promise<boolean> {
    const { changeCode } = this.parts;
    const { actor, changer, place, mergeRequest, source, target } = attempt;
    return changeCode.during(place.project.id, async (drafted) => {
      const closed = await this.#closedBy(attempt);
      const made = await this.#make(drafted, attempt, closed.named);
      if (made === undefined) return false;
      const removed = await this.#removesSource(attempt);
      const moved = { ref: branchRef(mergeRequest.targetBranch), from: target, to: made.head };
      const gone = { ref: branchRef(mergeRequest.sourceBranch), from: source, to: null, fastForward: true };
      const changes: readonly ExaminedChange[] = [
        { ...moved, type: 'commit', fastForward: true },
        ...(removed === 'here' ? [gone] : []),
      ];
      const landing = { changes, changer, by: 'merge', userId: actor.id } as const;
      try {
        const outcome = await changeCode.land(drafted, landing, (repositories) =>
          this.#record(repositories, attempt, made, { removed, issues: closed.issues }),
        );
        // What was permitted a moment ago isn't any more.
        if (outcome.refused !== undefined) throw refusalFor(outcome.refused);
        return outcome.failures.size === 0;
      } catch (error) {
        if (error instanceof Overtaken) return false;
        throw error;
      }
    });
  }

  /** Undefined where they can't be merged after all. */
  async #make(
    drafted: CodeDraft,
    { actor, mergeRequest, command, source, target, place }: Attempt,
    closing: readonly NamedIssue[],
  ): Promise<Made | undefined> {
    const { objects, history, changeCode } = this.parts;
    const { store } = drafted.repository;
    const base = await history.mergeBase(store, [target, source]);
    const tip = await objects.commit(store, source);
    if (base === undefined || tip === undefined) return undefined;
    const committer = { name: actor.name, email: actor.email, at: this.parts.clock.now(), offset: 0 };
    const who = { author: committer, committer };
    const squash = async (): Promise<ObjectId> => {
      const author = { ...committer, ...(await this.#authorOf(store, mergeRequest, { source, target })) };
      const message = command.squashMessage ?? mergeRequest.title;
      return changeCode.commit(drafted, { author, committer, tree: tip.tree, parents: [base], message });
    };
    const squashCommitSha = isSquashed(mergeRequest, command, tip.message) ? await squash() : null;
    const head = squashCommitSha ?? source;
    if (mergeRequest.rules.method === 'ff')
      return base === target ? { head, mergeCommitSha: null, squashCommitSha } : undefined;
    const tree = base === target ? tip.tree : await this.#mergedTree(store, target, source);
    if (tree === undefined) return undefined;
    const message =
      command.message ?? mergeMessage(mergeRequest, place.project.fullPath, referencesTo(closing, mergeRequest));
    const mergeCommitSha = await changeCode.commit(drafted, { ...who, tree, parents: [target, head], message });
    return { head: mergeCommitSha, mergeCommitSha, squashCommitSha };
  }

  /** Whose work a squashed commit is: that of the one author of its commits, of several that of whoever opened the merge request. */
  async #authorOf(
    store: string,
    { author }: MergeRequestDetails,
    { source, target }: Pick<Attempt, 'source' | 'target'>,
  ): Promise<Pick<Signature, 'name' | 'email'> | undefined> {
    const commits = await this.parts.history.log(store, { tips: [source], not: [target], limit: MOST_AUTHORED });
    const [first, ...others] = commits.filter(({ parents }) => parents.length < 2).map((commit) => commit.author);
    const alone = commits.length < MOST_AUTHORED && others.every(({ email }) => email === first?.email);
    if (first !== undefined && alone) return { name: first.name, email: first.email };
    return author === null ? undefined : this.parts.signatureOf(author.id);
  }

  async #mergedTree(store: string, target: ObjectId, source: ObjectId): Promise<ObjectId | undefined> {
    const result = await this.parts.merger.merge(store, target, source);
    return result.outcome === 'merged' ? result.tree : undefined;
  }

  /** What else is true once the refs have moved. @throws Overtaken. */
  async #record(
    repositories: MergingNeeds,
    { actor, place, mergeRequest, command, source }: Attempt,
    { mergeCommitSha, squashCommitSha }: Made,
    { removed, issues }: { readonly removed: Removal; readonly issues: readonly FoundIssue[] },
  ): Promise<void> {
    const { mergeRequests, automaticMerges, events, codeWorks } = repositories;
    const { id, sourceProjectId, sourceBranch: branch } = mergeRequest;
    const at = this.parts.clock.now();
    const held = await mergeRequests.take(id);
    const approvals = await mergeRequests.countApprovals(id, at.toISOString().slice(0, 10));
    const unresolvedDiscussions = await mergeRequests.hasOpenDiscussions(id);
    const awaited = mergeRequest.rules.pipelineMustSucceed && (await mergeRequests.awaitsPipeline(id));
    const pipeline = standingWhile(awaited, await mergeRequests.pipelineOf(id));
    await requireDue(repositories, command.wish, pipeline);
    const now = held && { ...factsOf(mergeRequest), mergeRequest: held, approvals, unresolvedDiscussions, pipeline };
    if (now === undefined || held?.sourceSha !== source || decideMerge(now) !== undefined) throw new Overtaken();
    const asked = command.removeSourceBranch ?? held.removeSourceBranch;
    const merged = { mergeCommitSha, squashCommitSha, sourceBranchRemoved: asked, by: actor.id };
    if (!(await mergeRequests.merge(id, merged, at))) throw new Overtaken();
    await automaticMerges.remove(id);
    await events.publish({ kind: 'merge_request_merged', mergeRequest: held, by: actor.id, at });
    const closing = issues.map(({ issue, project }) => ({ issue, ...closingWords(mergeRequest, place, project) }));
    await closeIssues(repositories, closing, { by: actor.id, at });
    if (removed !== 'elsewhere' || sourceProjectId === null) return;
    const payload = { projectId: sourceProjectId, branch, expected: source };
    await codeWorks.add({ kind: 'remove_branch', projectId: held.projectId, userId: actor.id, payload }, at);
  }

  /** Only what reaches the default branch closes issues, and only those that whoever merges may close. */
  async #closedBy({ actor, mergeRequest, place: { project } }: Attempt): Promise<Closed> {
    if (!project.merging.autocloseIssues || mergeRequest.targetBranch !== project.defaultBranch)
      return { named: [], issues: [] };
    const named = await this.parts.reader.closedIssues(mergeRequest.id);
    const seen = await this.parts.namedIssues.see(actor, project, named);
    const issues = seen.filter(({ mayClose }) => mayClose);
    return { named, issues: issues.sort((one, other) => one.issue.id - other.issue.id) };
  }

  async #removesSource({ changer, mergeRequest, command, place: { project } }: Attempt): Promise<Removal> {
    const { projectId, sourceProjectId, sourceBranch } = mergeRequest;
    if (!(command.removeSourceBranch ?? mergeRequest.removeSourceBranch ?? false)) return 'stays';
    // In a fork, too: whoever opened the merge request may want what they may not do, and the merger's rights are lent to nobody.
    const rules = await this.parts.protections.branchesOf(sourceProjectId ?? projectId);
    if (branchRights(sourceBranch, rules, changer).protected) return 'stays';
    if (sourceProjectId !== projectId) return 'elsewhere';
    return sourceBranch === project.defaultBranch ? 'stays' : 'here';
  }
}

/** Whoever merges without a wish wants it now. @throws NotDue. */
const requireDue = async (
  { automaticMerges }: Pick<ReviewRepositories, 'automaticMerges'>,
  wish: AutomaticMerge | undefined,
  pipeline: PipelineStanding,
): Promise<void> => {
  if (wish === undefined) return;
  const now = await automaticMerges.find(wish.mergeRequestId);
  if (pipeline !== 'success' || !isSameWish(wish, now)) throw new NotDue();
};

/** Who may not merge by now is told so as if they never might. */
const refusalFor = (reasons: readonly PushRefusal[]): Forbidden | Unauthenticated =>
  reasons.some((reason) => MAY_NOT_MERGE.has(reason)) ? new Unauthenticated() : new Forbidden();

/** What becomes of the source branch: it goes with the merge, or, in a fork, afterwards. */
type Removal = 'stays' | 'here' | 'elsewhere';

/** One commit is one already, unless it is to say something else. */
const isSquashed = (
  { squash, ahead, rules }: MergeRequestDetails,
  { squash: wanted = squash, squashMessage: message }: MergeCommand,
  said: string,
): boolean => squashes(rules.squash, wanted) && (ahead > 1 || isOther(message, said));

/** Git ends a message with a new line, whoever sends one may not. */
const isOther = (message: string | undefined, said: string): boolean =>
  message !== undefined && message.trimEnd() !== said.trimEnd();

const referencesTo = (named: readonly NamedIssue[], { projectId }: MergeRequestDetails): readonly string[] =>
  named.map((issue) => `${issue.projectId === projectId ? '' : issue.projectPath}#${issue.iid}`);

/** In full: the issue may be another project's, where not everybody may know of this one. */
const closingWords = (
  { id, projectPath, iid }: MergeRequestDetails,
  { project }: VisibleMergeRequest['place'],
  seenIn: FoundIssue['project'],
): ClosingWords =>
  isKnownIn(seenFor(project, 'read_merge_requests'), seenFor(seenIn, 'read_issues'))
    ? { note: `closed via merge request ${projectPath}!${iid}`, cause: { mergeRequestId: id } }
    : { note: 'closed via a merge request of another project' };

type ClosingWords = Pick<IncidentChange, 'note' | 'cause'>;

const closeIssues = async (
  repositories: MergingNeeds,
  closing: readonly ({ readonly issue: FoundIssue['issue'] } & ClosingWords)[],
  { by, at }: { readonly by: UserId; readonly at: Date },
): Promise<void> => {
  if (closing.length === 0) return;
  // Whatever is locked before issues is locked first.
  await repositories.events.publish(...closing.map(({ issue }) => ({ kind: 'issue_ending', issue, by, at }) as const));
  const changes = closing.map(({ issue: { id }, ...words }) => ({ id, ...words, by, at }));
  await repositories.events.publish(...(await changeIncidents(repositories, 'closed', changes)));
};
