import { conditionsOf, namesAsked, type Conditions } from './conditions.js';
import { mayFail, type CiConfig, type CiJob, type CiNeed, type CiRule, type CiVariable } from './ci-config.js';
import { copiesOf, type Copy } from './parallel-jobs.js';
import type { Circumstances, PlannedJob, Planning } from './plan.js';

const FILTERED = 'Pipeline filtered out by workflow rules.';
const EMPTY = 'The resulting pipeline would have been empty. Review the rules configuration for the relevant jobs.';
const MOST_JOBS = 500;
/** Characters of all that is said of the jobs, each copy counted: that much is kept of a pipeline. */
const MOST_SAID = 8_000_000;
/** Jobs that rules are asked for one by one. */
const MOST_TRIED = 2_000;
const ALWAYS_THERE: ReadonlySet<string> = new Set(['.pre', '.post']);

/** Which jobs a pipeline has under these circumstances, or why there is none. */
export const planJobs = (config: CiConfig, circumstances: Circumstances): Planning => {
  const conditions = conditionsOf(circumstances, config.workflow !== null);
  const workflow = conditions.first(config.workflow ?? [], config.variables);
  if (config.workflow !== null && (workflow === undefined || workflow.when === 'never'))
    return { kind: 'nothing', because: 'filtered', message: FILTERED };
  const variables = new Map([...config.variables, ...(workflow?.variables ?? [])]);
  const tried = config.jobs.reduce((sum, job) => sum + (asksForEach(job) ? copiesOf(job).length : 0), 0);
  if (tried > MOST_TRIED)
    return refused([`Rules that ask about each job of \`parallel\` can be asked of ${MOST_TRIED} at most.`]);
  const chosen = config.jobs.flatMap((job) => chosenOf(job, variables, conditions));
  if (chosen.every(({ job }) => ALWAYS_THERE.has(job.stage)))
    return { kind: 'nothing', because: 'empty', message: EMPTY };
  const rawVariables = new Set([...config.rawVariables].filter((key) => workflow?.variables.has(key) !== true));
  const autoCancel = { ...config.autoCancel, ...workflow?.autoCancel };
  return planned({ ...config, rawVariables, autoCancel }, chosen, variables);
};

/** A job that is made, with what the rule that decided says. */
interface Chosen {
  readonly job: CiJob;
  readonly rule: CiRule | undefined;
  readonly variables: ReadonlyMap<string, string>;
  readonly needs: readonly CiNeed[] | null;
  readonly copies: readonly Copy[];
}

/** Of several jobs that are made of one, each is let be by what its own variables say; those for which the same rule decides are together. */
const chosenOf = (job: CiJob, global: ReadonlyMap<string, string>, conditions: Conditions): readonly Chosen[] => {
  const { inheritedVariables: inherited } = job;
  const taken = [...global].filter(([key]) => (typeof inherited === 'boolean' ? inherited : inherited.includes(key)));
  const variables = new Map([...taken, ...job.variables]);
  const decide = ({ name, variables: own }: Copy): CiRule | 'made' | undefined => {
    const all = new Map([['CI_JOB_NAME', name], ['CI_JOB_STAGE', job.stage], ...variables, ...own]);
    if (job.rules === null) return conditions.isWanted(job, all) ? 'made' : undefined;
    const rule = conditions.first(job.rules, all);
    return rule?.when === 'never' ? undefined : rule;
  };
  return [...groupedBy(decide, job)].flatMap(([by, copies]) => {
    if (by === undefined) return [];
    const rule = by === 'made' ? undefined : by;
    return [{ job, rule, variables, needs: rule?.needs ?? job.needs, copies }];
  });
};

type Decided = CiRule | 'made' | undefined;

/** Asked once for all that differ in nothing that is asked about. */
const groupedBy = (decide: (copy: Copy) => Decided, job: CiJob): ReadonlyMap<Decided, readonly Copy[]> => {
  const copies = copiesOf(job);
  const asked = asksForEach(job) ? [...namesAsked(job)] : [];
  const decided = new Map<string, Decided>();
  return Map.groupBy(copies, (copy) => {
    const told = asked.map((name) => (name === 'CI_JOB_NAME' ? copy.name : (copy.variables.get(name) ?? null)));
    const key = JSON.stringify(told);
    if (!decided.has(key)) decided.set(key, decide(copy));
    return decided.get(key);
  });
};

/** Whether what is asked may differ from job to job of those that are made of one. */
const asksForEach = (job: CiJob): boolean => {
  if (job.parallel === null) return false;
  const [first] = copiesOf(job);
  return [...namesAsked(job)].some((name) => name === 'CI_JOB_NAME' || first?.variables.has(name) === true);
};

const planned = (config: CiConfig, chosen: readonly Chosen[], variables: ReadonlyMap<string, string>): Planning => {
  const count = chosen.reduce((sum, { copies }) => sum + copies.length, 0);
  const copies = copiesByName(chosen);
  if (count > MOST_JOBS) return refused([`A pipeline has at most ${MOST_JOBS} jobs.`]);
  const problems = problemsOf(chosen, copies);
  if (problems.length > 0) return refused(problems);
  const jobs = plannedJobs(chosen, { config, copies });
  if (jobs === undefined)
    return refused([
      `The jobs of a pipeline have at most ${MOST_SAID} characters of commands, variables and all else.`,
    ]);
  const stages = config.stages.filter((stage) => jobs.some((job) => job.stage === stage));
  const { name, autoCancel } = config;
  return { kind: 'planned', plan: { stages, jobs, name, autoCancel, variables: listed(variables) } };
};

