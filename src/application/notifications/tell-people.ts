import { askPeople, type TodoRepositories } from '../collaboration/operations/todos.js';
import type { Clock } from '../shared/ports/clock.js';
import type { JobProgress } from '../shared/jobs/job-runner.js';
import { decideTodos } from './decide-todos.js';
import { alsoConcerned, decideMail, findNamed, mayRead } from './decide-mail.js';
import { mailExpiry } from './mail-lifetime.js';
import type { Audience, Topic } from './ports/audience-ports.js';
import type { Cause, CauseRepository } from './ports/cause-ports.js';
import type { MailOutbox, NewNotification } from './ports/mail-outbox.js';

interface Needs extends TodoRepositories {
  readonly causes: CauseRepository;
  readonly audience: Audience;
  readonly mailOutbox: MailOutbox;
}

/** A cause whose people are to be told, and how many of them at most. */
interface Telling {
  readonly cause: Cause;
  readonly topic: Topic;
  readonly now: Date;
  readonly limit: number;
}

/** What came of it. */
interface Told {
  /** How many people were gone through. */
  readonly people: number;
  readonly progress: JobProgress;
  readonly mails: readonly NewNotification[];
}

const PEOPLE_AT_ONCE = 200;

/** Makes of each cause a to-do for each person who is asked, and a mail for each who is to have one, some people at a time. */
export class TellPeople {
  constructor(private readonly clock: Clock) {}

  /** One step of several causes, the oldest first: what they have in common is looked up once. */
  async steps(repositories: Needs, causeIds: readonly number[]): Promise<readonly JobProgress[]> {
    const now = this.clock.now();
    const causes = await repositories.causes.findAll(causeIds);
    const topics = await repositories.audience.topicsOf(causes);
    const progress = new Map<number, JobProgress>();
    const mails: NewNotification[] = [];
    let left = PEOPLE_AT_ONCE;
    for (const cause of causes) {
      const topic = topics.get(cause.id);
      // What it was about is gone.
      if (topic === undefined) continue;
      const told = await this.#tell(repositories, { cause, topic, now, limit: left });
      left -= told.people;
      mails.push(...told.mails);
      progress.set(cause.id, told.progress);
    }
    await repositories.mailOutbox.addNotifications(mails, now);
    return causeIds.map((id) => progress.get(id) ?? 'done');
  }

  async #tell(repositories: Needs, { cause, topic, now, limit }: Telling): Promise<Told> {
    if (limit === 0) return { people: 0, progress: 'more', mails: [] };
    const { causes, audience } = repositories;
    const today = now.toISOString().slice(0, 10);
    const named = await findNamed(audience, cause, topic);
    const slice = { after: cause.toldUpTo, limit: PEOPLE_AT_ONCE };
    const found = await audience.candidates(cause, topic, alsoConcerned(cause, named), today, slice);
    const ids = found.slice(0, limit);
    const people = (await audience.people(cause, topic, ids, today)).filter((person) => mayRead(person, cause, topic));
    const todos = people.flatMap((person) => decideTodos(person, cause, topic, named));
    await askPeople(repositories, todos, cause.at);
    const expiresAt = mailExpiry(cause.at);
    const mails = people.flatMap((person) => {
      const decision = decideMail(person, cause, topic, named);
      if (decision.outcome !== 'mailed') return [];
      return [{ causeId: cause.id, userId: person.id, reason: decision.reason, expiresAt }];
    });
    const last = ids.at(-1);
    const all = found.length === ids.length && found.length < PEOPLE_AT_ONCE;
    if (last === undefined || all) return { people: ids.length, progress: 'done', mails };
    await causes.tellUpTo(cause.id, last);
    return { people: ids.length, progress: 'more', mails };
  }
}
