import {
  checkCommitStatus,
  COMMIT_STATUS_WORDS,
  EXTERNAL_STAGE,
  impossibleStep,
  isFinished,
  nextStep,
  type CommitStatus,
  type CommitStatusWord,
  type StatusDetails,
} from '../../domain/pipelines/commit-status.js';
import { codeRefOf, type Pipeline } from '../../domain/pipelines/pipeline.js';
import { branchRef, isRefName, tagRef } from '../../domain/repositories/ref-name.js';
import { Forbidden, Invalid, NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { ContainingRefs } from '../repositories/ports/containing-refs.js';
import type { Commit, StoreName } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { mayRunFor, type Protections } from './operations/ref-rights.js';
import { settlePipeline, type Happening } from './operations/settle-pipeline.js';
import type { LastSaid, PipelineReader, PipelineRepositories } from './ports/pipeline-ports.js';

/** What a program says of a commit. */
export interface SaidStatus extends Partial<StatusDetails> {
  readonly name: string;
  readonly status: CommitStatusWord;
  /** A branch or tag, by its short name. */
  readonly ref?: string;
  readonly pipelineId?: number;
}

/** A commit where it is kept. */
export interface KeptCommit {
  readonly store: StoreName;
  readonly repositoryId: number;
  readonly commit: Pick<Commit, 'id'>;
}

type Needs = PipelineRepositories & { readonly events: DomainEvents };

interface Parts {
  readonly unitOfWork: UnitOfWork<Needs>;
  readonly reader: Pick<PipelineReader, 'newestOf'>;
  readonly refs: RefReader;
  readonly protections: Protections;
  readonly containingRefs: ContainingRefs;
  readonly clock: Clock;
}

type Place = Permitted<'set_commit_statuses'>;

/** The branch or tag that a new pipeline would be of. */
interface NamedRef {
  readonly name: string;
  readonly tag: boolean;
}

const MOST_PIPELINES = 100;
const MOST_CHECKS = 500;
/** What a check said before stays so often. */
const KEPT = 20;
const FULL = {
  pipelines: `A commit has at most ${MOST_PIPELINES} pipelines.`,
  checks: `A pipeline has at most ${MOST_CHECKS} checks.`,
};

/** What programs elsewhere, such as a build server, say of commits. */
export class CommitStatuses {
  constructor(private readonly parts: Parts) {}

  /**
   * @throws Invalid naming every problem; NotPossible for what can't follow what was said, or is too much; NotFound where no branch or tag
   * has the commit, or the pipeline isn't one of it; Forbidden where it has jobs, for who may not have them run.
   */
  async tell(actor: UserActor, place: Place, kept: KeptCommit, said: SaidStatus): Promise<CommitStatus> {
    const { name, targetUrl = null, description = null } = said;
    checkCommitStatus({ name, targetUrl, description });
    const ref = await this.#refFor(place, kept, said);
    const at = this.parts.clock.now();
    return this.parts.unitOfWork.execute(async (repositories) => {
      await repositories.pipelines.hold(place.project.id);
      const pipeline = await pipelineFor(repositories, { place, kept, said, ref, by: actor.id, at });
      await this.#requireRights(actor, place, pipeline);
      const status = await keep(repositories, { pipeline, said, by: actor.id, at });
      await settlePipeline(repositories, pipeline, { by: actor.id, at });
      return status;
    });
  }

  /** What is said decides how a pipeline ends, and what waits for it. One that has no jobs is made of nothing else. */
  async #requireRights(actor: UserActor, place: Place, pipeline: Pipeline): Promise<void> {
    if (pipeline.source === 'external') return;
    if (!(await mayRunFor(this.parts.protections, place, actor, codeRefOf(pipeline)))) throw new Forbidden();
  }

  /** Found out before the transaction, which can't wait for git; undefined where the commit has a pipeline that it goes to. */
  async #refFor({ project }: Place, kept: KeptCommit, said: SaidStatus) {
    const { repositoryId, commit } = kept;
    if (said.pipelineId !== undefined) return undefined;
    if (said.ref !== undefined) return this.#named(repositoryId, said.ref);
    const known = (await this.parts.reader.newestOf(project.id, [commit.id])).get(commit.id);
    if (known !== undefined) return { name: known.sourceBranch ?? known.ref, tag: known.tag };
    const names = (await this.parts.containingRefs.of(kept, commit.id))
      .filter((ref) => ref.startsWith(branchRef('')))
      .map((ref) => ref.slice(branchRef('').length));
    const main = names.find((branch) => branch === project.defaultBranch) ?? names[0];
    return main === undefined ? undefined : { name: main, tag: false };
  }

  async #named(repositoryId: number, name: string): Promise<NamedRef> {
    if (!isRefName(branchRef(name))) throw new Invalid({ ref: ['is invalid'] });
    if ((await this.parts.refs.findRef(repositoryId, branchRef(name))) !== undefined) return { name, tag: false };
    return { name, tag: (await this.parts.refs.findRef(repositoryId, tagRef(name))) !== undefined };
  }
}

