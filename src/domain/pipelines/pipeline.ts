import type { ProjectId, UserId } from '../shared/identifiers.js';
import type { CheckStatus } from './commit-status.js';

/** How a pipeline stands. */
export type PipelineStatus = CheckStatus;
export const PIPELINE_STATUSES: readonly PipelineStatus[] = [
  'created',
  'waiting_for_resource',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
];

/** Clients ask for these, too, and find none: nothing here ever stands so. */
const UNKNOWN_STATUSES = ['preparing', 'canceling', 'waiting_for_callback'] as const;
/** How a pipeline or job that is asked for stands. */
export type AskedStatus = PipelineStatus | (typeof UNKNOWN_STATUSES)[number];
export const ASKED_STATUSES: readonly AskedStatus[] = [...PIPELINE_STATUSES, ...UNKNOWN_STATUSES];

/**
 * What makes pipelines: `external` where programs elsewhere tell what they check, `pipeline` where a job of another one asks for it, and
 * `parent_pipeline` where that one is of the same commit.
 */
const PIPELINE_SOURCES = [
  'external',
  'push',
  'web',
  'api',
  'trigger',
  'pipeline',
  'schedule',
  'merge_request_event',
  'parent_pipeline',
] as const;
export type PipelineSource = (typeof PIPELINE_SOURCES)[number];

/** Of these a commit has only so many; those of schedules come day by day, whether or not anything changes. */
export const COUNTED_SOURCES: readonly PipelineSource[] = PIPELINE_SOURCES.filter((source) => source !== 'schedule');

/** A part of another pipeline of the commit, which stands for both: its own jobs say how it ended where they wait for it. */
export const CHILD = 'parent_pipeline' satisfies PipelineSource;

/** Those that stand for themselves beside a commit. */
export const LISTED_SOURCES: readonly PipelineSource[] = COUNTED_SOURCES.filter((source) => source !== CHILD);

/** All that is checked of a commit for one branch or tag. */
export interface Pipeline {
  readonly id: number;
  readonly projectId: ProjectId;
  /** Its number within the project. */
  readonly iid: number;
  /** The commit. */
  readonly sha: string;
  /** The short name of a branch or tag; of one for a merge request that one's own ref, as in `refs/merge-requests/7/head`. */
  readonly ref: string;
  readonly tag: boolean;
  readonly source: PipelineSource;
  /** The merge request that it is for; null once that is gone. */
  readonly mergeRequestId: number | null;
  /** Of one for a merge request the branch that it comes from. */
  readonly sourceBranch: string | null;
  readonly status: PipelineStatus;
  /** Who made it; null once they are gone. */
  readonly userId: UserId | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Where its branch led before the push that made it; null otherwise. */
  readonly beforeSha: string | null;
  /** Where its project said that its CI file is when it was made; null where it has one of the usual names. */
  readonly configPath: string | null;
  /** Why the CI file of its commit couldn't be read. */
  readonly yamlErrors: string | null;
  /** The job that started it, which may be of another project, and gone; null for any other. */
  readonly bridgeId: number | null;
  /** What it is called, by its CI file or by people; null where it has no name. */
  readonly name: string | null;
  /** Whether a job of it that fails, and may not, ends the others. */
  readonly failsAtOnce: boolean;
  /** How many pipelines came before it, of which each started the next. */
  readonly depth: number;
  /** How it had ended when people were last told; null before its first end. */
  readonly told: PipelineStatus | null;
}

/** The branch or tag whose code it runs: what somebody may do there decides what they may do to it. */
export const codeRefOf = ({
  ref,
  tag,
  sourceBranch,
}: Pick<Pipeline, 'ref' | 'tag' | 'sourceBranch'>): Pick<Pipeline, 'ref' | 'tag'> => ({
  ref: sourceBranch ?? ref,
  tag,
});

export const ENDED_STATUSES: readonly PipelineStatus[] = ['success', 'failed', 'canceled', 'skipped'];
const ENDED: ReadonlySet<PipelineStatus> = new Set(ENDED_STATUSES);

/** Jobs wait for a runner, for each other, or for their time, or run. */
export const STATUSES_GOING_ON: readonly PipelineStatus[] = [
  'created',
  'scheduled',
  'waiting_for_resource',
  'pending',
  'running',
];

export const hasEnded = (status: PipelineStatus): boolean => ENDED.has(status);

interface StatusWords {
  readonly text: string;
  readonly label: string;
}

/** Where words for people are others than those for programs. */
const WORDS: ReadonlyMap<string, StatusWords> = new Map([
  ['success', { text: 'passed', label: 'passed' }],
  ['manual', { text: 'blocked', label: 'waiting for manual action' }],
  ['scheduled', { text: 'delayed', label: 'waiting for delayed job' }],
  ['waiting_for_resource', { text: 'waiting', label: 'waiting for resource' }],
]);

const WITH_WARNINGS: StatusWords = { text: 'passed', label: 'passed with warnings' };

/** One that succeeded all the same. */
export const hasWarnings = ({ status, warned }: { readonly status: string; readonly warned: boolean }): boolean =>
  status === 'success' && warned;

/** What people are told of how a pipeline stands, in the words that clients know. @param warned whether a check failed that may. */
export const wordsOf = (status: string, warned = false): StatusWords =>
  hasWarnings({ status, warned }) ? WITH_WARNINGS : (WORDS.get(status) ?? { text: status, label: status });

/** A check, as far as it decides how others stand. */
export interface StandingCheck {
  readonly status: CheckStatus;
  readonly allowFailure: boolean;
}

/** What a check counts as: one that may fail `warned` where it did, and one that may be left out is `ignored`. */
type Counted = CheckStatus | 'warned' | 'ignored';

const countedAs = ({ status, allowFailure }: StandingCheck): Counted => {
  if (!allowFailure) return status;
  if (status === 'manual') return 'ignored';
  return status === 'failed' || status === 'canceled' ? 'warned' : status;
};

/** In this order: the first that all of them are among is what they come to. */
const COMING_TO: readonly (readonly [PipelineStatus, ReadonlySet<Counted>])[] = [
  ['skipped', new Set<Counted>(['skipped', 'ignored'])],
  ['success', new Set<Counted>(['success', 'skipped', 'warned', 'ignored'])],
  ['created', new Set<Counted>(['created', 'warned', 'ignored'])],
  ['canceled', new Set<Counted>(['canceled', 'success', 'skipped', 'warned', 'ignored'])],
  ['pending', new Set<Counted>(['pending', 'created', 'skipped', 'warned', 'ignored'])],
];

/** Where nothing runs, for what they wait, the first of these before the others. */
const WAITING = ['waiting_for_resource', 'manual', 'scheduled'] as const;

/** What checks come to together, each by what it said last. */
export const statusOfAll = (checks: readonly StandingCheck[]): PipelineStatus => {
  if (checks.length === 0) return 'created';
  const counted = checks.map(countedAs);
  const found = COMING_TO.find(([, among]) => counted.every((each) => among.has(each)));
  if (found !== undefined) return found[0];
  const has = (status: CheckStatus): boolean => counted.includes(status);
  if (has('pending') || has('running')) return 'running';
  for (const status of WAITING) if (has(status)) return status;
  return has('created') ? 'running' : 'failed';
};
