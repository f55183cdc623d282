import { awardName } from '../../domain/collaboration/award.js';
import { NotFound, Unauthenticated } from '../../domain/shared/domain-error.js';
import { isAdmin, type UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { AlreadyGiven, type AwardRepository, type GivenAward, type IsEmoji } from './ports/award-ports.js';
import type { NoteWithAuthor } from './ports/note-ports.js';
import type { DiscussableSubject } from './subjects.js';

interface Needs {
  readonly awards: AwardRepository;
  readonly events: DomainEvents;
}

/** What is awarded: a subject, or a note of it. */
export interface AwardedThing {
  readonly found: DiscussableSubject;
  readonly note: NoteWithAuthor | null;
}

/** Emoji that people give to what others wrote. */
export class Awards {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly isEmoji: IsEmoji,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound where no emoji is called so; AlreadyGiven. */
  async give(actor: UserActor, { found: { subject }, note }: AwardedThing, given: string): Promise<number> {
    const name = awardName(given);
    if (!this.isEmoji(name)) throw new NotFound('Award Emoji Name is not a valid emoji name');
    const at = this.clock.now();
    return this.unitOfWork.execute(async ({ awards, events }) => {
      const awarded = { subjectId: subject.id, noteId: note?.id ?? null };
      const id = await awards.add(awarded, { name, userId: actor.id, at });
      await events.publish({ kind: 'award_given', subject, by: actor.id, at });
      return id;
    });
  }

  /** Makes what somebody gave be as they want it, which it may be already. @throws NotFound where no emoji is called so. */
  async react(
    actor: UserActor,
    thing: AwardedThing,
    { name, given }: { readonly name: string; readonly given: boolean },
  ): Promise<void> {
    if (!given) return this.#takeOf(actor, thing, awardName(name));
    try {
      await this.give(actor, thing, name);
    } catch (error) {
      if (!(error instanceof AlreadyGiven)) throw error;
    }
  }

  async #takeOf({ id: userId }: UserActor, { found: { subject }, note }: AwardedThing, name: string): Promise<void> {
    const awarded = { subjectId: subject.id, noteId: note?.id ?? null };
    await this.unitOfWork.execute(({ awards }) => awards.removeOf(awarded, { name, userId }));
  }

  /** @throws Unauthenticated unless it is the caller's own, or they are an administrator. */
  async take(actor: UserActor, award: GivenAward): Promise<void> {
    if (award.user.id !== actor.id && !isAdmin(actor)) throw new Unauthenticated();
    await this.unitOfWork.execute(({ awards }) => awards.remove(award.id));
  }
}
