import type { CiNeed, CiNeedElsewhere, CiNeedOfPipeline, CiNeedOfProject } from './ci-config.js';
import type { Entry } from './entry.js';
import { namesOfCopies } from './parallel-jobs.js';
import { matrixOf } from './read-parallel.js';

const MOST_NEEDS = 50;
/** Of those that `parallel` makes, each counted. */
const MOST_NEEDED = 500;
/** Of other projects, and as many of other pipelines. */
const MOST_ELSEWHERE = 5;
const NEED: ReadonlySet<string> = new Set(['job', 'artifacts', 'optional', 'parallel']);
const OF_PROJECT: ReadonlySet<string> = new Set(['project', 'job', 'ref', 'artifacts']);
const OF_PIPELINE: ReadonlySet<string> = new Set(['pipeline', 'job', 'artifacts']);
const LISTED = 'an array of names or hashes';
/** Of what is named, as it is written and once variables are in it. */
export const LONGEST_PATH = 1_024;
export const LONGEST_NAME = 255;

/** Of a rule: jobs of its own pipeline alone. */
export const needsOf = (entry: Entry): readonly CiNeed[] | undefined => needsAmong(entry, () => true);

/** Jobs of its own pipeline that a job waits for. */
export const ownNeedsOf = (entry: Entry): readonly CiNeed[] | undefined =>
  needsAmong(entry, (need) => !isElsewhere(need));

const needsAmong = (entry: Entry, isMeant: (need: Entry) => boolean): readonly CiNeed[] | undefined => {
  const needs = entry.entries(MOST_NEEDS, LISTED)?.filter(isMeant).flatMap(needOf);
  if (needs === undefined) return undefined;
  if (needs.length > MOST_NEEDED) return entry.error(`config has too many entries (maximum is ${MOST_NEEDED})`);
  const names = new Set<string>();
  for (const { name } of needs) {
    if (names.has(name)) return entry.error(`config has the following needs duplicated: ${name}.`);
    names.add(name);
  }
  return needs;
};

const isOfProject = (need: Entry): boolean => need.at('project') !== undefined;

const isOfPipeline = (need: Entry): boolean => !isOfProject(need) && need.at('pipeline') !== undefined;

const isElsewhere = (need: Entry): boolean => isOfProject(need) || isOfPipeline(need);

/** Jobs of other pipelines whose files a job is given: it waits for none of them. */
export const needsElsewhereOf = (entry: Entry): readonly CiNeedElsewhere[] | undefined => {
  const said = entry.entries(MOST_NEEDS, LISTED) ?? [];
  const [ofProjects, ofPipelines] = [said.filter(isOfProject), said.filter(isOfPipeline)];
  if (ofProjects.length > MOST_ELSEWHERE)
    return entry.error(`config has too many needs of other projects (maximum is ${MOST_ELSEWHERE})`);
  if (ofPipelines.length > MOST_ELSEWHERE)
    return entry.error(`config has too many needs of other pipelines (maximum is ${MOST_ELSEWHERE})`);
  return [...ofProjects.flatMap(needOfProject), ...ofPipelines.flatMap(needOfPipeline)];
};

const needOf = (entry: Entry): readonly CiNeed[] => {
  if (typeof entry.value === 'string') return [{ name: entry.value, artifacts: true, optional: false }];
  if (entry.map(LISTED) === undefined) return [];
  const elsewhere = ['project', 'pipeline', 'ref'].find((key) => entry.at(key) !== undefined);
  if (elsewhere !== undefined) {
    entry.error(`config: \`${elsewhere}\` is not supported here; only jobs of its own pipeline can be needed.`);
    return [];
  }
  entry.knows(NEED);
  const name = entry.at('job')?.text(LONGEST_NAME) ?? entry.error('config should have the name of a `job`');
  if (name === undefined) return [];
  const artifacts = entry.read('artifacts', (said) => said.boolean(), true);
  const optional = entry.read('optional', (said) => said.boolean(), false);
  const parallel = entry.at('parallel');
  const matrix = parallel && matrixOf(parallel);
  if (parallel !== undefined && matrix === undefined) return [];
  return (matrix === undefined ? [name] : namesOfCopies(name, matrix)).map((each) => ({
    ...{ name: each, artifacts, optional },
  }));
};

const needOfProject = (entry: Entry): readonly CiNeedOfProject[] => {
  entry.knows(OF_PROJECT);
  const said = (key: string, most: number) => saidBeside('project', entry, key, most);
  const [project, job, ref] = [said('project', LONGEST_PATH), said('job', LONGEST_NAME), said('ref', LONGEST_NAME)];
  if (project === undefined || job === undefined || ref === undefined || !wantsFiles(entry)) return [];
  return [{ project: project.replace(/^\/+/, ''), job, ref }];
};

const needOfPipeline = (entry: Entry): readonly CiNeedOfPipeline[] => {
  entry.knows(OF_PIPELINE);
  const said = (key: string, most: number) => saidBeside('pipeline', entry, key, most);
  const [pipeline, job] = [said('pipeline', LONGEST_NAME), said('job', LONGEST_NAME)];
  return pipeline === undefined || job === undefined || !wantsFiles(entry) ? [] : [{ pipeline, job }];
};

const saidBeside = (beside: string, entry: Entry, key: string, most: number): string | undefined => {
  const text = entry.at(key)?.text(most);
  return text === undefined || text === '' ? entry.error(`config should have a \`${key}\` beside \`${beside}\``) : text;
};

const wantsFiles = (entry: Entry): boolean => entry.read('artifacts', (said) => said.boolean(), true);
