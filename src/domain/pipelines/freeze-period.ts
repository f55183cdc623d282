import type { ProjectId } from '../shared/identifiers.js';
import { ProblemCollector } from '../shared/problem-collector.js';
import type { CronFacts } from './pipeline-schedule.js';

/** When nothing is to be deployed: from each time of one pattern of cron to the next of another. */
export interface FreezeFields {
  readonly freezeStart: string;
  readonly freezeEnd: string;
  /** The time zone of both, by its name. */
  readonly cronTimezone: string;
}

export interface FreezePeriod extends FreezeFields {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const MAX_FREEZE_TEXT = 255;
/** More than people look after; each is looked at for each pipeline. */
export const MOST_FREEZE_PERIODS = 50;

/** What jobs of pipelines are told that begin within one. */
export const DEPLOY_FREEZE = 'CI_DEPLOY_FREEZE';

/** @throws Invalid at `freeze_start`, `freeze_end` and `cron_timezone`. */
export const checkFreezePeriod = (
  { freezeStart, freezeEnd, cronTimezone }: FreezeFields,
  { zone, startDue, endDue }: Pick<CronFacts, 'zone'> & { readonly startDue: boolean; readonly endDue: boolean },
): void => {
  const problems = new ProblemCollector();
  const texts = [
    ['freeze_start', freezeStart],
    ['freeze_end', freezeEnd],
    ['cron_timezone', cronTimezone],
  ] as const;
  for (const [attribute, text] of texts) {
    problems.check(text.trim() !== '', attribute, "can't be blank");
    const fits = text.length <= MAX_FREEZE_TEXT;
    problems.check(fits, attribute, `is too long (maximum is ${MAX_FREEZE_TEXT} characters)`);
  }
  problems
    .check(zone, 'cron_timezone', 'is invalid syntax')
    .check(!zone || startDue, 'freeze_start', 'is invalid syntax')
    .check(!zone || endDue, 'freeze_end', 'is invalid syntax')
    .refuse();
};

/** Whether an instant is within a period, by the next times that it begins and ends after it: it ends before it begins anew. */
export const isWithin = (nextStart: Date | undefined, nextEnd: Date | undefined): boolean =>
  nextEnd !== undefined && (nextStart === undefined || nextEnd < nextStart);
