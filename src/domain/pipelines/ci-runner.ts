import { ProblemCollector } from '../shared/problem-collector.js';
import type { GroupId, UserId } from '../shared/identifiers.js';

/** Whose jobs a runner takes: those of every project, of all in a group and below it, or of some that were chosen. */
export const RUNNER_TYPES = ['instance_type', 'group_type', 'project_type'] as const;
export type RunnerType = (typeof RUNNER_TYPES)[number];

/** What a runner tells of itself. */
export interface RunnerAbout {
  readonly name: string | null;
  readonly version: string | null;
  readonly revision: string | null;
  readonly platform: string | null;
  readonly architecture: string | null;
}

/** A program that runs jobs, on a machine elsewhere. */
export interface CiRunner extends RunnerFields {
  readonly id: number;
  readonly type: RunnerType;
  /** The group whose jobs it takes; null for one of another type. */
  readonly groupId: GroupId | null;
  readonly createdBy: UserId | null;
  readonly createdAt: Date;
  /** When it asked last; to the minute. */
  readonly contactedAt: Date | null;
  readonly about: RunnerAbout;
  readonly address: string | null;
}

/** What people choose of a runner. */
export interface RunnerFields {
  readonly description: string | null;
  readonly tags: readonly string[];
  /** Whether it takes jobs without tags. */
  readonly runUntagged: boolean;
  /** Whether no other project may have it. */
  readonly locked: boolean;
  readonly paused: boolean;
  /** Whether it takes jobs of protected branches and tags alone. */
  readonly protectedOnly: boolean;
  /** Seconds that a job may take there at most. */
  readonly maximumTimeout: number | null;
  readonly maintenanceNote: string | null;
}

const MAX_DESCRIPTION = 255;
const MAX_NOTE = 1_024;
const MAX_TAGS = 50;
const MAX_TAG = 255;
const LEAST_TIMEOUT = 600;
const LONGEST_TIMEOUT = 30 * 86_400;

const isTimeout = (seconds: number | null): boolean =>
  seconds === null || (seconds >= LEAST_TIMEOUT && seconds <= LONGEST_TIMEOUT);

/** @throws Invalid naming every problem. */
export const checkRunner = ({ description, tags, runUntagged, maximumTimeout, maintenanceNote }: RunnerFields): void =>
  new ProblemCollector()
    .check(
      (description?.length ?? 0) <= MAX_DESCRIPTION,
      'description',
      `is too long (maximum is ${MAX_DESCRIPTION} characters)`,
    )
    .check(
      (maintenanceNote?.length ?? 0) <= MAX_NOTE,
      'maintenance_note',
      `is too long (maximum is ${MAX_NOTE} characters)`,
    )
    .check(
      tags.length <= MAX_TAGS,
      'tags_list',
      `Too many tags specified. Please limit the number of tags to ${MAX_TAGS}`,
    )
    .check(
      tags.every((tag) => tag.length <= MAX_TAG),
      'tags_list',
      `is too long (maximum is ${MAX_TAG} characters a tag)`,
    )
    .check(
      tags.length > 0 || runUntagged,
      'tags_list',
      'can not be empty when runner is not allowed to pick untagged jobs',
    )
    .check(isTimeout(maximumTimeout), 'maximum_timeout', `needs to be at least 10 minutes and at most 30 days`)
    .refuse();

/** After so long without a word a runner counts as gone for now. */
const ONLINE_MS = 2 * 3_600_000;
const STALE_MS = 7 * 86_400_000;

export const RUNNER_STANDINGS = ['online', 'offline', 'stale', 'never_contacted'] as const;
export type RunnerStanding = (typeof RUNNER_STANDINGS)[number];

/** Whether a runner is heard from. */
export const runnerStanding = (
  { contactedAt, createdAt }: Pick<CiRunner, 'contactedAt' | 'createdAt'>,
  now: Date,
): RunnerStanding => {
  const silentMs = now.getTime() - (contactedAt ?? createdAt).getTime();
  if (silentMs >= STALE_MS) return 'stale';
  if (contactedAt === null) return 'never_contacted';
  return silentMs < ONLINE_MS ? 'online' : 'offline';
};

/** When whoever stands so was heard of last, or was made where it never was: after the one, until the other. */
export const spanOfStanding = (
  standing: RunnerStanding,
  now: Date,
): { readonly after: Date | null; readonly until: Date | null } => {
  const [stale, offline] = [new Date(now.getTime() - STALE_MS), new Date(now.getTime() - ONLINE_MS)];
  return {
    online: { after: offline, until: null },
    offline: { after: stale, until: offline },
    stale: { after: null, until: stale },
    never_contacted: { after: stale, until: null },
  }[standing];
};

/** Whether a runner may take a job with these tags. */
export const fitsTags = (
  { tags, runUntagged }: Pick<RunnerFields, 'tags' | 'runUntagged'>,
  wanted: readonly string[],
): boolean => (wanted.length === 0 ? runUntagged : wanted.every((tag) => tags.includes(tag)));
