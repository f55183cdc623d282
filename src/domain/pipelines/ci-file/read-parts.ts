import type { CiArtifacts, CiCache, CiEnvironment, CiImage, CiRetry, CiService } from './ci-config.js';
import { FAILURE_REASONS } from '../ci-job.js';
import { isMap, jsonOf, type CiMap, type CiValue } from './ci-value.js';
import { secondsOf } from './duration.js';
import type { Entry } from './entry.js';
import { variablesOf } from './read-variables.js';

const OUTCOMES = ['on_success', 'on_failure', 'always'] as const;
const keys = (...names: string[]): ReadonlySet<string> => new Set(names);
const IMAGE = keys('name', 'entrypoint', 'pull_policy', 'docker', 'kubernetes', 'ports');
const SERVICE = keys(...IMAGE, 'alias', 'command', 'variables');
const MOST_SERVICES = 50;
const MOST_CACHES = 4;

export const imageOf = (entry: Entry | undefined, known = IMAGE): CiImage | undefined => {
  if (entry === undefined) return undefined;
  if (!isMap(entry.value) && typeof entry.value !== 'string') return entry.error('config should be a hash or a string');
  const told = isMap(entry.value) ? entry.at('name') : entry;
  entry.knows(known);
  entry.ignores(['docker', 'kubernetes', 'ports']);
  const name = told === undefined ? entry.error("name can't be blank") : told.text(1024);
  if (name === undefined) return undefined;
  return {
    name,
    entrypoint: entry.read('entrypoint', (said) => said.texts({ alone: true }), null),
    pullPolicy: entry.read('pull_policy', (said) => said.texts({ alone: true }), []),
  };
};

export const servicesOf = (entry: Entry | undefined): readonly CiService[] | undefined =>
  entry?.entries(MOST_SERVICES, 'an array')?.flatMap((each) => {
    const image = imageOf(each, SERVICE);
    if (image === undefined) return [];
    const variables = [...(variablesOf(each.at('variables')) ?? [])].map(([key, value]) => ({ key, value }));
    const command = each.read('command', (said) => said.texts({ alone: true }), null);
    return [{ ...image, alias: each.read('alias', (said) => said.text(1024), null), command, variables }];
  });

const ARTIFACTS = keys(
  'paths',
  'exclude',
  'untracked',
  'name',
  'when',
  'expire_in',
  'reports',
  'expose_as',
  'public',
  'access',
);

export const artifactsOf = (entry: Entry | undefined): CiArtifacts | undefined => {
  if (entry?.map() === undefined) return undefined;
  entry.knows(ARTIFACTS);
  entry.ignores(['expose_as']);
  const access = accessOf(entry);
  const expires = entry.at('expire_in');
  const expireIn = expires?.text(100) ?? null;
  if (expireIn !== null && expireIn !== 'never' && secondsOf(expireIn) === undefined)
    entry.error('expire in should be a duration');
  return {
    name: entry.read('name', (said) => said.text(1024), null),
    paths: entry.read('paths', (said) => said.texts(), []),
    exclude: entry.read('exclude', (said) => said.texts(), []),
    untracked: entry.read('untracked', (said) => said.boolean(), false),
    when: entry.read('when', (said) => said.oneOf(OUTCOMES), 'on_success'),
    expireIn,
    reports: jsonOf(entry.read('reports', reportsOf, new Map())),
    ...(access !== 'all' && { access }),
  };
};

const REPORTS = keys(
  ...['accessibility', 'api_fuzzing', 'browser_performance', 'cluster_image_scanning', 'cobertura'],
  ...['codequality', 'container_scanning', 'coverage_fuzzing', 'coverage_report', 'cyclonedx', 'dast', 'dotenv'],
  ...['dependency_scanning', 'jacoco', 'junit', 'license_scanning', 'load_performance', 'metrics', 'performance'],
  ...['requirements', 'sast', 'secret_detection', 'terraform'],
);

/** Kinds that are not known are told to runners all the same: what they do with one is theirs to say. */
const reportsOf = (entry: Entry): CiMap | undefined => {
  const said = entry.map();
  entry.ignores([...(said ?? new Map<string, CiValue>()).keys()].filter((kind) => !REPORTS.has(kind)).slice(0, 10));
  return said;
};

const ACCESS = ['all', 'developer', 'maintainer', 'none'] as const;

/** `public: false` is an older word for it. */
const accessOf = (entry: Entry): NonNullable<CiArtifacts['access']> | 'all' => {
  const access = entry.read('access', (said) => said.oneOf(ACCESS), undefined);
  const open = entry.read('public', (said) => said.boolean(), undefined);
  if (access !== undefined && open !== undefined) entry.error("config: `public` and `access` can't be used together");
  return access ?? (open === false ? 'developer' : 'all');
};

const CACHE = keys('key', 'paths', 'untracked', 'policy', 'when', 'fallback_keys', 'unprotect');
const CACHE_KEY = keys('files', 'files_commits', 'prefix');

