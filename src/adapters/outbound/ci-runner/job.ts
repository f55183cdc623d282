/** What a runner is told of a job, as far as this one uses it. */
export interface Job {
  readonly id: number;
  readonly token: string;
  readonly name: string;
  readonly stage: string;
  readonly project: string;
  readonly projectId: number;
  readonly git: GitSource;
  readonly variables: readonly JobVariable[];
  readonly steps: readonly JobStep[];
  /** Commands before its code is fetched. */
  readonly beforeSources: readonly string[];
  readonly timeoutSeconds: number;
  /** What is to be sent of the files that it leaves. */
  readonly artifacts: readonly JobArtifact[];
  /** Whose files it is given. */
  readonly dependencies: readonly Dependency[];
  /** What it keeps for jobs that come, or finds. */
  readonly caches: readonly JobCache[];
  /** The words for why it failed that the server knows; absent where it doesn't say. */
  readonly failureReasons?: readonly string[];
}

export interface GitSource {
  readonly url: string;
  readonly ref: string;
  readonly sha: string;
  readonly refspecs: readonly string[];
  /** How many commits of the past are fetched; 0 is all. */
  readonly depth: number;
}

export interface JobVariable {
  readonly key: string;
  readonly value: string;
  readonly masked: boolean;
  /** The value is handed over in a file. */
  readonly file: boolean;
  /** The value is left as it is. */
  readonly raw: boolean;
}

export interface JobArtifact {
  readonly name: string | null;
  readonly paths: readonly string[];
  readonly exclude: readonly string[];
  /** With all that git doesn't know. */
  readonly untracked: boolean;
  readonly when: JobStep['when'];
  readonly expireIn: string | null;
  readonly type: string;
  readonly format: 'zip' | 'gzip' | 'raw';
}

export interface JobCache {
  readonly key: string;
  /** Others, where there is none by its own. */
  readonly fallbackKeys: readonly string[];
  readonly paths: readonly string[];
  readonly untracked: boolean;
  /** `pull`, `push`, or both. */
  readonly policy: string;
  readonly when: JobStep['when'];
}

/** A job that left an archive, and the token that fetches it. */
export interface Dependency {
  readonly id: number;
  readonly name: string;
  readonly token: string;
}

/** A release that a job makes, in the words of the API. */
export interface JobRelease {
  readonly texts: Readonly<Record<string, string>>;
  readonly links: readonly Readonly<Record<string, string>>[];
  readonly milestones: readonly string[];
}

export interface JobStep {
  readonly name: string;
  /** What is done instead of its script. */
  readonly release?: JobRelease | undefined;
  readonly script: readonly string[];
  readonly when: 'on_success' | 'on_failure' | 'always';
  readonly allowFailure: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const textOf = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise);
const countOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
const textsOf = (value: unknown): readonly string[] =>
  listOf(value).filter((each): each is string => typeof each === 'string');

const AN_HOUR_SECONDS = 3_600;
/** Longer than any job should run, and as long as a timer can wait. */
const LONGEST_SECONDS = 2_000_000;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Those that a process can be given. */
const readVariables = (value: unknown): readonly JobVariable[] =>
  listOf(value)
    .map(fieldsOf)
    .map(({ key, value: text, masked, file, raw }) => ({
      key: textOf(key),
      value: textOf(text),
      masked: masked === true,
      file: file === true,
      raw: raw === true,
    }))
    .filter(({ key, value: text }) => NAME.test(key) && !text.includes('\0'));

const readWhen = (when: unknown): JobStep['when'] => (when === 'always' || when === 'on_failure' ? when : 'on_success');

const textsIn = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

const readRelease = (value: unknown): JobRelease | undefined => {
  const texts = textsIn(value);
  if (texts['tag_name'] === undefined) return undefined;
  const { assets, milestones } = fieldsOf(value);
  return { texts, links: listOf(fieldsOf(assets)['links']).map(textsIn), milestones: textsOf(milestones) };
};

