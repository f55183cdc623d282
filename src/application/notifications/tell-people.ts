import { askPeople, type TodoRepositories } from '../collaboration/operations/todos.js';
import type { Clock } from '../shared/ports/clock.js';
import type { JobProgress } from '../shared/jobs/job-runner.js';
import { decideTodos } from './decide-todos.js';
import { alsoConcerned, decideMail, findNamed, mayRead } from './decide-mail.js';
import { mailExpiry } from './mail-lifetime.js';
import type { Audience } from './ports/audience-ports.js';
import type { CauseRepository } from './ports/cause-ports.js';
import type { MailOutbox } from './ports/mail-outbox.js';

interface Needs extends TodoRepositories {
  readonly causes: CauseRepository;
  readonly audience: Audience;
  readonly mailOutbox: MailOutbox;
}

const PEOPLE_AT_ONCE = 200;

/** Makes of one cause a to-do for each person who is asked, and a mail for each who is to have one, some people at a time. */
export class TellPeople {
  constructor(private readonly clock: Clock) {}

  async step(repositories: Needs, causeId: number): Promise<JobProgress> {
    const { causes, audience, mailOutbox } = repositories;
    const cause = await causes.find(causeId);
    const topic = cause && (await audience.topicOf(cause));
    // What it was about is gone.
    if (cause === undefined || topic === undefined) return 'done';
    const now = this.clock.now();
    const today = now.toISOString().slice(0, 10);
    const named = await findNamed(audience, cause, topic);
    const slice = { after: cause.toldUpTo, limit: PEOPLE_AT_ONCE };
    const ids = await audience.candidates(cause, topic, alsoConcerned(cause, named), today, slice);
    const people = (await audience.people(cause, topic, ids, today)).filter((person) => mayRead(person, cause, topic));
    await askPeople(
      repositories,
      people.flatMap((person) => decideTodos(person, cause, topic, named)),
      cause.at,
    );
    const mails = people.flatMap((person) => {
      const decision = decideMail(person, cause, topic, named);
      return decision.outcome === 'mailed' ? [{ userId: person.id, reason: decision.reason }] : [];
    });
    await mailOutbox.addNotifications(cause.id, mails, now, mailExpiry(cause.at));
    const last = ids.at(-1);
    if (last === undefined || ids.length < PEOPLE_AT_ONCE) return 'done';
    await causes.tellUpTo(cause.id, last);
    return 'more';
  }
}
