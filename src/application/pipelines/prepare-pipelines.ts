import { tagSetOf } from '../../domain/pipelines/ci-job.js';
import { codeRefOf, COUNTED_SOURCES, type Pipeline, type PipelineStatus } from '../../domain/pipelines/pipeline.js';
import type { CiMap } from '../../domain/pipelines/ci-file/ci-value.js';
import type { PlannedJob } from '../../domain/pipelines/ci-file/plan.js';
import { withEnvironment } from '../../domain/pipelines/job-environment.js';
import { withDownstream } from '../../domain/pipelines/downstream.js';
import { withNeededElsewhere } from '../../domain/pipelines/needed-elsewhere.js';
import { nameUnder } from '../../domain/pipelines/pipeline-name.js';
import { withResourceGroup } from '../../domain/pipelines/resource-group.js';
import { byTags, lackOfRoom } from '../../domain/pipelines/room-for-jobs.js';
import { withTags } from '../../domain/pipelines/job-tags.js';
import { valuesByKey, type CiValue } from '../../domain/pipelines/predefined-variables.js';
import { DEFAULT_BRANCH } from '../../domain/repositories/default-branch.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { Commit, StoreName } from '../repositories/ports/object-stores.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { CiFiles, LeftBy } from './ci-files.js';
import type { FreezePeriods } from './freeze-periods.js';
import { addJobs } from './operations/add-jobs.js';
import { goOnWithPipeline, type JobNeeds } from './operations/go-on-with-pipeline.js';
import type { KnownVariables } from './known-variables.js';
import { isProtectedRef, type NamedRef, type Protections } from './operations/ref-rights.js';
import { settlePipeline } from './operations/settle-pipeline.js';
import type { MergeRequestOfPipeline } from './ports/pipeline-ports.js';
import type { CiVariableSource, KeptVariable } from './ports/ci-variable-source.js';
import type { PipelinePlan, PipelinePlanner, PlanningRequest } from './ports/pipeline-planner.js';

interface Parts {
  readonly protections: Protections;
  readonly known: KnownVariables;
  readonly variables: CiVariableSource;
  readonly planner: PipelinePlanner;
  readonly files: Pick<CiFiles, 'pathAt'>;
  readonly freezePeriods: Pick<FreezePeriods, 'variablesNow'>;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** A commit of a project. */
export interface Code {
  readonly project: Project;
  readonly store: StoreName;
  readonly commit: Commit;
}

/** The job that starts a pipeline, and how many came before that. */
export type UpstreamOfPipeline = Pick<Pipeline, 'depth'> & { readonly bridgeId: number };

/** What a pipeline is to be made for. */
export interface Asked extends NamedRef {
  readonly source: PlanningRequest['source'];
  readonly userId: UserId;
  /** What jobs are given because whoever asks chose it. */
  readonly variables: readonly CiValue[];
  /** What is known beside the commit. */
  readonly known: readonly CiValue[];
  /** Where its branch led before; null where nobody pushed. */
  readonly beforeSha: ObjectId | null;
  readonly scheduleId?: number;
  readonly upstream?: UpstreamOfPipeline;
  /** What its CI file says, in place of the one of its project. */
  readonly text?: string;
  /** What may be included of what jobs of the pipeline that starts it left. */
  readonly leftBy?: LeftBy;
  /** What its CI file is given. */
  readonly inputs?: CiMap;
  /** The merge request that it is for. */
  readonly mergeRequest?: MergeRequestOfPipeline & {
    /** What its changes are counted from; null where everything counts as changed. */
    readonly base: ObjectId | null;
  };
}

/** A pipeline that was found out about, and isn't there yet. */
export interface Prepared extends Omit<Asked, 'known'> {
  readonly project: Pick<Project, 'id' | 'ciConfigPath'>;
  readonly commit: Commit;
  readonly protectedRef: boolean;
  readonly plan: PipelinePlan;
  readonly skip: boolean;
}

/** Whoever starts those sees what the file offers; a job that starts one passes on what it has. */
const CHOSEN_FOR: readonly PlanningRequest['source'][] = ['api', 'web', 'trigger', 'schedule'];
const MOST_PIPELINES = 100;
const TOO_MANY_PIPELINES = `A commit has at most ${MOST_PIPELINES} pipelines.`;
const SKIPPED = /\[(?:ci[ _-]skip|skip[ _-]ci)\]/i;

type Planned = Extract<PipelinePlan, { readonly outcome: 'planned' }>;

interface Values {
  readonly kept: readonly KeptVariable[];
  readonly given: readonly CiValue[];
}

/** Everybody sees what they are put into. */
const shownOf = (kept: readonly KeptVariable[]): readonly CiValue[] =>
  kept.filter(({ masked }) => !masked).map(({ key, value }) => ({ key, value }));

/**
 * A job whose environment, what it shares, its tags and what it starts are called as they are under these values. Everybody sees tags, and others
 * what is started: what is masked stays out of them.
 */
const named = (job: PlannedJob, known: readonly CiValue[], { kept, given }: Values): PlannedJob => {
  const shown = [...shownOf(kept), ...given];
  const inPlace = withResourceGroup(withEnvironment(job, known, given), known, given);
  return withNeededElsewhere(withDownstream(withTags(inPlace, known, shown), known, shown), known, shown);
};

/** A plan whose pipeline and jobs are called as they are under these values. */
const withNames = (planned: Planned, known: readonly CiValue[], values: Values): PipelinePlan => {
  const { kept, given } = values;
  const found = nameUnder(planned.name, [...known, ...planned.variables, ...shownOf(kept), ...given]);
  return 'problem' in found
    ? { outcome: 'broken', errors: [found.problem] }
    : { ...planned, name: found.name, jobs: planned.jobs.map((job) => named(job, known, values)) };
};

/** Whether the message of a commit asks for no jobs. */
export const asksToSkip = ({ message }: Pick<Commit, 'message'>): boolean => SKIPPED.test(message);

/** Finds out what the CI file of a commit asks for, and keeps it as a pipeline. */
export class PreparePipelines {
  constructor(private readonly parts: Parts) {}

