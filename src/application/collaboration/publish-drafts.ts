import { mayResolve } from '../../domain/collaboration/discussion.js';
import { Conflict, Unavailable } from '../../domain/shared/domain-error.js';
import type { Suggestion } from '../../domain/collaboration/suggestion.js';
import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import { keepNote, keepReply, keepThread, type NewComment, type NoteRepositories } from './operations/keep-notes.js';
import type { ActionOutcome } from './ports/action-ports.js';
import type { Discussion, DiscussionRepository } from './ports/discussion-ports.js';
import type { DraftNote, DraftNoteReader, DraftNoteRepository } from './ports/draft-ports.js';
import type { TextToWrite, TextWriter } from './quick-actions.js';
import type { DiffsOf, ReadSuggestions } from './read-suggestions.js';
import { checkComment } from './said-comments.js';
import type { DiscussableSubject } from './subjects.js';

export type PublishingRepositories = NoteRepositories & { readonly draftNotes: DraftNoteRepository };

interface Parts<out Repositories extends PublishingRepositories> {
  readonly writer: TextWriter<Repositories>;
  readonly reader: Pick<DraftNoteReader, 'all'>;
  readonly diffsOf: DiffsOf;
  readonly readSuggestions: ReadSuggestions;
  readonly clock: Clock;
}

interface Finish<in Repositories> {
  /** Those that are meant; without it all that there are. */
  readonly drafts?: readonly DraftNote[];
  /** A comment that is published with them. */
  readonly summary?: string;
  /** What is done with them, in the same unit of work: it may lock the subject, and nothing that comes before that. */
  readonly also?: (repositories: Repositories) => Promise<void>;
}

/** What became of drafts. */
export interface PublishedDrafts {
  /** How many comments there are now because of them. */
  readonly comments: number;
  readonly outcomes: readonly ActionOutcome[];
}

interface Publication {
  readonly by: UserActor;
  readonly found: DiscussableSubject;
  readonly drafts: readonly DraftNote[];
}

/** The discussions that drafts answer, held, by the notes that they begin with. */
type Answered = ReadonlyMap<number, Discussion>;

/** Makes comments of what somebody has drafted: of all of it, or of nothing. */
export class PublishDrafts<Repositories extends PublishingRepositories> {
  constructor(private readonly parts: Parts<Repositories>) {}

  /**
   * Publishes one of them.
   *
   * @throws Forbidden for who may not comment any more; Invalid at `note`; BadRequest where it is nothing but quick actions, none of which
   * could be done; Conflict where it was published, changed or removed in the same moment; Unavailable.
   */
  async one(by: UserActor, found: DiscussableSubject, draft: DraftNote): Promise<PublishedDrafts> {
    return this.#publish({ by, found, drafts: [draft] }, {});
  }

  /** Publishes all that somebody has drafted of a subject. @throws likewise, and as `also`. */
  async all(by: UserActor, found: DiscussableSubject, finish: Finish<Repositories> = {}): Promise<PublishedDrafts> {
    const drafts = finish.drafts ?? (await this.parts.reader.all(found.subject.id, by.id));
    return this.#publish({ by, found, drafts }, finish);
  }

