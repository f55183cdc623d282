import { MAX_TEXT } from '../../domain/planning/issue.js';
import { Forbidden } from '../../domain/shared/domain-error.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ChangeableIssue } from './issues.js';
import type { NoteWithAuthor } from './ports/planning-readers.js';
import type { NoteRepository } from './ports/planning-repositories.js';

/** The level from which somebody changes what others wrote. */
const MAINTAINER = 40;

/** Comments on issues. */
export class Notes {
  constructor(
    private readonly unitOfWork: UnitOfWork<{ readonly notes: NoteRepository; readonly events: DomainEvents }>,
    private readonly clock: Clock,
  ) {}

  /** @throws Invalid at `body`. */
  async add(author: UserActor, { issue }: ChangeableIssue, body: string): Promise<number> {
    check(body);
    const createdAt = this.clock.now();
    const note = { issueId: issue.id, authorId: author.id, body, system: false, createdAt };
    return this.unitOfWork.execute(async ({ notes, events }) => {
      const added = await notes.add(note);
      await events.publish({ kind: 'note_added', issue, note: added, by: author.id, at: createdAt });
      return added.id;
    });
  }

  /** @throws Forbidden unless it is the caller's own, or he is a maintainer; what the service wrote stays. Invalid at `body`. */
  async edit(actor: UserActor, visible: ChangeableIssue, note: NoteWithAuthor, body: string): Promise<void> {
    this.#requireOwn(actor, visible, note);
    check(body);
    await this.unitOfWork.execute(({ notes }) => notes.update(note.id, body, this.clock.now()));
  }

  /** @throws Forbidden as for a change. */
  async remove(actor: UserActor, visible: ChangeableIssue, note: NoteWithAuthor): Promise<void> {
    this.#requireOwn(actor, visible, note);
    const happening = { issue: visible.issue, note, by: actor.id, at: this.clock.now() };
    await this.unitOfWork.execute(async ({ notes, events }) => {
      await notes.remove(note.id);
      await events.publish({ kind: 'note_removed', ...happening });
    });
  }

  #requireOwn(actor: UserActor, { party }: ChangeableIssue, { authorId, system }: NoteWithAuthor): void {
    if (system || (authorId !== actor.id && party.level < MAINTAINER)) throw new Forbidden();
  }
}

const check = (body: string): void =>
  new ProblemCollector()
    .check(body.trim() !== '', 'note', "can't be blank")
    .check(body.length <= MAX_TEXT, 'note', `is too long (maximum is ${MAX_TEXT} characters)`)
    .refuse();
