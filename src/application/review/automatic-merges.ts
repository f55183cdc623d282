import { branchRights } from '../../domain/repositories/protected-ref.js';
import { decideMerge, type MergeFacts, type MergeRefusal } from '../../domain/review/merge-decision.js';
import { Conflict, Forbidden, NotFound, Unauthenticated } from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { NewNote, NoteRepository } from '../collaboration/ports/note-ports.js';
import type { PipelineRepository } from '../pipelines/ports/pipeline-ports.js';
import type { ProtectedRefRepository } from '../repositories/ports/repository-repositories.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { requireSha } from './approvals.js';
import { lookedAt, type LookingParts } from './looked-at.js';
import { NotDue, type Committer, type MergeChanges, type MergeCommand, type MergeOutcome } from './merge-changes.js';
import { factsOf, standingOf } from './operations/facts.js';
import { isSameWish } from './operations/same-wish.js';
import type {
  AutomaticMerge,
  AutomaticMergeRepository,
  MergeRequestDetails,
  MergeRequestRepository,
} from './ports/merge-request-ports.js';
import type { ChangeableMergeRequest } from './visible-merge-request.js';

interface Needs {
  readonly mergeRequests: MergeRequestRepository;
  readonly automaticMerges: AutomaticMergeRepository;
  readonly pipelines: Pick<PipelineRepository, 'hold'>;
  readonly notes: Pick<NoteRepository, 'add'>;
}

interface Parts extends LookingParts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly mergeChanges: MergeChanges;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf'>;
  /** Somebody who isn't asking, with the rights and the name that they have now; undefined for who may not sign in any more. */
  readonly committerBy: (id: UserId) => Promise<Committer | undefined>;
  readonly findToChange: (actor: UserActor, projectId: ProjectId, iid: number) => Promise<ChangeableMergeRequest>;
  readonly clock: Clock;
}

/** What came of asking for a merge: now, or once the pipeline has succeeded. */
export type BegunMerge = MergeOutcome | { readonly outcome: 'waits' };

/** Merges that wait for the pipeline of the newest commit. */
export class AutomaticMerges {
  constructor(private readonly parts: Parts) {}

  /**
   * Merges at once where the pipeline has succeeded, or there is none.
   * @throws Unauthenticated for who may not merge into that branch; Conflict when there are other commits than `sha`.
   */
  async begin(actor: Committer, visible: ChangeableMergeRequest, command: MergeCommand): Promise<BegunMerge> {
    const awaited = await this.parts.reader.awaitsPipeline(visible.mergeRequest.id);
    const mergeRequest = await lookedAt(this.parts, visible.mergeRequest.id);
    await this.#requireRights(actor, visible, mergeRequest);
    // In a moment it is known whether there is anything to wait for.
    if (awaited && mayGetPipeline(mergeRequest))
      return { outcome: 'refused', reason: 'ci_still_running', conflicts: mergeRequest.conflicts };
    const facts = factsOf(mergeRequest);
    const running = facts.pipeline === 'running';
    const reason = decideMerge(running ? { ...facts, pipeline: 'success' } : whereItMustSucceed(facts));
    if (reason !== undefined && (running || reason === 'ci_must_pass'))
      return { outcome: 'refused', reason, conflicts: mergeRequest.conflicts };
    // A push in this moment brings a commit for which no pipeline has succeeded.
    const sha = command.sha ?? mergeRequest.sourceSha;
    const seen = { ...command, ...(sha !== null && { sha }) };
    if (!running) return this.parts.mergeChanges.execute(actor, visible, seen);
    requireSha(sha ?? undefined, mergeRequest.sourceSha);
    const waits = await this.#wait(actor, mergeRequest, seen);
    // Its pipeline has ended meanwhile, or it is another than they looked at: that decides.
    return waits ? { outcome: 'waits' } : this.begin(actor, visible, seen);
  }

  /** False where nothing waited. @throws Unauthenticated for who may not merge into that branch. */
  async cancel(actor: UserActor, visible: ChangeableMergeRequest): Promise<boolean> {
    const { id } = visible.mergeRequest;
    await this.#requireRights(actor, visible, visible.mergeRequest);
    const at = this.parts.clock.now();
    return this.parts.unitOfWork.execute(async ({ mergeRequests, automaticMerges }) => {
      await mergeRequests.take(id);
      const waited = await automaticMerges.remove(id);
      if (waited) await mergeRequests.update(id, {}, at);
      return waited;
    });
  }

  /** Merges one that waited, where its pipeline has succeeded. What keeps it from being merged then is told as its error. */
  async run(id: number): Promise<void> {
    const merge = await this.parts.unitOfWork.execute(({ automaticMerges }) => automaticMerges.find(id));
    if (merge === undefined) return;
    const mergeRequest = await lookedAt(this.parts, id);
    if (mergeRequest.state !== 'opened' || mergeRequest.sourceSha !== merge.sha) return this.#giveUp(merge, null);
    if (standingOf(mergeRequest.pipeline) !== 'success') return;
    const refusal = await this.#attempt(merge, mergeRequest);
    if (refusal !== undefined)
      await this.#giveUp(merge, `It was not merged when its pipeline had succeeded: ${refusal}`);
  }