const refused = (problems: readonly string[]): Planning => ({ kind: 'refused', problems });

/** Undefined where there is more to say of them than is kept. */
const plannedJobs = (chosen: readonly Chosen[], making: Making): readonly PlannedJob[] | undefined => {
  const jobs: PlannedJob[] = [];
  let said = 0;
  for (const each of chosen)
    for (const copy of each.copies) {
      const job = plannedJob(each, copy, making);
      said += JSON.stringify(job).length;
      if (said > MOST_SAID) return undefined;
      jobs.push(job);
    }
  return jobs;
};

type Copies = ReadonlyMap<string, readonly Copy[]>;

/** By the name of the job that they are made of, and each by its own. */
const copiesByName = (chosen: readonly Chosen[]): Copies => {
  const byName = new Map<string, readonly Copy[]>();
  for (const { copies } of chosen) for (const copy of copies) byName.set(copy.name, [copy]);
  for (const [name, some] of Map.groupBy(chosen, ({ job }) => job.name))
    byName.set(
      name,
      some.flatMap(({ copies }) => copies),
    );
  return byName;
};

const problemsOf = (chosen: readonly Chosen[], copies: Copies): readonly string[] => {
  const problems = chosen.flatMap(({ job, needs }) =>
    (needs ?? [])
      .filter(({ name, optional }) => !optional && !copies.has(name))
      .map(
        ({ name }) =>
          `'${job.name}' job needs '${name}' job, but '${name}' does not exist in the pipeline. Its \`rules\`, \`only\` or \`except\` may leave it out: \`needs:optional\` is for jobs that aren't always there.`,
      ),
  );
  const names = chosen.flatMap((each) => each.copies.map(({ name }) => name));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) problems.push(`Two jobs would be called \`${twice}\`.`);
  return problems.slice(0, 100);
};

interface Making {
  readonly config: CiConfig;
  readonly copies: Copies;
}

const plannedJob = (chosen: Chosen, copy: Copy, { config, copies }: Making): PlannedJob => {
  const { job, rule } = chosen;
  return {
    name: copy.name,
    madeOf: job.name,
    stage: job.stage,
    stageIndex: config.stages.indexOf(job.stage),
    ...outcomeOf(job, rule),
    needs: chosen.needs && neededOf(chosen.needs, copies),
    ...(job.neededElsewhere.length > 0 && { neededElsewhere: job.neededElsewhere }),
    dependencies: job.dependencies?.flatMap((name) => (copies.get(name) ?? []).map((each) => each.name)) ?? null,
    tags: job.tags,
    timeoutSeconds: job.timeoutSeconds,
    retry: job.retry,
    interruptible: rule?.interruptible ?? job.interruptible,
    ...(job.resourceGroup !== null && { resourceGroup: job.resourceGroup }),
    coverage: job.coverage,
    variables: variablesOf(chosen, copy, config),
    options: job.options,
    ...(job.trigger && { trigger: job.trigger }),
  };
};

/** What a rule says goes before what the job says. */
const outcomeOf = (
  job: CiJob,
  rule: CiRule | undefined,
): Pick<PlannedJob, 'when' | 'startInSeconds' | 'allowFailure' | 'allowedExitCodes'> => {
  const when = rule?.when ?? job.when;
  const startInSeconds = rule?.startInSeconds ?? job.startInSeconds;
  const says = rule === undefined || rule.allowFailure === null ? job : rule;
  return {
    // The caller left out those that are never made.
    when: when === 'never' ? 'manual' : when,
    ...(when === 'delayed' && startInSeconds !== null && { startInSeconds }),
    allowFailure: mayFail({ allowFailure: says.allowFailure, when: job.when }),
    allowedExitCodes: says.allowedExitCodes,
  };
};

/** Each once, with its artifacts where anybody says so. */
const neededOf = (needs: readonly CiNeed[], copies: Copies): NonNullable<PlannedJob['needs']> => {
  const found = new Map<string, boolean>();
  for (const { name, artifacts } of needs)
    for (const copy of copies.get(name) ?? []) found.set(copy.name, artifacts || found.get(copy.name) === true);
  return [...found].map(([name, artifacts]) => ({ name, artifacts }));
};

const variablesOf = ({ job, rule, variables }: Chosen, copy: Copy, config: CiConfig): readonly CiVariable[] => {
  const over = new Map([...copy.variables, ...(rule?.variables ?? [])]);
  const isRaw = (key: string): boolean =>
    !over.has(key) && (job.variables.has(key) ? job.rawVariables : config.rawVariables).has(key);
  return listed(new Map([...variables, ...over])).map((each) => (isRaw(each.key) ? { ...each, raw: true } : each));
};

const listed = (variables: ReadonlyMap<string, string>): readonly CiVariable[] =>
  [...variables].map(([key, value]) => ({ key, value }));
