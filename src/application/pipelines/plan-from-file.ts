import type { CiCache, CiConfig, CiReading } from '../../domain/pipelines/ci-file/ci-config.js';
import { CiProblem } from '../../domain/pipelines/ci-file/ci-problem.js';
import { planJobs, type Circumstances, type PlannedJob } from '../../domain/pipelines/ci-file/plan-jobs.js';
import { readCiFile, type CiFileTools } from '../../domain/pipelines/ci-file/read-ci-file.js';
import {
  TooLarge,
  type HistoryReader,
  type ObjectReader,
  type StoreName,
} from '../repositories/ports/object-stores.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import type { PipelinePlan, PipelinePlanner, PlanningRequest } from './ports/pipeline-planner.js';

interface Parts {
  readonly objects: Pick<ObjectReader, 'entryAt' | 'read'>;
  readonly history: Pick<HistoryReader, 'diff' | 'listTree'>;
  /** For one file: what it may take is bounded as a whole. */
  readonly tools: () => CiFileTools;
}

/** Where every project has it. */
const CI_FILE = '.gitlab-ci.yml';
/** Names alone are asked for. */
const CHANGED = { files: 1_000, bytesPerFile: 1, bytes: 1_000 };
const MOST_PATHS = 50_000;

/** Reads the CI file of a commit, with what it includes, and finds out which jobs it asks for. */
export class PlanFromFile implements PipelinePlanner {
  constructor(private readonly parts: Parts) {}

  async plan(request: PlanningRequest): Promise<PipelinePlan> {
    try {
      return await this.#plan(request);
    } catch (error) {
      if (error instanceof CiProblem) return { outcome: 'broken', errors: [error.message] };
      throw error;
    }
  }

  async #plan(request: PlanningRequest): Promise<PipelinePlan> {
    const text = await this.textOf(request.store, request.commit.tree, CI_FILE);
    if (text === undefined) return { outcome: 'missing' };
    const reading = await this.read(text, (path) => this.textOf(request.store, request.commit.tree, path));
    if (reading.kind === 'refused') return { outcome: 'broken', errors: reading.problems };
    const planning = planJobs(reading.config, await this.#circumstances(request, reading.config));
    if (planning.kind === 'refused') return { outcome: 'broken', errors: planning.problems };
    return planning.kind === 'nothing'
      ? { outcome: 'nothing', reason: planning.message }
      : { outcome: 'planned', jobs: await this.#withCacheKeys(request, planning.plan.jobs) };
  }

  /** @param included the text of a file by its path, where there is one. */
  async read(text: string, included: (path: string) => Promise<string | undefined>): Promise<CiReading> {
    const asking = readCiFile(text, this.parts.tools());
    let step = asking.next();
    while (step.done !== true) step = asking.next(await included(step.value));
    return step.value;
  }

  /** Of a file of a tree. @throws CiProblem for one that is too long. */
  async textOf(store: StoreName, tree: ObjectId, path: string): Promise<string | undefined> {
    const entry = await this.parts.objects.entryAt(store, tree, path);
    if (entry?.mode !== '100644' && entry?.mode !== '100755') return undefined;
    try {
      const found = await this.parts.objects.read(store, entry.id);
      return found && Buffer.from(found.content).toString('utf8');
    } catch (error) {
      throw error instanceof TooLarge ? new CiProblem(`\`${path}\` is longer than 1 MB.`) : error;
    }
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
    const entries = await Promise.all(files.map((path) => this.parts.objects.entryAt(store, commit.tree, path)));
    const ids = entries.flatMap((entry) => entry?.id ?? []);
    return [...(prefix === null ? [] : [prefix]), ids.length === 0 ? 'default' : ids.join('-')].join('-');
  }

  async #circumstances(request: PlanningRequest, config: CiConfig): Promise<Circumstances> {
    const { ref, tag, defaultBranch, source, variables } = request;
    const asked = conditionsIn(config);
    return {
      ...{ ref, tag, defaultBranch, source, variables },
      changedPaths: asked.changes ? await this.#changed(request) : undefined,
      paths: asked.exists ? await this.#paths(request) : [],
    };
  }

  /** Undefined where everything counts as changed. */
  async #changed({ store, commit, before }: PlanningRequest): Promise<readonly string[] | undefined> {
    if (before === null) return undefined;
    const { files, overflow } = await this.parts.history.diff(store, before, commit.id, CHANGED);
    return overflow ? undefined : files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]);
  }

  async #paths({ store, commit }: PlanningRequest): Promise<readonly string[]> {
    const listed = await this.parts.history.listTree(store, commit.id, '', { recursive: true });
    const files = listed.entries(0, Math.min(listed.length, MOST_PATHS));
    return files.flatMap(({ type, path }) => (type === 'blob' ? [path] : []));
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