  /**
   * Ends waits for pipelines that don't go on, since CI was switched off meanwhile: whoever asked wanted nothing merged that wasn't
   * checked. Answers how many.
   */
  async giveUpWithoutCi(): Promise<number> {
    const { unitOfWork, clock } = this.parts;
    const waits = await unitOfWork.execute(({ automaticMerges }) => automaticMerges.withoutCi(GIVEN_UP_AT_ONCE));
    for (const wait of waits) {
      const said = { body: WITHOUT_CI.note, system: true, createdAt: clock.now() };
      await this.#giveUp(wait, WITHOUT_CI.error, { ...said, subjectId: wait.mergeRequestId, authorId: wait.userId });
    }
    return waits.length;
  }

  async #requireRights({ admin }: UserActor, { place }: ChangeableMergeRequest, { targetBranch }: MergeRequestDetails) {
    const rules = await this.parts.protections.branchesOf(place.project.id);
    if (!branchRights(targetBranch, rules, { level: place.level, admin }).merge) throw new Unauthenticated();
  }

  /** False where the pipeline has ended meanwhile: whoever ends one finds what waits for it. */
  async #wait({ id: userId }: UserActor, seen: MergeRequestDetails, command: MergeCommand) {
    const { id, projectId, sourceProjectId, sourceSha: sha, targetBranch } = seen;
    if (sha === null) return false;
    const { sha: _seen, ...options } = command;
    const createdAt = this.parts.clock.now();
    return this.parts.unitOfWork.execute(async ({ pipelines, mergeRequests, automaticMerges }) => {
      // Either may have the one that counts.
      await pipelines.hold(projectId, sourceProjectId ?? projectId);
      const held = await mergeRequests.take(id);
      const still = held?.state === 'opened' && held.sourceSha === sha && held.targetBranch === targetBranch;
      if (!still || standingOf(await mergeRequests.pipelineOf(id)) !== 'running') return false;
      await automaticMerges.set({ mergeRequestId: id, userId, sha, options, createdAt });
      await mergeRequests.update(id, {}, createdAt);
      return true;
    });
  }

  /** Why it could not be merged, in words; undefined where it was, or isn't to be now. */
  async #attempt(wish: AutomaticMerge, seen: MergeRequestDetails): Promise<string | undefined> {
    const { userId, sha, options } = wish;
    const committer = await this.parts.committerBy(userId);
    if (committer === undefined) return GONE;
    try {
      const visible = await this.parts.findToChange(committer, seen.projectId, seen.iid);
      const outcome = await this.parts.mergeChanges.execute(committer, visible, { ...options, sha, wish });
      return outcome.outcome === 'merged' ? undefined : REASONS[outcome.reason];
    } catch (error) {
      if (error instanceof NotDue) return undefined;
      if (error instanceof Conflict) return REASONS.unchecked;
      if (error instanceof Unauthenticated || error instanceof Forbidden || error instanceof NotFound) return GONE;
      throw error;
    }
  }

  /** What was asked for since is left alone. */
  async #giveUp(wish: AutomaticMerge, error: string | null, note?: NewNote): Promise<void> {
    const { mergeRequestId: id } = wish;
    await this.parts.unitOfWork.execute(async ({ mergeRequests, automaticMerges, notes }) => {
      await mergeRequests.take(id);
      if (!isSameWish(wish, await automaticMerges.find(id))) return;
      await automaticMerges.remove(id);
      if (error !== null) await mergeRequests.saveError(id, error);
      if (note !== undefined) await notes.add(note);
    });
  }
}

const mayGetPipeline = ({ pipeline, runsCi }: MergeRequestDetails): boolean => pipeline === null && runsCi;

/** Whoever waits for a pipeline wants nothing merged that failed, even where its project would let it be. */
const whereItMustSucceed = (facts: MergeFacts): MergeFacts => ({
  ...facts,
  rules: { ...facts.rules, pipelineMustSucceed: facts.rules.pipelineMustSucceed || facts.pipeline !== null },
});

const GIVEN_UP_AT_ONCE = 100;
const WITHOUT_CI = {
  error: 'It was not merged by itself: CI was switched off before its pipeline had succeeded.',
  note: 'aborted the automatic merge because CI was switched off',
};

const GONE = 'whoever asked for it may not merge it any more.';

/** Undefined for what the wait goes on for: its pipeline was run again meanwhile. */
const REASONS: Readonly<Record<MergeRefusal, string | undefined>> = {
  not_open: 'it was not open.',
  draft_status: 'it was a draft.',
  commits_status: 'one of its branches was gone, or had nothing new.',
  discussions_not_resolved: 'a thread was not resolved.',
  ci_must_pass: undefined,
  ci_still_running: undefined,
  not_approved: 'it needed more approvals.',
  unchecked: 'its branches had moved.',
  conflict: 'it had conflicts.',
  need_rebase: 'its target branch had moved on.',
};
