import type { CiJob, CiJobOptions, CiTrigger } from './ci-config.js';
import { scriptOf, type Entry } from './entry.js';
import { regexIn, type CompileRegex } from './expression.js';
import { failureOf, policyOf, rulesOf, startInOf, whenOf } from './read-conditions.js';
import { ownNeedsOf, needsElsewhereOf } from './read-needs.js';
import { artifactsOf, cacheOf, environmentOf, imageOf, retryOf, servicesOf, timeoutOf } from './read-parts.js';
import { parallelOf } from './read-parallel.js';
import { idTokensOf } from './read-id-tokens.js';
import { releaseOf } from './read-release.js';
import { tellKeysBeside, triggerOf } from './read-trigger.js';
import { rawVariablesOf, variablesOf } from './read-variables.js';

const WITHOUT_EFFECT = ['pages', 'publish', 'secrets', 'identity', 'manual_confirmation', 'dast_configuration'];
const REFUSED: ReadonlyMap<string, string> = new Map([['run', 'write the commands into `script`.']]);
const KNOWN: ReadonlySet<string> = new Set([
  ...['script', 'before_script', 'after_script', 'stage', 'image', 'services', 'tags', 'variables', 'rules', 'only'],
  ...['except', 'when', 'allow_failure', 'needs', 'dependencies', 'artifacts', 'cache', 'environment', 'extends'],
  ...['parallel', 'retry', 'timeout', 'interruptible', 'coverage', 'inherit', 'type', 'resource_group', 'start_in'],
  ...['release', 'id_tokens', 'hooks', 'trigger'],
  ...REFUSED.keys(),
  ...WITHOUT_EFFECT,
]);
const LONGEST_NAME = 255;
const MOST_TAGS = 50;

/** The job of an entry; undefined where it can't be told what it is. */
export const jobOf = (entry: Entry, name: string, compile: CompileRegex): CiJob | undefined => {
  if (name.length > LONGEST_NAME) return entry.error(`name is too long (maximum is ${LONGEST_NAME} characters)`);
  if (name === '') return entry.error("name can't be blank");
  tellKeys(entry, name);
  if (entry.at('rules') !== undefined)
    for (const key of ['only', 'except'])
      if (entry.at(key) !== undefined) entry.error('config key may not be used with `rules`: ' + key);
  const failure = failureOf(entry.at('allow_failure'));
  const trigger = entry.read('trigger', (said) => triggerOf(said, compile), undefined);
  return {
    name,
    stage: stageOf(entry),
    when: entry.read('when', whenOf, 'on_success'),
    startInSeconds: startInOf(entry) ?? null,
    allowFailure: failure?.allowFailure ?? null,
    allowedExitCodes: failure?.allowedExitCodes ?? [],
    rules: entry.read('rules', (said) => rulesOf(said, compile), null),
    only: entry.read('only', (said) => policyOf(said, compile), null),
    except: entry.read('except', (said) => policyOf(said, compile), null),
    needs: entry.read('needs', ownNeedsOf, null),
    neededElsewhere: entry.read('needs', neededElsewhereOf(trigger), []),
    dependencies: entry.read('dependencies', (said) => said.texts({ most: MOST_TAGS }), null),
    tags: entry.read('tags', (said) => said.texts({ most: MOST_TAGS }), []),
    timeoutSeconds: entry.read('timeout', timeoutOf, null),
    retry: entry.read('retry', retryOf, { max: 0, when: ['always'] }),
    interruptible: entry.read('interruptible', (said) => said.boolean(), false),
    resourceGroup: entry.read('resource_group', resourceGroupOf, null),
    coverage: entry.read('coverage', (said) => coverageOf(said, compile), null),
    variables: entry.read('variables', variablesOf, new Map()),
    rawVariables: rawVariablesOf(entry.at('variables')),
    inheritedVariables: inheritedOf(entry, 'variables'),
    parallel: entry.read('parallel', parallelOf, null),
    before: entry.read('before_script', scriptOf, []).length,
    options: optionsOf(entry),
    ...(trigger && { trigger }),
  };
};

/** What starts a pipeline has nowhere to put files. */
const neededElsewhereOf = (trigger: CiTrigger | undefined) => (said: Entry) => {
  const needs = needsElsewhereOf(said);
  if (trigger !== undefined && (needs ?? []).length > 0)
    return said.error(
      "config: those of other projects and pipelines can't be used with `trigger`; the job is given no files.",
    );
  return needs;
};

/** `type` is what stages were called once. */
const stageOf = (entry: Entry): string => (entry.at('stage') ?? entry.at('type'))?.text(LONGEST_NAME) ?? 'test';

const tellKeys = (entry: Entry, name: string): void => {
  entry.knows(KNOWN);
  if (name === 'pages' && entry.at('pages') === undefined)
    entry.problems.warn(`${entry.name}: no pages are published here; the job is as any other`);
  for (const [key, reason] of REFUSED)
    if (entry.at(key) !== undefined) entry.error(`config: \`${key}\` is not supported; ${reason}`);
  if (entry.at('trigger') === undefined) entry.ignores(WITHOUT_EFFECT);
  else tellKeysBeside(entry, KNOWN);
};

/** One of these says what the job does. */
const DOES = ['script', 'trigger', 'run'];

const optionsOf = (entry: Entry): CiJobOptions => {
  const script = scriptOf(entry.at('script'));
  const release = entry.read('release', releaseOf, undefined);
  const idTokens = entry.read('id_tokens', idTokensOf, undefined);
  const beforeSources = entry.read('hooks', beforeSourcesOf, []);
  if (script?.length === 0 || !DOES.some((key) => entry.at(key) !== undefined)) entry.error("script can't be blank");
  return {
    script: [...entry.read('before_script', scriptOf, []), ...(script ?? [])],
    afterScript: entry.read('after_script', scriptOf, []),
    image: entry.read('image', imageOf, null),
    services: entry.read('services', servicesOf, []),
    artifacts: entry.read('artifacts', artifactsOf, null),
    cache: entry.read('cache', cacheOf, []),
    environment: entry.read('environment', environmentOf, null),
    ...(release && { release }),
    ...(idTokens && { idTokens }),
    ...(beforeSources.length > 0 && { beforeSources }),
  };
};

const HOOK = 'pre_get_sources_script';

const beforeSourcesOf = (entry: Entry): readonly string[] | undefined => {
  if (entry.map() === undefined) return undefined;
  entry.knows(new Set([HOOK]));
  return scriptOf(entry.at(HOOK));
};

const resourceGroupOf = (entry: Entry | undefined): string | undefined => {
  const said = entry?.text(LONGEST_NAME);
  if (entry === undefined || said === undefined) return undefined;
  return /^[\w./${} -]+$/.test(said)
    ? said
    : entry.error('config may have letters, digits, spaces, and any of `-_/${}.`');
};

const coverageOf = (entry: Entry | undefined, compile: CompileRegex): string | undefined => {
  const said = entry?.text(LONGEST_NAME * 4);
  if (entry === undefined || said === undefined) return undefined;
  const regex = regexIn(said);
  if (regex === undefined || compile(regex.pattern, regex.flags) === undefined)
    return entry.error('config must be a regular expression');
  return said;
};

/** What `inherit` says of `default` or `variables`. */
export const inheritedOf = (entry: Entry, key: 'default' | 'variables'): boolean | readonly string[] => {
  const inherit = entry.at('inherit');
  inherit?.map();
  inherit?.knows(new Set(['default', 'variables']));
  const said = inherit?.at(key);
  if (said === undefined) return true;
  return typeof said.value === 'boolean' ? said.value : (said.texts() ?? true);
};