const readSteps = (value: unknown): readonly JobStep[] =>
  listOf(value)
    .map(fieldsOf)
    .map(({ name, script, when, allow_failure, release }) => ({
      name: textOf(name, 'script'),
      release: readRelease(release),
      script: textsOf(script),
      when: readWhen(when),
      allowFailure: allow_failure === true,
    }))
    .filter(({ script }) => script.length > 0);

const readFormat = (format: unknown): JobArtifact['format'] => (format === 'gzip' || format === 'raw' ? format : 'zip');

const readArtifacts = (value: unknown): readonly JobArtifact[] =>
  listOf(value)
    .map(fieldsOf)
    .map((artifact) => ({
      name: textOf(artifact['name']) || null,
      paths: textsOf(artifact['paths']),
      exclude: textsOf(artifact['exclude']),
      untracked: artifact['untracked'] === true,
      when: readWhen(artifact['when']),
      expireIn: textOf(artifact['expire_in']) || null,
      type: textOf(artifact['artifact_type']) || 'archive',
      format: readFormat(artifact['artifact_format']),
    }));

const readCaches = (value: unknown): readonly JobCache[] =>
  listOf(value)
    .map(fieldsOf)
    .map(({ key, fallback_keys, paths, untracked, policy, when }) => ({
      key: textOf(key, 'default'),
      fallbackKeys: textsOf(fallback_keys),
      paths: textsOf(paths),
      untracked: untracked === true,
      policy: textOf(policy, 'pull-push'),
      when: readWhen(when),
    }));

/** Those that left an archive. */
const readDependencies = (value: unknown): readonly Dependency[] =>
  listOf(value)
    .map(fieldsOf)
    .filter(({ artifacts_file: file }) => textOf(fieldsOf(file)['filename']) !== '')
    .map(({ id, name, token }) => ({ id: countOf(id, 0), name: textOf(name), token: textOf(token) }));

/** Git would take what begins with a dash for an option. */
const isArgument = (text: string): boolean => text !== '' && !text.startsWith('-');

/** @throws Error for a commit or an address that git could take for something else. */
const readGit = (value: unknown): GitSource => {
  const { repo_url, ref, sha, refspecs, depth } = fieldsOf(value);
  const git = {
    url: textOf(repo_url),
    ref: textOf(ref),
    sha: textOf(sha),
    refspecs: textsOf(refspecs),
    depth: countOf(depth, 0),
  };
  if (!SHA.test(git.sha)) throw new Error('The server names no commit.');
  if (![git.url, ...git.refspecs].every(isArgument))
    throw new Error('The server names no repository that git can reach.');
  return git;
};

/** Which job an answer is about, with which token: enough to say that it can't be run. */
export const readJobKey = (body: unknown): Pick<Job, 'id' | 'token'> | undefined => {
  const { id, token } = fieldsOf(body);
  return typeof id === 'number' && typeof token === 'string' ? { id, token } : undefined;
};

/** @throws Error where something is missing that a job can't be without. */
export const readJob = (body: unknown): Job => {
  const job = fieldsOf(body);
  const key = readJobKey(body);
  if (key === undefined) throw new Error('The server answered something else than a job.');
  const info = fieldsOf(job['job_info']);
  const reasons = fieldsOf(job['features'])['failure_reasons'];
  return {
    ...key,
    name: textOf(info['name']),
    stage: textOf(info['stage']),
    project: textOf(info['project_full_path'], textOf(info['project_name'])),
    projectId: countOf(info['project_id'], 0),
    git: readGit(job['git_info']),
    variables: readVariables(job['variables']),
    steps: readSteps(job['steps']),
    beforeSources: listOf(job['hooks'])
      .map(fieldsOf)
      .filter(({ name }) => name === 'pre_get_sources_script')
      .flatMap(({ script }) => textsOf(script)),
    timeoutSeconds: Math.min(countOf(fieldsOf(job['runner_info'])['timeout'], 0) || AN_HOUR_SECONDS, LONGEST_SECONDS),
    artifacts: readArtifacts(job['artifacts']),
    dependencies: readDependencies(job['dependencies']),
    caches: readCaches(job['cache']),
    ...(Array.isArray(reasons) ? { failureReasons: textsOf(reasons) } : {}),
  };
};