  async prepare({ project, store, commit }: Code, { known: beside, ...wanted }: Asked): Promise<Prepared> {
    const variables = [...wanted.variables, ...(await this.parts.freezePeriods.variablesNow(project.id))];
    const asked = { ...wanted, variables };
    const { source, beforeSha, mergeRequest, text, inputs, leftBy } = asked;
    const sourceBranch = mergeRequest?.sourceBranch ?? null;
    const { ref, tag } = codeRefOf({ ...asked, sourceBranch });
    // What is kept for protected branches isn't for what is only proposed to them.
    const protectedRef =
      mergeRequest === undefined && (await isProtectedRef(this.parts.protections, project.id, { ref, tag }));
    const place = { store, commit, configPath: project.ciConfigPath };
    const configPath = await this.parts.files.pathAt(place);
    const facts = { project, commit, ref, tag, source, beforeSha, sourceBranch, protectedRef, configPath };
    const known = [...(await this.parts.known.of(facts, asked.userId)), ...beside];
    const kept = await this.parts.variables.variablesFor(project.id, { protectedRef });
    const planned = await this.parts.planner.plan({
      ...{ ...place, projectId: project.id, ref, tag, source, userId: asked.userId },
      ...(text !== undefined && { text }),
      ...(inputs && { inputs }),
      ...(CHOSEN_FOR.includes(source) && { chosen: variables }),
      ...(leftBy && { leftBy }),
      defaultBranch: project.defaultBranch ?? DEFAULT_BRANCH,
      variables: valuesByKey([...known, ...kept, ...variables]),
      shown: valuesByKey([...known, ...kept.filter(({ masked }) => !masked), ...variables]),
      before: mergeRequest === undefined ? beforeSha : mergeRequest.base,
    });
    const plan = planned.outcome === 'planned' ? withNames(planned, known, { kept, given: variables }) : planned;
    return { ...asked, project, commit, protectedRef, plan, skip: false };
  }

  /** Why there may not be one more, in words. Until the transaction ends nobody else makes one. */
  async excessOf(
    { pipelines, ciJobs }: JobNeeds,
    { project, commit, source, plan }: Prepared,
  ): Promise<string | undefined> {
    await pipelines.hold(project.id);
    const counts = COUNTED_SOURCES.includes(source);
    if (counts && (await pipelines.countOf(project.id, commit.id, MOST_PIPELINES)) >= MOST_PIPELINES)
      return TOO_MANY_PIPELINES;
    if (plan.outcome !== 'planned') return undefined;
    return lackOfRoom(await ciJobs.goingOn(project.id), byTags(plan.jobs.map(({ tags }) => tagSetOf(tags))));
  }

  /** Makes one that nobody waits for: with too many jobs it has failed, and says so. The pipelines of the project are held. */
  async storeUnasked(repositories: JobNeeds, prepared: Prepared): Promise<void> {
    const excess = await this.excessOf(repositories, prepared);
    if (excess === TOO_MANY_PIPELINES) return;
    const { plan, skip } = prepared;
    const stored = excess === undefined || skip ? plan : ({ outcome: 'broken', errors: [excess] } as const);
    await this.store(repositories, { ...prepared, plan: stored });
  }

  /** The pipelines of the project are held. */
  async store(repositories: JobNeeds, prepared: Prepared): Promise<Pipeline> {
    const { project, commit, ref, tag, source, userId, beforeSha, mergeRequest, ...rest } = prepared;
    const { protectedRef, variables, plan, skip } = rest;
    const at = this.parts.clock.now();
    const pipeline = await repositories.pipelines.add({
      ...{ projectId: project.id, sha: commit.id, ref, tag, source, userId, createdAt: at, beforeSha },
      ...(mergeRequest && { mergeRequest }),
      configPath: project.ciConfigPath,
      scheduleId: prepared.scheduleId ?? null,
      bridgeId: prepared.upstream?.bridgeId ?? null,
      depth: prepared.upstream?.depth ?? 0,
      ...ofPlan(plan),
      sealedVariables: variables.length === 0 ? null : this.parts.box.seal(JSON.stringify(variables)),
    });
    const jobs = plan.outcome === 'planned' && !skip ? plan.jobs : [];
    if (jobs.length === 0) return settlePipeline(repositories, pipeline, { by: userId, at }, withoutJobs(skip));
    const common = { projectId: project.id, protectedRef, userId, createdAt: at };
    await addJobs(
      repositories,
      pipeline.id,
      jobs.map((definition) => ({ ...common, definition })),
    );
    return goOnWithPipeline(repositories, pipeline, { by: userId, at });
  }
}

/** What is kept of a plan beside its jobs. */
const ofPlan = (plan: PipelinePlan): Partial<Pick<Pipeline, 'yamlErrors' | 'name' | 'failsAtOnce'>> => {
  if (plan.outcome === 'broken') return { yamlErrors: plan.errors.join('\n') };
  return plan.outcome === 'planned' ? { name: plan.name, failsAtOnce: plan.autoCancel.onJobFailure === 'all' } : {};
};

const withoutJobs = (skip: boolean): PipelineStatus => (skip ? 'skipped' : 'failed');
