import type { CiJob, CiReading } from '../../domain/pipelines/ci-file/ci-config.js';
import type { WriteYaml } from '../../domain/pipelines/ci-file/ci-value.js';
import type { Circumstances, PlannedJob } from '../../domain/pipelines/ci-file/plan.js';
import { planJobs } from '../../domain/pipelines/ci-file/plan-jobs.js';
import type { CiFiles, CommitPlace, Reader } from './ci-files.js';

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
  readonly ref: string;
  readonly tag: boolean;
  readonly defaultBranch: string;
  readonly projectPath: string;
}

/** Where a text is read: without a commit no file is there to include. */
export interface LintedPlace extends Pick<Reader, 'reach'> {
  readonly at?: CommitPlace | undefined;
}

/** Says what is wrong with CI files, and what they would do. */
export class LintCiFiles {
  constructor(
    private readonly files: CiFiles,
    private readonly writeYaml: WriteYaml,
  ) {}

  /** @param tried where a pipeline is to be planned as well. @throws Unavailable. */
  async lint(text: string, { at, ...place }: LintedPlace = {}, tried?: TriedPipeline): Promise<Lint> {
    const known = tried && { known: () => variablesOf(tried) };
    const reading = await this.files.read(text, at, { ...place, ...known });
    if (reading.kind === 'refused') {
      const { problems: errors, warnings, merged } = reading;
      return { errors, warnings, mergedYaml: merged && this.writeYaml(merged), jobs: [] };
    }
    const told = { warnings: reading.warnings, mergedYaml: this.writeYaml(reading.config.merged) };
    if (tried === undefined) {
      const jobs = reading.config.jobs.map((job) => ({ job, planned: undefined }));
      return { ...told, errors: [], jobs };
    }
    return { ...told, ...planOf(reading, await this.#circumstances(tried)) };
  }

  async #circumstances(tried: TriedPipeline): Promise<Circumstances> {
    const { ref, tag, defaultBranch } = tried;
    const paths = await this.files.pathsOf(tried);
    return {
      ...{ ref, tag, defaultBranch, source: 'push' },
      ...{ variables: variablesOf(tried), changedPaths: undefined, paths },
    };
  }
}

const variablesOf = ({ ref, tag, defaultBranch, projectPath, commit }: TriedPipeline): ReadonlyMap<string, string> =>
  new Map([
    ...[['CI', 'true'] as const, ['GITLAB_CI', 'true'] as const, ['CI_PIPELINE_SOURCE', 'push'] as const],
    ...[['CI_COMMIT_REF_NAME', ref] as const, [tag ? 'CI_COMMIT_TAG' : 'CI_COMMIT_BRANCH', ref] as const],
    ...[['CI_DEFAULT_BRANCH', defaultBranch] as const, ['CI_PROJECT_PATH', projectPath] as const],
    ['CI_COMMIT_SHA', commit.id] as const,
  ]);

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
