import type { CiCache, CiConfig, CiReading } from '../../domain/pipelines/ci-file/ci-config.js';
import type { CiMap } from '../../domain/pipelines/ci-file/ci-value.js';
import { comparedRefs } from '../../domain/pipelines/ci-file/compared-refs.js';
import { includingElsewhere } from '../../domain/pipelines/ci-file/including-elsewhere.js';
import { problemsOfChosen } from '../../domain/pipelines/ci-file/offered-variables.js';
import type { Circumstances, PlannedJob } from '../../domain/pipelines/ci-file/plan.js';
import { planJobs } from '../../domain/pipelines/ci-file/plan-jobs.js';
import type { Commit, ObjectReader } from '../repositories/ports/object-stores.js';
import { isElsewhere } from '../../domain/shared/ci-config-path.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { ChangedPaths, Problem } from './changed-paths.js';
import type { CiFiles, FetchRemote, ReachCode } from './ci-files.js';
import type { PipelinePlan, PipelinePlanner, PlanningRequest } from './ports/pipeline-planner.js';

const NO_INPUTS: CiMap = new Map();

/** What the CI file of a commit says by itself: nothing where there is none, or where it depends on who asks for what. */
type OwnReading = CiReading | 'missing' | 'depends';

interface Read {
  readonly configPath: string | null;
  readonly text: string | undefined;
  readonly own: Promise<OwnReading>;
}

interface Parts {
  readonly files: CiFiles;
  readonly objects: Pick<ObjectReader, 'entryAt'>;
  readonly changedPaths: ChangedPaths;
  readonly reachAs: (userId: UserId) => ReachCode;
  /** What is elsewhere, for one pipeline of a project. */
  readonly fetchFor: (projectId: ProjectId) => FetchRemote;
}

/** Reads the CI file of a commit, with what it includes, and finds out which jobs it asks for. */
export class PlanFromFile implements PipelinePlanner {
  /**
   * Several pipelines of a push are of one commit, whose file is read once: as long as somebody has that commit in hand. With files of other
   * projects, or of elsewhere, or such that are included by rules, it is what it was just now, and for whom.
   */
  readonly #read = new WeakMap<Commit, Read>();

  constructor(private readonly parts: Parts) {}

  async plan(request: PlanningRequest): Promise<PipelinePlan> {
    const reading = await this.#readingOf(request);
    if (reading === undefined) return { outcome: 'missing' };
    if (reading.kind === 'refused') return { outcome: 'broken', errors: reading.problems };
    const wrong = problemsOfChosen(reading.config.offered, request.chosen ?? []);
    if (wrong.length > 0) return { outcome: 'broken', errors: wrong };
    const circumstances = await this.#circumstances(request, reading.config);
    if ('problem' in circumstances) return { outcome: 'broken', errors: [circumstances.problem] };
    const planning = planJobs(reading.config, circumstances);
    if (planning.kind === 'refused') return { outcome: 'broken', errors: planning.problems };
    if (planning.kind === 'nothing') return { outcome: 'nothing', reason: planning.message };
    const { jobs, name, autoCancel, variables } = planning.plan;
    return { outcome: 'planned', jobs: await this.#withCacheKeys(request, jobs), name, autoCancel, variables };
  }

  /** Undefined where there is no file. */
  async #readingOf(request: PlanningRequest): Promise<CiReading | undefined> {
    const own = await this.#ownOf(request);
    if (own === 'missing') return undefined;
    if (own !== 'depends') return own;
    const reader = {
      reach: this.parts.reachAs(request.userId),
      fetch: this.parts.fetchFor(request.projectId),
      known: () => request.variables,
      shown: () => request.shown,
      naming: () => request.shown,
      changed: () => this.#changed(request),
      changedSince: (name: string) => this.parts.changedPaths.since(request, name),
      ...(request.leftBy && { leftBy: request.leftBy }),
    };
    const { configPath, inputs = NO_INPUTS, text: given } = request;
    // The file there is given them, and not the one that does nothing but include it.
    if (given === undefined && configPath !== null && inputs.size > 0 && isElsewhere(configPath))
      return this.parts.files.read(includingElsewhere(configPath, inputs), request, reader);
    const text = await this.#mainOf(request);
    return text === undefined ? undefined : this.parts.files.read(text, request, { ...reader, inputs });
  }

