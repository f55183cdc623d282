import { MAX_SECONDS, readDuration, writeDuration } from '../../../domain/collaboration/duration.js';
import { Invalid } from '../../../domain/shared/domain-error.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { NoteRepository } from '../ports/note-ports.js';
import type { TimeRepository, TrackedTime } from '../ports/time-ports.js';

/** What the operations need of the caller's unit of work. */
export interface TimeRepositories {
  readonly times: TimeRepository;
  readonly notes: NoteRepository;
}

interface Change {
  readonly time: TrackedTime;
  /** Written below the subject. */
  readonly note: string;
}

/** What becomes of the time that a subject has. @throws Invalid at `base`. */
export type TimeChange = (time: TrackedTime) => Change;

const BAD_ESTIMATE = 'Time estimate must have a valid format and be greater than or equal to zero.';
const BAD_TIME = 'Time spent must have a valid format, such as 1h 30m.';
const TOO_LONG = 'Time is longer than can be tracked';
const TOO_SHORT = 'Time to subtract exceeds the total time spent';

const refuse = (problem: string): never => {
  throw new Invalid({ base: [problem] });
};

const write = (seconds: number): string => writeDuration(seconds) ?? '0h';

/** @throws Invalid at `base` for what is no time. */
export const estimate = (duration: string): TimeChange => {
  const estimatedSeconds = readDuration(duration) ?? refuse(BAD_ESTIMATE);
  if (estimatedSeconds < 0) refuse(BAD_ESTIMATE);
  const note = estimatedSeconds === 0 ? 'removed time estimate' : `changed time estimate to ${write(estimatedSeconds)}`;
  return (time) => ({ time: { ...time, estimatedSeconds }, note });
};

/** @throws Invalid at `base` for what is no time. */
export const spend = (duration: string): TimeChange => {
  const seconds = readDuration(duration) ?? refuse(BAD_TIME);
  if (seconds === 0) refuse(BAD_TIME);
  const note = `${seconds < 0 ? 'subtracted' : 'added'} ${write(Math.abs(seconds))} of time spent`;
  return (time) => {
    const spentSeconds = time.spentSeconds + seconds;
    return { time: { ...time, spentSeconds: spentSeconds < 0 ? refuse(TOO_SHORT) : spentSeconds }, note };
  };
};

export const resetSpent: TimeChange = (time) => ({ time: { ...time, spentSeconds: 0 }, note: 'removed time spent' });

/** Within the caller's unit of work. Whoever calls it has seen to it that they may. @throws Invalid at `base`. */
export const trackTime = async (
  { times, notes }: TimeRepositories,
  subjectId: number,
  change: TimeChange,
  { by, at }: { readonly by: UserId; readonly at: Date },
): Promise<TrackedTime> => {
  const before = await times.take(subjectId);
  const { time, note: body } = change(before);
  if (Math.max(time.estimatedSeconds, time.spentSeconds) > MAX_SECONDS) refuse(TOO_LONG);
  if (time.estimatedSeconds === before.estimatedSeconds && time.spentSeconds === before.spentSeconds) return time;
  await times.save(subjectId, time);
  await notes.add({ subjectId, authorId: by, body, system: true, createdAt: at });
  return time;
};
