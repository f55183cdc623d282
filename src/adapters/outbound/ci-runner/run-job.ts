import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Job, JobRelease, JobStep } from './job.js';
import { layOutVariables, secretsOf, type Variables } from './job-environment.js';
import type { JobLog } from './job-log.js';
import { getSources, remoteOf, submodulesBy, untrackedFiles } from './get-sources.js';
import type { CachePlace, JobCaches } from './job-caches.js';
import type { JobFiles } from './job-files.js';
import type { FoldersOfJobs, JobFolders } from './job-folders.js';
import type { MakeRelease } from './make-release.js';
import { runScript, type Command } from './run-bash.js';

/** Why a job was ended before it ended by itself. */
export type Interruption = 'timeout' | 'canceled' | 'stopped';

export interface JobOutcome {
  readonly state: 'success' | 'failed';
  readonly reason?: 'script_failure' | 'runner_system_failure' | 'job_execution_timeout';
  readonly exitCode?: number;
  /** The last line of its log. */
  readonly verdict: string;
}

/** What the runner has of the machine that it hands on to jobs. */
export interface Machine {
  readonly path: string;
  readonly home: string;
  readonly version: string;
}

/** Nobody waits longer for what cleans up after a job. */
const AFTER_SCRIPT_MS = 300_000;

/** What no log may show: masked variables, and what opens the code. */
export const secretsOfJob = ({ token, git, variables, dependencies }: Job): readonly string[] => [
  token,
  remoteOf(git.url).password ?? '',
  ...dependencies.map((each) => each.token),
  ...secretsOf(variables),
];

/** Where a job works, and what it is given and leaves there. */
interface JobResources {
  readonly folders: FoldersOfJobs;
  readonly files: JobFiles;
  readonly caches: JobCaches;
  readonly releases: MakeRelease;
}

/** One job in folders of its own, which go with it. */
export class RunJob {
  #interruption: Interruption | undefined;
  readonly #interrupting = new AbortController();
  #well = true;
  #exitCode = 0;

  constructor(
    private readonly job: Job,
    private readonly log: JobLog,
    private readonly machine: Machine,
    private readonly resources: JobResources,
  ) {}

  get interruption(): Interruption | undefined {
    return this.#interruption;
  }

  /** Ends its processes. */
  interrupt(why: Interruption): void {
    this.#interruption ??= why;
    this.#interrupting.abort();
  }

  /** Never throws: what goes wrong is how the job ended. */
  async execute(): Promise<JobOutcome> {
    const timer = setTimeout(() => this.interrupt('timeout'), this.job.timeoutSeconds * 1_000);
    let folders: JobFolders | undefined;
    try {
      this.#introduce();
      folders = await this.resources.folders.make();
      const place = this.#placeIn(folders, await layOutVariables(this.job.variables, folders.files));
      return this.#conclude((await this.#prepare(place)) ?? (await this.#work(folders, place)));
    } catch (error) {
      return this.#conclude(error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(timer);
      if (folders !== undefined) await this.resources.folders.remove(folders);
    }
  }