  async #mainOf(request: PlanningRequest): Promise<string | undefined> {
    return request.text ?? this.parts.files.mainAt(request);
  }

  #ownOf(request: PlanningRequest): Promise<OwnReading> {
    const { commit, configPath, text, inputs = NO_INPUTS, leftBy } = request;
    if (inputs.size > 0 || leftBy !== undefined) return Promise.resolve('depends');
    const known = this.#read.get(commit);
    if (known?.configPath === configPath && known.text === text) return known.own;
    const own = this.#readOwn(request);
    this.#read.set(commit, { configPath, text, own });
    // What is out of reach now is there again later, for a commit that is still in hand then.
    own.catch(() => this.#read.delete(commit));
    return own;
  }

  async #readOwn(request: PlanningRequest): Promise<OwnReading> {
    const text = await this.#mainOf(request);
    if (text === undefined) return 'missing';
    const asked = new Set<string>();
    const variables = () => {
      asked.add('variables');
      return request.variables;
    };
    const reading = await this.parts.files.read(text, request, {
      reach: ({ project }) => {
        asked.add(project);
        return Promise.resolve({ missing: 'project' });
      },
      fetch: (address) => {
        asked.add(address);
        return Promise.resolve({ problem: '' });
      },
      known: variables,
      shown: variables,
      naming: variables,
    });
    return asked.size === 0 ? reading : 'depends';
  }

  /** A key of files is another one whenever one of them changes. */
  async #withCacheKeys(request: PlanningRequest, jobs: readonly PlannedJob[]): Promise<readonly PlannedJob[]> {
    const known = new Map<string, Promise<string>>();
    const keyOf = (key: CiCache['key']): string | Promise<string> => {
      if (typeof key === 'string') return key;
      const name = JSON.stringify(key);
      const found = known.get(name) ?? this.#keyOfFiles(request, key);
      known.set(name, found);
      return found;
    };
    const withKeys = async (job: PlannedJob): Promise<PlannedJob> => {
      const cache = await Promise.all(job.options.cache.map(async (each) => ({ ...each, key: await keyOf(each.key) })));
      return { ...job, options: { ...job.options, cache } };
    };
    return Promise.all(jobs.map(withKeys));
  }

  async #keyOfFiles({ store, commit }: PlanningRequest, { files, prefix }: Exclude<CiCache['key'], string>) {
    const entries = await Promise.all(files.map((path) => this.parts.objects.entryAt(store, commit.id, path)));
    const ids = entries.flatMap((entry) => entry?.id ?? []);
    return [...(prefix === null ? [] : [prefix]), ids.length === 0 ? 'default' : ids.join('-')].join('-');
  }

  async #circumstances(request: PlanningRequest, config: CiConfig): Promise<Circumstances | Problem> {
    const { ref, tag, defaultBranch, source, variables } = request;
    const asked = conditionsIn(config);
    const compared = comparedRefs(config, variables);
    const changedSince = await this.parts.changedPaths.sinceEach(request, compared);
    if ('problem' in changedSince) return changedSince;
    return {
      ...{ ref, tag, defaultBranch, source, variables },
      changedPaths: asked.changes ? await this.#changed(request) : undefined,
      changedSince,
      paths: asked.exists ? await this.parts.files.pathsOf(request) : [],
    };
  }

  /** Undefined where everything counts as changed. */
  async #changed(request: PlanningRequest): Promise<readonly string[] | undefined> {
    return request.before === null ? undefined : this.parts.changedPaths.from(request, request.before);
  }
}

/** What rules ask about beside what is known of every pipeline. */
const conditionsIn = ({ workflow, jobs }: CiConfig) => {
  const rules = [...(workflow ?? []), ...jobs.flatMap((job) => job.rules ?? [])];
  const policies = jobs.flatMap(({ only, except }) => [only, except].filter((policy) => policy !== null));
  return {
    changes: [...rules, ...policies].some(({ changes }) => changes !== null),
    exists: rules.some(({ exists }) => exists !== null),
  };
};
