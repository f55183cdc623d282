import { BadRequest, NotFound } from '../../domain/shared/domain-error.js';
import { timeGiven } from '../../domain/shared/given-time.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { keepReply, keepThread, type NoteRepositories } from './operations/keep-notes.js';
import type { SaidPosition } from './ports/subject-ports.js';
import type { Keep, TextWriter, Written } from './quick-actions.js';
import type { DiffsOf, ReadSuggestions } from './read-suggestions.js';
import { checkComment, placeSaid, requireResolver } from './said-comments.js';
import type { DiscussableSubject } from './subjects.js';

interface Said {
  /** Of one about lines of a diff: where they are. */
  readonly position?: SaidPosition;
  /** When it was written, which owners may say; whoever is told of it is told now. */
  readonly writtenAt?: Date;
}

interface Answered extends Pick<Said, 'writtenAt'> {
  readonly firstNoteId: number;
  /** What the discussion asks for is done by it. */
  readonly resolves?: boolean;
}

interface Times {
  readonly at: Date;
  readonly createdAt: Date;
}

/** Comments that answer each other. */
export class Discussions {
  constructor(
    private readonly unitOfWork: UnitOfWork<NoteRepositories>,
    private readonly writer: TextWriter<NoteRepositories>,
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
    checkComment(found, written);
    const times = this.#times(found, writtenAt);
    const place = position && (await placeSaid(this.diffsOf, found.subject, position));
    const suggested = await this.readSuggestions.execute(found.subject, place, written);
    const by = author.id;
    const keep: Keep<NoteRepositories, number> = (repositories, { subject }, body) =>
      keepThread(repositories, { subject, by, body, ...times }, { place, suggested });
    const begun = await this.writer.write(author, found, { body: written, keep });
    // The code may have moved on before it was kept.
    if (place !== undefined) await this.diffsOf(found.subject)?.follow(found.subject);
    return begun;
  }

  /**
   * @returns the id of the note. @throws NotFound "Discussion"; Forbidden and Invalid as for one that begins, and as `resolve` where it
   * resolves.
   */
  async reply(
    author: UserActor,
    found: DiscussableSubject,
    { firstNoteId, writtenAt, resolves = false }: Answered,
    written: string,
  ): Promise<Written<number>> {
    checkComment(found, written);
    if (resolves) requireResolver(author, found);
    const times = this.#times(found, writtenAt);
    const suggested = await this.readSuggestions.ofReply(found.subject, firstNoteId, written);
    const keep: Keep<NoteRepositories, number> = async (repositories, { subject }, body) => {
      const { discussions } = repositories;
      const discussion = await discussions.takeOrBegin(subject.id, firstNoteId);
      if (discussion === undefined) throw new NotFound('Discussion');
      const comment = { subject, by: author.id, body, ...times };
      const id = await keepReply(repositories, comment, { discussion, suggested });
      if (resolves && !discussion.resolved) await discussions.resolve(discussion.id, author.id, times.at);
      return id;
    };
    return this.writer.write(author, found, { body: written, keep });
  }

  /**
   * Says that what a discussion asks for is done, or not yet.
   *
   * @throws NotFound "Discussion"; BadRequest where the kind of the subject knows no such thing; Forbidden below developer, but for the
   * author of the subject.
   */
  async resolve(actor: UserActor, found: DiscussableSubject, firstNoteId: number, resolved: boolean): Promise<void> {
    const { subject } = found;
    await this.unitOfWork.execute(async ({ discussions }) => {
      const discussion = await discussions.take(subject.id, firstNoteId);
      if (!subject.resolvable) throw new BadRequest('Note is not resolvable');
      if (discussion === undefined) throw new NotFound('Discussion');
      requireResolver(actor, found);
      if (discussion.resolved === resolved) return;
      if (resolved) await discussions.resolve(discussion.id, actor.id, this.clock.now());
      else await discussions.reopen(discussion.id);
    });
  }

  #times({ level }: DiscussableSubject, said: Date | undefined): Times {
    const at = this.clock.now();
    return { at, createdAt: timeGiven('created_at', said, { level, now: at }) ?? at };
  }
}
