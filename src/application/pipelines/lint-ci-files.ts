import type { CiConfig, CiJob, CiReading } from '../../domain/pipelines/ci-file/ci-config.js';
import { comparedRefs } from '../../domain/pipelines/ci-file/compared-refs.js';
import type { Circumstances, PlannedJob } from '../../domain/pipelines/ci-file/plan.js';
import { planJobs } from '../../domain/pipelines/ci-file/plan-jobs.js';
import { valuesByKey } from '../../domain/pipelines/predefined-variables.js';
import { DEFAULT_BRANCH } from '../../domain/repositories/default-branch.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { Commit } from '../repositories/ports/object-stores.js';
import type { ChangedPaths, Problem } from './changed-paths.js';
import type { CiFilePlace, CiFiles, CommitPlace, Reader } from './ci-files.js';
import type { KnownVariables } from './known-variables.js';
import { isProtectedRef, type Protections } from './operations/ref-rights.js';
import type { WriteYaml } from './ports/write-yaml.js';

/** A job that is made, with the one of the file that it is made of; without circumstances none is made, and all are told. */
export interface LintedJob {
  readonly job: CiJob;
  readonly planned: PlannedJob | undefined;
}

/** What is to be said of a CI file. */
export interface Lint {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The whole file; null where it can't be had. */
  readonly mergedYaml: string | null;
  readonly jobs: readonly LintedJob[];
}

/** The pipeline that would be made of a branch or tag. */
export interface TriedPipeline extends CommitPlace {
  readonly commit: Commit;
  readonly ref: string;
  readonly tag: boolean;
  readonly project: Project;
  /** As whom it is tried; null where nobody is signed in. */
  readonly userId: UserId | null;
}

/** Where a text is read: without a commit no file is there to include. */
export interface LintedPlace extends Pick<Reader, 'reach' | 'fetch'> {
  readonly at?: CiFilePlace | undefined;
  /** Whose file it is. */
  readonly project?: Project;
}

/** Says what is wrong with CI files, and what they would do. */
export class LintCiFiles {
  constructor(
    private readonly files: CiFiles,
    private readonly writeYaml: WriteYaml,
    private readonly known: KnownVariables,
    private readonly protections: Protections,
    private readonly changedPaths: ChangedPaths,
  ) {}

  /** @param tried where a pipeline is to be planned as well. @throws Unavailable. */
  async lint(text: string, { at, project, ...place }: LintedPlace = {}, tried?: TriedPipeline): Promise<Lint> {
    const variables = tried && (await this.#variablesOf(tried));
    const known = tried && variables && this.#knownOf(tried, variables);
    const named = variables ?? valuesByKey(this.known.ofPlace(project, at?.commit.id));
    const reading = await this.files.read(text, at, { ...place, ...known, naming: () => named });
    if (reading.kind === 'refused') {
      const { problems: errors, warnings, merged } = reading;
      return { errors, warnings, mergedYaml: merged && (await this.writeYaml(merged)), jobs: [] };
    }
    const told = { warnings: reading.warnings, mergedYaml: await this.writeYaml(reading.config.merged) };
    if (tried === undefined || variables === undefined) {
      const jobs = reading.config.jobs.map((job) => ({ job, planned: undefined }));
      return { ...told, errors: [], jobs };
    }
    const circumstances = await this.#circumstances(tried, variables, reading.config);
    return { ...told, ...('problem' in circumstances ? wrong(circumstances) : planOf(reading, circumstances)) };
  }

  #knownOf({ project, ...tried }: TriedPipeline, variables: ReadonlyMap<string, string>) {
    return {
      ...{ known: () => variables, shown: () => variables },
      changedSince: (name: string) => this.changedPaths.since({ ...tried, projectId: project.id }, name),
    };
  }

  async #circumstances(
    tried: TriedPipeline,
    variables: ReadonlyMap<string, string>,
    config: CiConfig,
  ): Promise<Circumstances | Problem> {
    const { ref, tag, project } = tried;
    const place = { ...tried, projectId: project.id };
    const changedSince = await this.changedPaths.sinceEach(place, comparedRefs(config, variables));
    if ('problem' in changedSince) return changedSince;
    const paths = await this.files.pathsOf(tried);
    return {
      ...{ ref, tag, defaultBranch: project.defaultBranch ?? DEFAULT_BRANCH, source: 'push' },
      ...{ variables, changedPaths: undefined, changedSince, paths },
    };
  }

  async #variablesOf(tried: TriedPipeline): Promise<ReadonlyMap<string, string>> {
    const { project, commit, ref, tag, userId } = tried;
    const configPath = await this.files.pathAt({ ...tried, configPath: project.ciConfigPath });
    const protectedRef = await isProtectedRef(this.protections, project.id, { ref, tag });
    const facts = { project, commit, ref, tag, source: 'push', beforeSha: null, sourceBranch: null } as const;
    return valuesByKey(await this.known.of({ ...facts, protectedRef, configPath }, userId));
  }
}

const wrong = ({ problem }: Problem): Pick<Lint, 'errors' | 'jobs'> => ({ errors: [problem], jobs: [] });

const planOf = (
  { config }: Extract<CiReading, { readonly kind: 'read' }>,
  circumstances: Circumstances,
): Pick<Lint, 'errors' | 'jobs'> => {
  const planning = planJobs(config, circumstances);
  if (planning.kind === 'refused') return { errors: planning.problems, jobs: [] };
  if (planning.kind === 'nothing') return { errors: [planning.message], jobs: [] };
  const named = new Map(config.jobs.map((job) => [job.name, job]));
  const jobs = planning.plan.jobs.flatMap((planned) => {
    const job = named.get(planned.madeOf);
    return job === undefined ? [] : [{ job, planned }];
  });
  return { errors: [], jobs };
};
