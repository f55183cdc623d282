import { totalmem } from 'node:os';
import { isObjectId } from '../../../domain/repositories/object-id.js';
import type { Command } from './runner/runner.js';

/** The oldest git that repositories are entrusted to: those before it had overflows in attributes and archives. */
export const OLDEST_GIT = '2.39.1';

/**
 * Nothing is inherited: no configuration of the machine or of a person, no prompt, no replacement of objects, and a path is a path, never
 * a pattern.
 */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  HOME: '/nonexistent',
  LC_ALL: 'C',
  TZ: 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
};

/** What `git fsck` finds and we let pass, since old histories have it: anything else refuses a push. */
export const FSCK_LEVELS = 'zeroPaddedFilemode=ignore,missingSpaceBeforeDate=ignore,badTimezone=ignore';

/** What every command is told. The store's own configuration is written once, by us, and holds nothing of a user. */
const SETTINGS: readonly string[] = [
  'safe.bareRepository=explicit',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'core.alternateRefsCommand=true',
  'core.fsync=committed,derived-metadata,loose-object,reference',
  'core.fsyncMethod=batch',
  'core.bigFileThreshold=20m',
  'core.deltaBaseCacheLimit=32m',
  'core.packedGitWindowSize=32m',
  'core.packedGitLimit=1g',
  'protocol.allow=never',
  'transfer.fsckObjects=true',
  'transfer.hideRefs=refs/keep',
  'gc.auto=0',
  'maintenance.auto=false',
  'pack.windowMemory=64m',
  'pack.deltaCacheSize=64m',
  'pack.threads=1',
  'uploadpack.allowAnySHA1InWant=true',
  'uploadpack.allowFilter=true',
  'uploadpackfilter.allow=false',
  'uploadpackfilter.blob:none.allow=true',
  'uploadpackfilter.blob:limit.allow=true',
  'uploadpackfilter.tree.allow=true',
  'uploadpackfilter.object:type.allow=true',
  ...FSCK_LEVELS.split(',').map((level) => `fsck.${level}`),
];

/** Room for a gibibyte of packs, their indexes and the objects that are worked on. */
const ADDRESS_SPACE_KIB = 4 * 1024 * 1024;
/**
 * Of a few kilobytes that nest one tree again and again git would make gigabytes, and one caller may have several at once. Packs aren't
 * counted, for they are read where they lie.
 */
const SHARE_OF_MEMORY = 1 / 8;
const LEAST_OF_TREES_KIB = 512 * 1024;
/** A file of a gibibyte can still be searched. */
const MOST_OF_TREES_KIB = 1536 * 1024;
/** A delta of two hundred bytes may say that gigabytes come of it. Stock git makes none of files above 512 MiB, and of one both ends are held. */
const LEAST_OF_PACKS_KIB = 1024 * 1024;
const MOST_OF_PACKS_KIB = 2048 * 1024;
const PROCESSOR_SECONDS = 900;

const PROTOCOLS = { 0: undefined, 1: 'version=1', 2: 'version=2' } as const;

export interface GitCommandOptions {
  /** The folder of the store; absent for `git --version`. */
  readonly folder?: string;
  /** The folder of another store whose objects are read, too. */
  readonly beside?: string;
  /** Where new objects go, with the store to read from. */
  readonly quarantine?: string;
  readonly protocol?: 0 | 1 | 2;
  /** Null for one that stays. */
  readonly deadlineMs: number | null;
  /** Works while others leave the processor to it. */
  readonly yields?: boolean;
  /** Reads the history and the trees of commits, not whole packs, and needs no more memory than that. */
  readonly ofTrees?: boolean;
  /** Takes a pack that somebody sends. */
  readonly ofPacks?: boolean;
  /** Of the service itself: takes what memory and time it needs. */
  readonly upkeep?: boolean;
  /** What it writes is thrown away: the disk need not be waited for. */
  readonly passing?: boolean;
  /** More settings, which may hold what no command line may show. */
  readonly settings?: readonly Setting[];
}

export type Setting = readonly [name: string, value: string];

/** Constants of ours, object ids, and paths after `--`: nothing else may stand on a command line. */
export interface Arguments {
  /** Written in the sources. */
  readonly fixed: readonly string[];
  readonly ids?: readonly string[];
  /** Follow `--`. */
  readonly paths?: readonly string[];
  /** Paths that are left out of these, or of everything. */
  readonly excluded?: readonly string[];
}

