import { checkDiscussionSize } from '../../domain/collaboration/discussion.js';
import { readQuickActions } from '../../domain/collaboration/quick-action.js';
import { checkNote, mayChangeNote, mayComment } from '../../domain/collaboration/note.js';
import { Forbidden } from '../../domain/shared/domain-error.js';
import { timeGiven } from '../../domain/shared/given-time.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { UserActor } from '../shared/actor.js';
import { requireSeen } from '../shared/overtaken.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { keepNote, type NoteRepositories } from './operations/keep-notes.js';
import type { ActionOutcome } from './ports/action-ports.js';
import type { NoteWithAuthor } from './ports/note-ports.js';
import type { Keep, StateEvent, TextWriter, Written } from './quick-actions.js';
import type { ReadSuggestions } from './read-suggestions.js';
import type { DiscussableSubject } from './subjects.js';

/** What is to stand in a comment. */
interface NoteEdit {
  readonly written: string;
  /** It is written only where the comment still is this text. */
  readonly seen?: string;
}

interface Said {
  /** When it was written, which owners may say; whoever is told of it is told now. */
  readonly writtenAt?: Date | undefined;
  /** Closes or reopens the subject with it: both are done, or neither. */
  readonly stateEvent?: StateEvent | undefined;
}

/** Comments on subjects of every kind. */
export class Notes {
  constructor(
    private readonly unitOfWork: UnitOfWork<NoteRepositories>,
    private readonly writer: TextWriter<NoteRepositories>,
    private readonly readSuggestions: ReadSuggestions,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns its id. @throws Forbidden for who is no member where the discussion is locked; Invalid at `note` or `created_at`; BadRequest
   * where it is nothing but quick actions, none of which could be done; NotPossible where the state can't be changed so.
   */
  async add(
    author: UserActor,
    found: DiscussableSubject,
    written: string,
    { writtenAt, stateEvent }: Said = {},
  ): Promise<Written<number>> {
    if (!mayComment(found.subject, found)) throw new Forbidden();
    check(written);
    const at = this.clock.now();
    const createdAt = timeGiven('created_at', writtenAt, { level: found.level, now: at }) ?? at;
    const keep: Keep<NoteRepositories, number> = (repositories, { subject }, body) =>
      keepNote(repositories, { subject, by: author.id, body, at, createdAt });
    return this.writer.write(author, found, { body: written, keep, stateEvent });
  }

  /**
   * @throws Forbidden unless it is the caller's own, or they are a maintainer; what the service wrote stays. Forbidden and Invalid as for
   * one that is added. Overtaken.
   * @returns what became of the quick actions in it.
   */
  async edit(
    actor: UserActor,
    found: DiscussableSubject,
    note: NoteWithAuthor,
    { written, seen }: NoteEdit,
  ): Promise<readonly ActionOutcome[]> {
    this.#requireOwn(actor, found, note);
    if (!mayComment(found.subject, found)) throw new Forbidden();
    check(written);
    // What is left of it stands in place of what was said.
    check(readQuickActions(written).text);
    const suggested = await this.readSuggestions.execute(found.subject, note.place, written);
    const keep: Keep<NoteRepositories, void> = async (repositories, { subject }, body) => {
      const { notes, discussions, suggestions, events } = repositories;
      if (note.discussionId !== null) await discussions.hold(note.discussionId);
      const previous = (await notes.take(note.id))?.body;
      requireSeen(seen, previous);
      const at = this.clock.now();
      await notes.update(note.id, body, at);
      if (note.place !== null) await suggestions.replace(note.id, suggested);
      if (note.discussionId !== null) checkDiscussionSize(await discussions.sizeOf(note.discussionId));
      if (previous === undefined || previous === body) return;
      await events.publish({ kind: 'note_edited', subject, note: { id: note.id, body }, previous, by: actor.id, at });
    };
    const { outcomes } = await this.writer.write(actor, found, { body: written, keep });
    return outcomes;
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