  async #publish(publication: Publication, { summary, also }: Finish<Repositories>): Promise<PublishedDrafts> {
    const { by, found, drafts } = publication;
    const answered = new Map<number, Discussion>();
    const texts: TextToWrite<Repositories, number>[] = [];
    for (const draft of drafts) {
      checkComment(found, draft.body);
      const suggested = await this.#suggestedBy(found, draft);
      texts.push({
        body: draft.body,
        keep: (repositories, { subject }, body) =>
          keepDraft(repositories, { ...this.#said(by), subject, body }, { draft, suggested, answered }),
      });
    }
    if (summary !== undefined) texts.push(this.#summary(publication, summary));
    const written = await this.parts.writer.writeAll(by, found, texts, {
      first: async (repositories) => {
        await takeDrafts(repositories.draftNotes, publication);
        await also?.(repositories);
      },
      then: async ({ discussions }) => {
        for (const [id, discussion] of await holdAnswered(discussions, publication)) answered.set(id, discussion);
        await resolveAnswered(discussions, publication, answered, this.parts.clock.now());
      },
    });
    if (drafts.some(({ place }) => place !== null)) await this.#follow(found);
    return {
      comments: written.filter(({ result }) => result !== undefined).length,
      outcomes: written.flatMap(({ outcomes }) => outcomes),
    };
  }

  /** The code may have moved on since they were drafted. They are published, whether or not it can be looked at now. */
  async #follow({ subject }: DiscussableSubject): Promise<void> {
    try {
      await this.parts.diffsOf(subject)?.follow(subject);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }

  #summary({ by, found }: Publication, written: string): TextToWrite<Repositories, number> {
    checkComment(found, written);
    return {
      body: written,
      keep: (repositories, { subject }, body) => keepNote(repositories, { ...this.#said(by), subject, body }),
    };
  }

  #said({ id: by }: UserActor): Omit<NewComment, 'subject' | 'body'> {
    const at = this.parts.clock.now();
    return { by, at, createdAt: at };
  }

  #suggestedBy({ subject }: DiscussableSubject, { answers, place, body }: DraftNote): Promise<readonly Suggestion[]> {
    const { readSuggestions } = this.parts;
    return answers === null
      ? readSuggestions.execute(subject, place, body)
      : readSuggestions.ofReply(subject, answers, body);
  }
}

/** Takes drafts away, as long as they are what was read. @throws Conflict. */
const takeDrafts = async (
  draftNotes: DraftNoteRepository,
  { by, found: { subject }, drafts }: Publication,
): Promise<void> => {
  await draftNotes.hold(subject.id, by.id);
  const held = new Map((await draftNotes.all(subject.id, by.id)).map((draft) => [draft.id, draft]));
  for (const { id, updatedAt, body } of drafts) {
    const now = held.get(id);
    if (now?.body !== body || now.updatedAt.getTime() !== updatedAt.getTime())
      throw new Conflict('The review has changed in the same moment: look at it, and publish it again');
  }
  await draftNotes.remove(drafts.map(({ id }) => id));
};

/** In one order, so that no two who answer each other's discussions wait for each other. Those that are gone are left out. */
const holdAnswered = async (
  discussions: DiscussionRepository,
  { found: { subject }, drafts }: Publication,
): Promise<Answered> => {
  const wanted = new Set(drafts.flatMap(({ answers }) => answers ?? []));
  const held = new Map<number, Discussion>();
  for (const id of [...wanted].sort((one, other) => one - other)) {
    const discussion = await discussions.takeOrBegin(subject.id, id);
    if (discussion !== undefined) held.set(id, discussion);
  }
  return held;
};

/** Whoever may not say so any more answers all the same. */
const resolveAnswered = async (
  discussions: DiscussionRepository,
  { by, found: { subject, level }, drafts }: Publication,
  answered: Answered,
  at: Date,
): Promise<void> => {
  if (!subject.resolvable || !mayResolve(subject, { userId: by.id, level })) return;
  const resolving = new Set(drafts.flatMap(({ answers, resolves }) => (resolves ? (answers ?? []) : [])));
  for (const id of resolving) {
    const discussion = answered.get(id);
    if (discussion?.resolved === false) await discussions.resolve(discussion.id, by.id, at);
  }
};

/** An answer to what is gone stands alone. */
const keepDraft = (
  repositories: NoteRepositories,
  comment: NewComment,
  {
    draft: { answers, place },
    suggested,
    answered,
  }: { readonly draft: DraftNote; readonly suggested: readonly Suggestion[]; readonly answered: Answered },
): Promise<number> => {
  const discussion = answers === null ? undefined : answered.get(answers);
  if (discussion !== undefined) return keepReply(repositories, comment, { discussion, suggested });
  return place === null ? keepNote(repositories, comment) : keepThread(repositories, comment, { place, suggested });
};
