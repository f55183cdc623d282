import type { ProjectId, UserId } from '../shared/identifiers.js';
import { ProblemCollector } from '../shared/problem-collector.js';

/** Why a schedule was made inactive by itself: its owner is gone or blocked, may not run it any more, or its branch or tag is gone. */
export type WhyStopped = 'owner_gone' | 'owner_may_not' | 'ref_gone';

/** When a schedule makes pipelines, and of what. */
export interface ScheduleFields {
  readonly description: string;
  /** A branch or tag: by its full or short name where it is sent, by its short one where it is kept. */
  readonly ref: string;
  /** Minute, hour, day of the month, month and day of the week, as cron takes them. */
  readonly cron: string;
  /** The time zone of `cron`, by its name. */
  readonly cronTimezone: string;
  readonly active: boolean;
}

/** Makes pipelines by the clock, as if its owner had. */
export interface PipelineSchedule extends ScheduleFields {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly tag: boolean;
  /** Null once they are gone. */
  readonly ownerId: UserId | null;
  /** Null while it is not active. */
  readonly nextRunAt: Date | null;
  readonly stoppedBecause: WhyStopped | null;
  /** Why its last run made no pipeline. */
  readonly lastProblem: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastPlayedAt: Date | null;
}

export const MAX_SCHEDULE_TEXT = 255;
/** More than people look after. */
export const MOST_SCHEDULES = 50;
/** So far apart are two runs of one schedule at least, give or take a minute, whatever its pattern says. */
export const LEAST_BETWEEN_RUNS_MS = 600_000;
/** So far apart is it run by hand. */
export const LEAST_BETWEEN_PLAYS_MS = 60_000;

/** So long after its time may a run begin. */
const TICK_MS = 60_000;

const FIELDS = /^\S+(?:\s+\S+){4}$/;

/** What is known of a pattern of cron. */
export interface CronFacts {
  /** Whether its time zone is one. */
  readonly zone: boolean;
  /** Whether it is ever due. */
  readonly due: boolean;
}

/** Whether a pattern has as many fields as it needs: none for seconds or years, and no nickname. */
export const isCronOfFive = (cron: string): boolean => FIELDS.test(cron);

/** @throws Invalid at `description`, `cron` and `cron_timezone`. */
export const checkSchedule = (fields: Omit<ScheduleFields, 'ref' | 'active'>, facts: CronFacts): void => {
  const problems = new ProblemCollector();
  const texts = [
    ['description', fields.description],
    ['cron', fields.cron],
    ['cron_timezone', fields.cronTimezone],
  ] as const;
  for (const [attribute, text] of texts) {
    problems.check(text.trim() !== '', attribute, "can't be blank");
    const fits = text.length <= MAX_SCHEDULE_TEXT;
    problems.check(fits, attribute, `is too long (maximum is ${MAX_SCHEDULE_TEXT} characters)`);
  }
  problems
    .check(facts.zone, 'cron_timezone', 'is invalid syntax')
    .check(!facts.zone || facts.due, 'cron', 'is invalid syntax')
    .refuse();
};

/** After this instant a run may follow one that begins now, whenever that one was due. */
export const nextRunAfter = (now: Date): Date => new Date(now.getTime() + LEAST_BETWEEN_RUNS_MS - TICK_MS);