const checkId = (id: string): string => {
  // `^id` leaves out what is reachable from it, `a..b` and `a...b` are ranges.
  if (!/^\^?[0-9a-f]{40}(?:(?:\.{2,3}|\^!)(?:[0-9a-f]{40})?)?$/.test(id)) throw new Error('Not the id of an object.');
  return id;
};

/** git leaves paths out by patterns alone: each of these says of itself that it is none. */
const pathsOf = ({ paths, excluded = [] }: Arguments): { readonly argv: readonly string[]; readonly env: object } => {
  if (excluded.length === 0) return { argv: paths === undefined ? [] : ['--', ...paths], env: {} };
  const included = (paths ?? ['']).map((path) => `:(top,literal)${path}`);
  return {
    argv: ['--', ...included, ...excluded.map((path) => `:(top,exclude,literal)${path}`)],
    env: { GIT_LITERAL_PATHSPECS: '0' },
  };
};

/** The only place that makes command lines and environments of git. */
export const gitCommand = (git: string, args: Arguments, options: GitCommandOptions): Command => {
  const { folder, protocol, passing = false } = options;
  const place = folder === undefined ? [] : [`--git-dir=${folder}`, '-c', `safe.directory=${folder}`];
  const paths = pathsOf(args);
  const spoken = protocol === undefined ? undefined : PROTOCOLS[protocol];
  return {
    file: git,
    argv: [
      ...place,
      ...[...SETTINGS, ...(passing ? ['core.fsync=none'] : [])].flatMap((setting) => ['-c', setting]),
      ...args.fixed,
      ...(args.ids ?? []).map(checkId),
      ...paths.argv,
    ],
    env: {
      ...ENVIRONMENT,
      ...paths.env,
      PATH: process.env['PATH'] ?? '',
      ...objectsOf(options),
      ...environmentOf(options.settings ?? []),
      ...(spoken === undefined ? {} : { GIT_PROTOCOL: spoken }),
    },
    ...shareOf(options),
  };
};

/** Settings as git reads them from its environment, which others don't see. */
const environmentOf = (settings: readonly Setting[]): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...(settings.length === 0 ? [] : [['GIT_CONFIG_COUNT', String(settings.length)] as const]),
    ...settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name] as const,
      [`GIT_CONFIG_VALUE_${index}`, value] as const,
    ]),
  ]);

/** Where objects are written, and read beside the store's own. */
const objectsOf = ({ folder, beside, quarantine }: GitCommandOptions): Readonly<Record<string, string>> => {
  if (folder !== undefined && quarantine !== undefined)
    return { GIT_OBJECT_DIRECTORY: quarantine, GIT_ALTERNATE_OBJECT_DIRECTORIES: `${folder}/objects` };
  return beside === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: `${beside}/objects` };
};

/** A container has less than its machine. */
const memoryOfMachine = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

const shareOfMemoryKib = (memoryBytes: number, leastKib: number, mostKib: number): number =>
  Math.max(leastKib, Math.min(mostKib, Math.floor((memoryBytes / 1024) * SHARE_OF_MEMORY)));

/** What one that reads trees takes of this memory. */
export const dataOfTreesKib = (memoryBytes = memoryOfMachine()): number =>
  shareOfMemoryKib(memoryBytes, LEAST_OF_TREES_KIB, MOST_OF_TREES_KIB);

/** What one that takes a pack takes of it. */
export const dataOfPacksKib = (memoryBytes = memoryOfMachine()): number =>
  shareOfMemoryKib(memoryBytes, LEAST_OF_PACKS_KIB, MOST_OF_PACKS_KIB);

/** What it may take of the machine. */
const shareOf = ({
  deadlineMs,
  yields = false,
  ofTrees = false,
  ofPacks = false,
  upkeep = false,
}: GitCommandOptions): Pick<Command, 'deadlineMs' | 'yields' | 'bounds'> => {
  if (upkeep) return { deadlineMs, yields: true };
  const seconds = deadlineMs === null ? 'unlimited' : PROCESSOR_SECONDS;
  const dataKib = ofTrees ? dataOfTreesKib() : ofPacks ? dataOfPacksKib() : 'unlimited';
  return { deadlineMs, yields, bounds: { addressSpaceKib: ADDRESS_SPACE_KIB, dataKib, seconds } };
};

export const assertObjectId = (id: string): string => {
  if (!isObjectId(id)) throw new Error('Not the id of an object.');
  return id;
};
