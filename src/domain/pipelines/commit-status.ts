import type { UserId } from '../shared/identifiers.js';
import { ProblemCollector } from '../shared/problem-collector.js';

/** What a program may say of a commit. */
export const COMMIT_STATUS_WORDS = ['pending', 'running', 'success', 'failed', 'canceled', 'skipped'] as const;
export type CommitStatusWord = (typeof COMMIT_STATUS_WORDS)[number];

/**
 * How a check stands: of jobs, those that wait for others are `created`, those that wait for somebody are `manual`, those that wait for
 * their time are `scheduled`, and those that wait for what another one has of their project are `waiting_for_resource`.
 */
export type CheckStatus = 'created' | 'manual' | 'scheduled' | 'waiting_for_resource' | CommitStatusWord;

/** Where programs elsewhere stand among those that the service has run. */
export const EXTERNAL_STAGE = 'external';

/** What one check, such as a build elsewhere, says of a commit. */
export interface CommitStatus {
  readonly id: number;
  readonly pipelineId: number;
  readonly name: string;
  /** Of its pipeline; `EXTERNAL_STAGE` for a program elsewhere. */
  readonly stage: string;
  readonly status: CheckStatus;
  /** Whether the pipeline succeeds without it. */
  readonly allowFailure: boolean;
  readonly authorId: UserId | null;
  /** Where it is told in full. */
  readonly targetUrl: string | null;
  readonly description: string | null;
  /** How much of the code tests reach, in hundredths of a percent. */
  readonly coverage: number | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** False once the same check has said something newer. */
  readonly latest: boolean;
}

/** What is said beside the word. */
export type StatusDetails = Pick<CommitStatus, 'targetUrl' | 'description' | 'coverage'>;

const MAX_NAME = 255;
const MAX_TEXT = 1_000;
const ADDRESS = /^https?:\/\/[^\s]+$/i;

/** @throws Invalid naming every problem. */
export const checkCommitStatus = ({
  name,
  targetUrl,
  description,
}: Pick<CommitStatus, 'name' | 'targetUrl' | 'description'>): void =>
  new ProblemCollector()
    .check(name.trim() !== '', 'name', "can't be blank")
    .check(name.length <= MAX_NAME, 'name', `is too long (maximum is ${MAX_NAME} characters)`)
    .check(
      targetUrl === null || ADDRESS.test(targetUrl),
      'target_url',
      'is blocked: Only allowed schemes are http, https',
    )
    .check((targetUrl?.length ?? 0) <= MAX_TEXT, 'target_url', `is too long (maximum is ${MAX_TEXT} characters)`)
    .check((description?.length ?? 0) <= MAX_TEXT, 'description', `is too long (maximum is ${MAX_TEXT} characters)`)
    .refuse();

const UNFINISHED: ReadonlySet<CheckStatus> = new Set<CheckStatus>([
  ...(['created', 'manual', 'scheduled', 'waiting_for_resource', 'pending', 'running'] as const),
]);

/** Whether a check has nothing more to say for now. */
export const isFinished = (status: CheckStatus): boolean => !UNFINISHED.has(status);

/** What the same program says next of the same check: it goes on, begins anew beside what it said, or makes no sense. */
export type NextStep = 'goes on' | 'begins anew' | 'impossible';

/** A check that runs waits no more; one that has ended ends the same way only when it is run again. */
export const nextStep = (from: CommitStatusWord, to: CommitStatusWord): NextStep => {
  if (isFinished(from)) return from === to ? 'impossible' : 'begins anew';
  return from === 'running' && to === 'pending' ? 'impossible' : 'goes on';
};

const EVENTS: Readonly<Record<CommitStatusWord, string>> = {
  pending: 'enqueue',
  running: 'run',
  success: 'success',
  failed: 'drop',
  canceled: 'cancel',
  skipped: 'skip',
};

/** Why one can't follow the other, in the words that clients know. */
export const impossibleStep = (from: CommitStatusWord, to: CommitStatusWord): string => {
  const event = EVENTS[to];
  return `Cannot transition status via :${event} from :${from} (Reason(s): Status cannot transition via "${event}")`;
};