export const cacheOf = (entry: Entry | undefined): readonly CiCache[] | undefined =>
  entry?.entries(MOST_CACHES, 'a hash or an array of hashes')?.flatMap((each) => {
    if (each.map() === undefined) return [];
    each.knows(CACHE);
    each.ignores(['unprotect']);
    return [
      {
        key: cacheKeyOf(each.at('key')) ?? 'default',
        paths: each.read('paths', (said) => said.texts(), []),
        untracked: each.read('untracked', (said) => said.boolean(), false),
        policy: each.read('policy', policyOf, 'pull-push'),
        when: each.read('when', (said) => said.oneOf(OUTCOMES), 'on_success'),
        fallbackKeys: each.read('fallback_keys', (said) => said.texts({ most: 5 }), []),
      },
    ];
  });

const POLICIES = ['pull-push', 'push', 'pull'] as const;

/** A variable may say it, too. */
const policyOf = (entry: Entry): string | undefined =>
  typeof entry.value === 'string' && entry.value.includes('$') ? entry.text(255) : entry.oneOf(POLICIES);

const cacheKeyOf = (entry: Entry | undefined): CiCache['key'] | undefined => {
  if (entry === undefined || !isMap(entry.value)) return entry?.text(1024);
  entry.knows(CACHE_KEY);
  const files = (entry.at('files') ?? entry.at('files_commits'))?.texts({ most: 2 });
  if (files === undefined || files.length === 0) return entry.error('config should have a list of `files`');
  return { files, prefix: entry.read('prefix', (said) => said.text(1024), null) };
};

const ENVIRONMENT = keys('name', 'url', 'action', 'on_stop', 'auto_stop_in', 'deployment_tier', 'kubernetes');
const TIERS = ['production', 'staging', 'testing', 'development', 'other'] as const;

export const environmentOf = (entry: Entry | undefined): CiEnvironment | undefined => {
  if (entry === undefined) return undefined;
  if (!isMap(entry.value) && typeof entry.value !== 'string') return entry.error('config should be a hash or a string');
  entry.knows(ENVIRONMENT);
  entry.ignores(['kubernetes']);
  const told = isMap(entry.value) ? entry.at('name') : entry;
  const name = told === undefined ? entry.error("name can't be blank") : told.text(255);
  if (name === undefined) return undefined;
  return {
    name,
    url: entry.read('url', (said) => said.text(1024), null),
    action: entry.read('action', (said) => said.oneOf(['start', 'prepare', 'stop', 'verify', 'access']), 'start'),
    onStop: entry.read('on_stop', (said) => said.text(255), null),
    autoStopIn: entry.read('auto_stop_in', (said) => said.text(100), null),
    tier: entry.read('deployment_tier', (said) => said.oneOf(TIERS), null),
  };
};

const LARGEST_EXIT_CODE = 255;

export const exitCodesOf = (entry: Entry): readonly number[] | undefined =>
  entry
    .entries(LARGEST_EXIT_CODE, 'an array of integers or an integer')
    ?.flatMap((code) => code.integer(0, LARGEST_EXIT_CODE) ?? []);

const RETRY = keys('max', 'when', 'exit_codes');
const MOST_RETRIES = 2;

/** Reasons that clients know; some never come to pass here. */
const REASONS: ReadonlySet<string> = new Set([
  ...['always', 'unknown_failure', 'script_failure', 'api_failure', 'stuck_or_timeout_failure'],
  ...['runner_system_failure', 'runner_unsupported', 'runner_interrupted', 'runner_provisioning_timeout'],
  ...['stale_schedule', 'job_execution_timeout', 'job_execution_server_timeout', 'archived_failure'],
  ...['unmet_prerequisites', 'scheduler_failure', 'data_integrity_failure', 'missing_dependency_failure'],
  ...FAILURE_REASONS,
]);

const reasonsOf = (entry: Entry): readonly string[] | undefined => {
  const said = entry.texts({ most: 50, alone: true });
  const unknown = said?.find((reason) => !REASONS.has(reason));
  return unknown === undefined ? said : entry.error(`config contains an unknown reason: ${unknown.slice(0, 100)}`);
};

export const retryOf = (entry: Entry | undefined): CiRetry | undefined => {
  if (entry === undefined) return undefined;
  if (!isMap(entry.value)) {
    const max = entry.integer(0, MOST_RETRIES);
    return max === undefined ? undefined : { max, when: ['always'] };
  }
  entry.knows(RETRY);
  const max = entry.read('max', (said) => said.integer(0, MOST_RETRIES), 0);
  const exitCodes = entry.read('exit_codes', exitCodesOf, undefined);
  // Whoever names exit codes alone wants it for those alone.
  const otherwise = exitCodes === undefined ? ['always'] : [];
  const when = entry.read('when', reasonsOf, otherwise);
  return { max, when, ...(exitCodes && { exitCodes }) };
};

const LONGEST_TIMEOUT = 31 * 86_400;

export const timeoutOf = (entry: Entry | undefined): number | undefined => {
  if (entry === undefined) return undefined;
  const text = entry.text(100);
  const seconds = text === undefined ? undefined : secondsOf(text);
  if (seconds === undefined) return entry.error('config should be a duration');
  if (seconds <= 0) return entry.error('config should be longer than nothing');
  return seconds > LONGEST_TIMEOUT ? entry.error('config should not exceed a month') : seconds;
};
