import { checkDiscussionSize } from '../../domain/collaboration/discussion.js';
import { checkNote, mayChangeNote, mayComment } from '../../domain/collaboration/note.js';
import { Forbidden } from '../../domain/shared/domain-error.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { DiscussionRepository } from './ports/discussion-ports.js';
import type { NoteRepository, NoteWithAuthor } from './ports/note-ports.js';
import type { DiscussableSubject } from './subjects.js';

interface Needs {
  readonly notes: NoteRepository;
  readonly discussions: DiscussionRepository;
  readonly events: DomainEvents;
}

/** Comments on subjects of every kind. */
export class Notes {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /** @throws Forbidden for who is no member where the discussion is locked; Invalid at `note`. */
  async add(author: UserActor, found: DiscussableSubject, body: string): Promise<number> {
    const { subject } = found;
    if (!mayComment(subject, found)) throw new Forbidden();
    check(body);
    const createdAt = this.clock.now();
    const note = { subjectId: subject.id, authorId: author.id, body, system: false, createdAt };
    return this.unitOfWork.execute(async ({ notes, events }) => {
      const added = await notes.add(note);
      await events.publish({ kind: 'note_added', subject, note: added, by: author.id, at: createdAt });
      return added.id;
    });
  }

  /**
   * @throws Forbidden unless it is the caller's own, or they are a maintainer; what the service wrote stays. Forbidden and Invalid as for
   * one that is added.
   */
  async edit(actor: UserActor, found: DiscussableSubject, note: NoteWithAuthor, body: string): Promise<void> {
    this.#requireOwn(actor, found, note);
    if (!mayComment(found.subject, found)) throw new Forbidden();
    check(body);
    await this.unitOfWork.execute(async ({ notes, discussions }) => {
      if (note.discussionId !== null) await discussions.hold(note.discussionId);
      await notes.update(note.id, body, this.clock.now());
      if (note.discussionId !== null) checkDiscussionSize(await discussions.sizeOf(note.discussionId));
    });
  }

  /** @throws Forbidden unless it is the caller's own, or they are a maintainer; what the service wrote stays. */
  async remove(actor: UserActor, found: DiscussableSubject, note: NoteWithAuthor): Promise<void> {
    this.#requireOwn(actor, found, note);
    const happening = { subject: found.subject, note, by: actor.id, at: this.clock.now() };
    await this.unitOfWork.execute(async ({ notes, discussions, events }) => {
      if (note.discussionId !== null) await discussions.hold(note.discussionId);
      await notes.remove(note.id);
      if (note.discussionId !== null) await discussions.removeEmpty(note.discussionId);
      await events.publish({ kind: 'note_removed', ...happening });
    });
  }

  #requireOwn(actor: UserActor, { level }: DiscussableSubject, note: NoteWithAuthor): void {
    if (!mayChangeNote(note, { userId: actor.id, level })) throw new Forbidden();
  }
}

const check = (body: string): void => {
  const problems = new ProblemCollector();
  checkNote(problems, body);
  problems.refuse();
};
