import { MAX_SECONDS, readDuration, writeDuration } from '../../domain/collaboration/duration.js';
import { ACCESS_LEVEL } from '../../domain/shared/access-level.js';
import { Forbidden, Invalid } from '../../domain/shared/domain-error.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { NoteRepository } from './ports/note-ports.js';
import type { TimeRepository, TrackedTime } from './ports/time-ports.js';
import type { DiscussableSubject } from './subjects.js';

interface Needs {
  readonly times: TimeRepository;
  readonly notes: NoteRepository;
}

interface Change {
  readonly time: TrackedTime;
  /** Written below the subject. */
  readonly note: string;
}

const BAD_ESTIMATE = 'Time estimate must have a valid format and be greater than or equal to zero.';
const BAD_TIME = 'Time spent must have a valid format, such as 1h 30m.';
const TOO_LONG = 'Time is longer than can be tracked';
const TOO_SHORT = 'Time to subtract exceeds the total time spent';

const refuse = (problem: string): never => {
  throw new Invalid({ base: [problem] });
};

/** How long something will take, and took. */
export class TimeTracking {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /** @throws Forbidden below reporter; Invalid at `base` for what is no time, or too long. */
  estimate(actor: UserActor, found: DiscussableSubject, duration: string): Promise<TrackedTime> {
    const estimatedSeconds = readDuration(duration) ?? refuse(BAD_ESTIMATE);
    if (estimatedSeconds < 0) refuse(BAD_ESTIMATE);
    const note =
      estimatedSeconds === 0 ? 'removed time estimate' : `changed time estimate to ${write(estimatedSeconds)}`;
    return this.#change(actor, found, (time) => ({ time: { ...time, estimatedSeconds }, note }));
  }

  /** @throws as `estimate`, and Invalid where more is taken away than was spent. */
  spend(actor: UserActor, found: DiscussableSubject, duration: string): Promise<TrackedTime> {
    const seconds = readDuration(duration) ?? refuse(BAD_TIME);
    if (seconds === 0) refuse(BAD_TIME);
    const note = `${seconds < 0 ? 'subtracted' : 'added'} ${write(Math.abs(seconds))} of time spent`;
    return this.#change(actor, found, (time) => {
      const spentSeconds = time.spentSeconds + seconds;
      return { time: { ...time, spentSeconds: spentSeconds < 0 ? refuse(TOO_SHORT) : spentSeconds }, note };
    });
  }

  /** @throws Forbidden below reporter. */
  resetSpent(actor: UserActor, found: DiscussableSubject): Promise<TrackedTime> {
    return this.#change(actor, found, (time) => ({ time: { ...time, spentSeconds: 0 }, note: 'removed time spent' }));
  }

  async #change(
    { id: authorId }: UserActor,
    { subject, level }: DiscussableSubject,
    change: (time: TrackedTime) => Change,
  ): Promise<TrackedTime> {
    if (level < ACCESS_LEVEL.reporter) throw new Forbidden();
    const createdAt = this.clock.now();
    return this.unitOfWork.execute(async ({ times, notes }) => {
      const before = await times.take(subject.id);
      const { time, note: body } = change(before);
      if (Math.max(time.estimatedSeconds, time.spentSeconds) > MAX_SECONDS) refuse(TOO_LONG);
      if (time.estimatedSeconds === before.estimatedSeconds && time.spentSeconds === before.spentSeconds) return time;
      await times.save(subject.id, time);
      await notes.add({ subjectId: subject.id, authorId, body, system: true, createdAt });
      return time;
    });
  }
}

const write = (seconds: number): string => writeDuration(seconds) ?? '0h';
