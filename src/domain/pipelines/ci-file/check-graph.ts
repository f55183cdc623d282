import type { CiJob, CiNeed } from './ci-config.js';
import type { CiProblems } from './ci-problem.js';
import { copiesOf } from './parallel-jobs.js';

/** Tells stages that aren't there, and jobs that wait for what isn't there, comes later, or waits for them. */
export const checkGraph = (jobs: readonly CiJob[], stages: readonly string[], problems: CiProblems): void => {
  const named = namedIn(jobs);
  for (const job of jobs) {
    if (!stages.includes(job.stage))
      problems.error(`${job.name} job: chosen stage does not exist; available stages are ${stages.join(', ')}`);
    for (const need of needsIn(job)) checkNeed(job, need, { named, stages, problems });
    for (const name of job.dependencies ?? []) checkDependency(job, name, { named, stages, problems });
    checkStop(job, named, problems);
  }
  const circle = circleIn(jobs, named);
  if (circle !== undefined) problems.error(`The pipeline has circular dependencies: ${circle.slice(0, 10).join(', ')}`);
};

/** Jobs by their names, and by those of each job that is made of them, where anybody calls them so. */
const namedIn = (jobs: readonly CiJob[]): ReadonlyMap<string, CiJob> => {
  const named = new Map(jobs.map((job) => [job.name, job]));
  const called = jobs.flatMap((job) => [...needsIn(job).map(({ name }) => name), ...(job.dependencies ?? [])]);
  if (called.every((name) => named.has(name))) return named;
  for (const job of jobs)
    if (job.parallel !== null) for (const { name } of copiesOf(job)) if (!named.has(name)) named.set(name, job);
  return named;
};

interface Known {
  readonly named: ReadonlyMap<string, CiJob>;
  readonly stages: readonly string[];
  readonly problems: CiProblems;
}

const needsIn = (job: CiJob): readonly CiNeed[] => [
  ...(job.needs ?? []),
  ...(job.rules ?? []).flatMap(({ needs }) => needs ?? []),
];

const checkNeed = (job: CiJob, { name, optional }: CiNeed, { named, stages, problems }: Known): void => {
  const needed = named.get(name);
  if (needed === undefined) {
    if (!optional) problems.error(`${job.name} job: undefined need: ${name}`);
  } else if (stages.indexOf(needed.stage) > stages.indexOf(job.stage))
    problems.error(`${job.name} job: need ${name} is not defined in current or prior stages`);
};

const checkDependency = (job: CiJob, name: string, { named, stages, problems }: Known): void => {
  const other = named.get(name);
  if (other === undefined) problems.error(`${job.name} job: undefined dependency: ${name}`);
  else if (stages.indexOf(other.stage) >= stages.indexOf(job.stage) && job.needs === null)
    problems.error(`${job.name} job: dependency ${name} is not defined in current or prior stages`);
  else if (job.needs !== null && !job.needs.some((need) => need.name === name || need.name === other.name))
    problems.error(`${job.name} job: dependency ${name} should be part of needs`);
};

/** What is to stop the environment of a job is of no use where it isn't there, or stops none: then somebody else stops it. */
const checkStop = ({ name, options }: CiJob, named: Known['named'], problems: CiProblems): void => {
  const onStop = options.environment?.onStop ?? null;
  if (onStop === null) return;
  const stopping = named.get(onStop);
  if (stopping === undefined) problems.warn(`${name} job: on_stop job ${onStop} is not defined`);
  else if (stopping.options.environment?.action !== 'stop')
    problems.warn(`${name} job: on_stop job ${onStop} needs to have action stop defined`);
};

/** Jobs that wait for each other. What waits for nothing open is taken away until nothing more can be: the rest is a circle, or waits for one. */
const circleIn = (jobs: readonly CiJob[], named: ReadonlyMap<string, CiJob>): readonly string[] | undefined => {
  const waiting = new Map<string, ReadonlySet<string>>();
  for (const job of jobs)
    waiting.set(job.name, new Set(needsIn(job).flatMap(({ name }) => named.get(name)?.name ?? [])));
  for (let taken = true; taken;) {
    taken = false;
    for (const [name, needs] of waiting) {
      if ([...needs].some((need) => waiting.has(need))) continue;
      waiting.delete(name);
      taken = true;
    }
  }
  return waiting.size === 0 ? undefined : [...waiting.keys()];
};