interface Telling extends Happening {
  readonly place: Place;
  readonly kept: KeptCommit;
  readonly said: SaidStatus;
  readonly ref: NamedRef | undefined;
}

/** The one that is named, else the newest of the commit, else a new one. */
const pipelineFor = async (repositories: Needs, telling: Telling): Promise<Pipeline> => {
  const { pipelines } = repositories;
  const { place, kept, said, ref, by, at } = telling;
  const { id: projectId } = place.project;
  const sha = kept.commit.id;
  if (said.pipelineId !== undefined) {
    const named = await pipelines.find(said.pipelineId);
    const fits =
      named?.projectId === projectId &&
      named.sha === sha &&
      [undefined, named.ref, named.sourceBranch].includes(said.ref);
    if (!fits) throw new NotFound('Pipeline');
    return named;
  }
  const newest = await pipelines.newest(projectId, sha, said.ref);
  if (newest !== undefined) return newest;
  if (ref === undefined) throw new NotFound('References for commit');
  if ((await pipelines.countOf(projectId, sha, MOST_PIPELINES)) >= MOST_PIPELINES)
    throw new NotPossible(FULL.pipelines);
  const { name, tag } = ref;
  return pipelines.add({ projectId, sha, ref: name, tag, source: 'external', userId: by, createdAt: at });
};

interface Keeping extends Happening {
  readonly pipeline: Pipeline;
  readonly said: SaidStatus;
}

/** What somebody else said of the same check isn't theirs to change: it is said beside it. */
const keep = async ({ commitStatuses }: Needs, { pipeline, said, by, at }: Keeping): Promise<CommitStatus> => {
  const all = await commitStatuses.lastSaid(pipeline.id);
  // What a job comes to isn't anybody's to say.
  const last = all.find(({ name, ofJob }) => name === said.name && !ofJob);
  const step = last === undefined || last.authorId !== by ? 'begins anew' : nextStep(wordOf(last), said.status);
  if (last !== undefined && step === 'impossible') throw new NotPossible(impossibleStep(wordOf(last), said.status));
  const { status, name, pipelineId: _named, ref: _ref, ...details } = said;
  const instants = { ...instantsOf(status, step === 'goes on' ? last : undefined, at), status };
  if (last !== undefined && step === 'goes on') return commitStatuses.goOn(last.id, { ...instants, ...details });
  if (last === undefined && all.length >= MOST_CHECKS) throw new NotPossible(FULL.checks);
  if (last !== undefined) await commitStatuses.outdate(last, pipeline.id, KEPT);
  const nothing = { targetUrl: null, description: null, coverage: null };
  return commitStatuses.add({
    ...{ ...nothing, ...details, ...instants },
    ...{ name, stage: EXTERNAL_STAGE, allowFailure: false },
    ...{ pipelineId: pipeline.id, authorId: by, createdAt: at },
  });
};

/** Programs elsewhere say no other words. */
const wordOf = ({ status }: LastSaid): CommitStatusWord => {
  const word = COMMIT_STATUS_WORDS.find((each) => each === status);
  if (word === undefined) throw new Error(`A check of a program elsewhere is ${status}.`);
  return word;
};

const instantsOf = (status: CommitStatusWord, last: LastSaid | undefined, at: Date) => ({
  startedAt: status === 'running' ? (last?.startedAt ?? at) : (last?.startedAt ?? null),
  finishedAt: isFinished(status) ? at : null,
});
