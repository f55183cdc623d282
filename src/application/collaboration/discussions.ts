import { checkDiscussionSize, mayResolve } from '../../domain/collaboration/discussion.js';
import { suggestionsIn } from '../../domain/collaboration/suggestion.js';
import type { DiscussionPlace } from '../../domain/shared/diff-position.js';
import { checkNote, mayComment } from '../../domain/collaboration/note.js';
import { BadRequest, Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import { timeGiven } from '../../domain/shared/given-time.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import type { UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { DiscussionReader, DiscussionRepository } from './ports/discussion-ports.js';
import type { NoteRepository, SuggestionRepository } from './ports/note-ports.js';
import type { SaidPosition, SubjectDetails } from './ports/subject-ports.js';
import type { TextWriter, Written } from './quick-actions.js';
import type { DiffsOf, ReadSuggestions } from './read-suggestions.js';
import type { DiscussableSubject } from './subjects.js';

interface Needs {
  readonly notes: NoteRepository;
  readonly discussions: DiscussionRepository;
  readonly suggestions: SuggestionRepository;
  readonly events: DomainEvents;
}

interface Said {
  /** Of one about lines of a diff: where they are. */
  readonly position?: SaidPosition;
  /** When it was written, which owners may say; whoever is told of it is told now. */
  readonly writtenAt?: Date;
}

interface Answered extends Pick<Said, 'writtenAt'> {
  readonly firstNoteId: number;
}

interface Times {
  readonly at: Date;
  readonly createdAt: Date;
}

/** Comments that answer each other. */
export class Discussions {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly writer: TextWriter<Needs>,
    private readonly reader: Pick<DiscussionReader, 'find'>,
    private readonly diffsOf: DiffsOf,
    private readonly readSuggestions: ReadSuggestions,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the id of its first note.
   * @throws as `Notes.add`; BadRequest where there are no such lines; Unavailable.
   */
  async begin(
    author: UserActor,
    found: DiscussableSubject,
    written: string,
    { position, writtenAt }: Said = {},
  ): Promise<Written<number>> {
    check(found, written);
    const times = this.#times(found, writtenAt);
    const place = await this.#place(found.subject, position);
    const suggested = await this.readSuggestions.execute(found.subject, place, written);
    const begun = await this.writer.write(author, found, written, async (repositories, { subject }, body) => {
      const id = await this.#add(repositories, author, subject, { body, ...times });
      await repositories.discussions.begin(subject.id, id, place);
      if (suggested.length > 0) await repositories.suggestions.replace(id, suggested);
      return id;
    });
    // The code may have moved on before it was kept.
    if (place !== undefined) await this.diffsOf(found.subject)?.follow(found.subject);
    return begun;
  }

  /** @returns the id of the note. @throws NotFound "Discussion"; Forbidden and Invalid as for one that begins. */
  async reply(
    author: UserActor,
    found: DiscussableSubject,
    { firstNoteId, writtenAt }: Answered,
    written: string,
  ): Promise<Written<number>> {
    check(found, written);
    const times = this.#times(found, writtenAt);
    const place = await this.#placeOf(found.subject, firstNoteId, written);
    const suggested = await this.readSuggestions.execute(found.subject, place, written);
    return this.writer.write(author, found, written, async (repositories, { subject }, body) => {
      const { discussions, suggestions } = repositories;
      const discussion = await discussions.takeOrBegin(subject.id, firstNoteId);
      if (discussion === undefined) throw new NotFound('Discussion');
      const id = await this.#add(repositories, author, subject, { body, discussionId: discussion.id, ...times });
      if (suggested.length > 0) await suggestions.replace(id, suggested);
      checkDiscussionSize(await discussions.sizeOf(discussion.id));
      return id;
    });
  }

  /**
   * Says that what a discussion asks for is done, or not yet.
   *
   * @throws NotFound "Discussion"; BadRequest where the kind of the subject knows no such thing; Forbidden below developer, but for the
   * author of the subject.
   */
  async resolve(
    actor: UserActor,
    { subject, level }: DiscussableSubject,
    firstNoteId: number,
    resolved: boolean,
  ): Promise<void> {
    await this.unitOfWork.execute(async ({ discussions }) => {
      const discussion = await discussions.take(subject.id, firstNoteId);
      if (!subject.resolvable) throw new BadRequest('Note is not resolvable');
      if (discussion === undefined) throw new NotFound('Discussion');
      if (!mayResolve(subject, { userId: actor.id, level })) throw new Forbidden();
      if (discussion.resolved === resolved) return;
      if (resolved) await discussions.resolve(discussion.id, actor.id, this.clock.now());
      else await discussions.reopen(discussion.id);
    });
  }

  async #place(subject: SubjectDetails, said: SaidPosition | undefined): Promise<DiscussionPlace | undefined> {
    if (said === undefined) return undefined;
    const diffs = this.diffsOf(subject);
    if (diffs === undefined) throw new BadRequest('position is of a diff, and this has none');
    return diffs.place(subject, said);
  }

  /** Asked of what suggests something alone. */
  async #placeOf({ id }: SubjectDetails, firstNoteId: number, written: string) {
    if (suggestionsIn(written).length === 0) return undefined;
    return (await this.reader.find(id, firstNoteId))?.notes[0]?.place;
  }

  #times({ level }: DiscussableSubject, said: Date | undefined): Times {
    const at = this.clock.now();
    return { at, createdAt: timeGiven('created_at', said, { level, now: at }) ?? at };
  }

  async #add(
    { notes, events }: Needs,
    { id: authorId }: UserActor,
    subject: SubjectDetails,
    { at, ...note }: Times & { readonly body: string; readonly discussionId?: number },
  ): Promise<number> {
    const added = await notes.add({ ...note, subjectId: subject.id, authorId, system: false });
    await events.publish({ kind: 'note_added', subject, note: added, by: authorId, at });
    return added.id;
  }
}

const check = (found: DiscussableSubject, body: string): void => {
  if (!mayComment(found.subject, found)) throw new Forbidden();
  const problems = new ProblemCollector();
  checkNote(problems, body);
  problems.refuse();
};