  #introduce(): void {
    this.log.line(`Running with gatehouse runner ${this.machine.version}`);
    this.log.line(`  on ${hostname()}, by bash, as the user who started the runner`);
  }

  /** Where its files are kept and found: variables name them. */
  #placeIn(folders: JobFolders, variables: Variables): CachePlace {
    const command = this.#command(folders, this.#baseEnvironment);
    return {
      ...{ project: folders.project, files: folders.scripts, signal: this.#interrupting.signal },
      variables: { ...variables, CI_PROJECT_DIR: folders.project },
      untracked: () => untrackedFiles(command),
      command,
    };
  }

  /** Answers what is wrong where it can't begin. */
  async #prepare(place: CachePlace): Promise<string | undefined> {
    const problem = (await this.#beforeSources(place)) ?? (await this.#fetch(place));
    if (problem !== undefined) return problem;
    await this.#restoreCaches(place);
    return this.#fetchFiles(place);
  }

  async #beforeSources({ command, variables, files }: CachePlace): Promise<string | undefined> {
    const { beforeSources } = this.job;
    if (beforeSources.length === 0) return undefined;
    return this.#inSection('pre_get_sources_script', 'Running pre_get_sources_script', async () => {
      const environment = { ...command.environment, ...variables };
      const code = await runScript(join(files, 'pre_get_sources'), beforeSources, { ...command, environment });
      const isWell = code === 0 || this.#interruption !== undefined;
      return isWell ? undefined : `pre_get_sources_script ended with exit code ${code}`;
    });
  }

  #fetch({ variables, command }: CachePlace): Promise<string | undefined> {
    return this.#inSection('get_sources', 'Getting the code', async () => {
      if (variables['GIT_STRATEGY'] === 'none') return void this.log.line('Without code, as GIT_STRATEGY says.');
      const submodules = submodulesBy(variables, this.job.git);
      const code = await getSources(this.job.git, submodules, command, (line) => this.log.line(line));
      return code === 0 || this.#interruption !== undefined ? undefined : `git ended with exit code ${code}`;
    });
  }

  async #restoreCaches(place: CachePlace): Promise<void> {
    if (this.resources.caches.isOff || this.#interruption !== undefined) return;
    await this.#inSection('restore_cache', 'Restoring caches', () => this.resources.caches.restore(place));
  }

  async #fetchFiles(place: CachePlace): Promise<string | undefined> {
    if (this.job.dependencies.length === 0 || this.#interruption !== undefined) return undefined;
    return this.#inSection('download_artifacts', 'Getting what jobs before left', () =>
      this.resources.files.fetch(place),
    );
  }

  async #work(folders: JobFolders, place: CachePlace): Promise<string | undefined> {
    await this.#runSteps(folders, place.variables);
    await this.#keepCaches(place);
    if (this.job.artifacts.length === 0 || this.#interruption !== undefined) return undefined;
    const outcome = this.#well ? 'success' : 'failure';
    const problem = await this.#inSection(`upload_artifacts_on_${outcome}`, 'Keeping what the job leaves', () =>
      this.resources.files.send(this.#well, place),
    );
    // Of a job that failed it matters more why.
    return this.#well ? problem : undefined;
  }

  async #keepCaches(place: CachePlace): Promise<void> {
    if (this.resources.caches.isOff || this.#interruption !== undefined) return;
    await this.#inSection('archive_cache', 'Keeping caches', () => this.resources.caches.keep(this.#well, place));
  }

  async #runSteps(folders: JobFolders, variables: Variables): Promise<void> {
    for (const step of this.job.steps) {
      if (!this.#isDue(step)) continue;
      if (step.release === undefined) await this.#runStep(step, folders, variables);
      else await this.#release(step, step.release, { project: folders.project, variables });
    }
  }

  #isDue({ when }: JobStep): boolean {
    if (this.#interruption !== undefined) return false;
    return when === 'always' || (when === 'on_success') === this.#well;
  }

  async #runStep(step: JobStep, folders: JobFolders, variables: Variables): Promise<void> {
    const after = step.name === 'after_script';
    const name = after ? 'after_script' : 'step_script';
    await this.#inSection(name, after ? 'Running after_script' : `Running ${step.name}`, async () => {
      const environment = {
        ...this.#baseEnvironment,
        ...variables,
        CI_BUILDS_DIR: folders.all,
        CI_RUNNER_VERSION: this.machine.version,
        CI_JOB_STATUS: this.#well ? 'success' : 'failed',
      };
      const command = this.#command(folders, environment, after ? AFTER_SCRIPT_MS : undefined);
      const code = await runScript(join(folders.scripts, name), step.script, command);
      if (code !== 0 && this.#interruption === undefined) this.#fail(step, code);
    });
  }

  #release(step: JobStep, release: JobRelease, place: Pick<CachePlace, 'project' | 'variables'>): Promise<void> {
    return this.#inSection('step_release', 'Making the release', async () => {
      const { signal } = this.#interrupting;
      const problem = await this.resources.releases.execute(release, { ...place, signal });
      if (problem === undefined) return this.log.line('It was made.');
      if (this.#interruption !== undefined) return;
      this.log.warning(`It was not made: ${problem}`);
      this.#fail(step, 1);
    });
  }

  #fail({ name, allowFailure }: JobStep, code: number): void {
    if (allowFailure)
      return this.log.warning(`WARNING: ${name} failed with exit code ${code}. The job does not fail for it.`);
    if (this.#well) this.#exitCode = code;
    this.#well = false;
  }

  async #inSection<Result>(name: string, heading: string, work: () => Promise<Result>): Promise<Result> {
    this.log.section(name, 'start');
    this.log.heading(heading);
    try {
      return await work();
    } finally {
      this.log.section(name, 'end');
    }
  }

  #command(folders: JobFolders, environment: Variables, longestMs?: number): Omit<Command, 'file' | 'args'> {
    const { signal } = this.#interrupting;
    return {
      folder: folders.project,
      environment,
      onOutput: (chunk) => this.log.write(chunk),
      signal: longestMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
    };
  }

  /** Nothing else of the runner's own environment reaches a job. */
  get #baseEnvironment(): Variables {
    return { PATH: this.machine.path, HOME: this.machine.home };
  }

  #conclude(problem: string | undefined): JobOutcome {
    if (this.#interruption !== undefined) return this.#interrupted(this.#interruption);
    if (problem !== undefined)
      return {
        state: 'failed',
        reason: 'runner_system_failure',
        verdict: `ERROR: Job failed (system failure): ${problem}`,
      };
    if (this.#well) return { state: 'success', verdict: 'Job succeeded' };
    const exitCode = this.#exitCode;
    return { state: 'failed', reason: 'script_failure', exitCode, verdict: `ERROR: Job failed: exit code ${exitCode}` };
  }

  #interrupted(why: Interruption): JobOutcome {
    switch (why) {
      case 'timeout':
        return {
          state: 'failed',
          reason: 'job_execution_timeout',
          verdict: `ERROR: Job failed: it took longer than ${this.job.timeoutSeconds} seconds`,
        };
      case 'canceled':
        return { state: 'failed', reason: 'script_failure', verdict: 'ERROR: Job canceled' };
      case 'stopped':
        return {
          state: 'failed',
          reason: 'runner_system_failure',
          verdict: 'ERROR: Job failed (system failure): the runner was stopped',
        };
    }
  }
}
