import { checkDrafts } from '../../domain/collaboration/draft-note.js';
import { readQuickActions } from '../../domain/collaboration/quick-action.js';
import { BadRequest, NotFound } from '../../domain/shared/domain-error.js';
import type { UserActor } from '../shared/actor.js';
import { requireSeen } from '../shared/overtaken.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { checkActions } from './operations/check-actions.js';
import type { DiscussionReader } from './ports/discussion-ports.js';
import type { DraftNote, DraftNoteRepository } from './ports/draft-ports.js';
import type { SaidPosition } from './ports/subject-ports.js';
import type { DiffsOf } from './read-suggestions.js';
import { checkComment, placeSaid, requireResolver } from './said-comments.js';
import type { DiscussableSubject } from './subjects.js';

interface Parts {
  readonly unitOfWork: UnitOfWork<{ readonly draftNotes: DraftNoteRepository }>;
  readonly discussionReader: Pick<DiscussionReader, 'find'>;
  readonly diffsOf: DiffsOf;
  readonly clock: Clock;
}

interface Drafted {
  readonly written: string;
  /** Of one about lines of a diff: where they are. An answer is where its discussion is. */
  readonly position?: SaidPosition;
  /** The note that the discussion begins with which it answers. */
  readonly answers?: number;
  readonly resolves?: boolean;
  readonly commitId?: string;
}

interface DraftEdit {
  readonly written?: string;
  readonly position?: SaidPosition;
  /** It is written only where the draft still is this text. */
  readonly seen?: string;
}

/** Comments that their authors keep for themselves until they publish them. */
export class DraftNotes {
  constructor(private readonly parts: Parts) {}

  /**
   * @throws Forbidden for who may not comment, or resolve where it resolves; Invalid at `note`; BadRequest where there are no such lines, or
   * it resolves what it doesn't answer; NotFound "Discussion"; Unavailable.
   */
  async add(
    author: UserActor,
    found: DiscussableSubject,
    { written, position, answers, resolves = false, commitId }: Drafted,
  ): Promise<DraftNote> {
    checkDraft(found, written);
    if (answers !== undefined) await this.#requireDiscussion(found, answers);
    else if (resolves) throw new BadRequest('resolve_discussion needs in_reply_to_discussion_id');
    if (resolves) requireResolver(author, found);
    const isPlaced = position !== undefined && answers === undefined;
    const place = isPlaced ? await placeSaid(this.parts.diffsOf, found.subject, position) : null;
    const owned = { subjectId: found.subject.id, authorId: author.id };
    const rest = { resolves, place, commitId: commitId ?? null, createdAt: this.parts.clock.now() };
    return this.parts.unitOfWork.execute(async ({ draftNotes }) => {
      await draftNotes.hold(owned.subjectId, owned.authorId);
      const added = await draftNotes.add({ ...owned, ...rest, body: written, answers: answers ?? null });
      checkDrafts(await draftNotes.sizeOf(owned.subjectId, owned.authorId));
      return added;
    });
  }

  /** @throws likewise; NotFound for one that is gone; Overtaken. */
  async edit(
    author: UserActor,
    found: DiscussableSubject,
    draft: DraftNote,
    { written = draft.body, position, seen }: DraftEdit,
  ): Promise<DraftNote> {
    checkDraft(found, written);
    const isPlaced = position !== undefined && draft.answers === null;
    const place = isPlaced ? await placeSaid(this.parts.diffsOf, found.subject, position) : draft.place;
    const changes = { body: written, place, updatedAt: this.parts.clock.now() };
    await this.parts.unitOfWork.execute(async ({ draftNotes }) => {
      await draftNotes.hold(draft.subjectId, author.id);
      const held = await draftNotes.find(draft.subjectId, author.id, draft.id);
      if (held === undefined) throw new NotFound('Draft Note');
      requireSeen(seen, held.body);
      await draftNotes.update(draft.id, changes);
      checkDrafts(await draftNotes.sizeOf(draft.subjectId, author.id));
    });
    return { ...draft, ...changes };
  }

  async remove({ id: authorId }: UserActor, { id, subjectId }: DraftNote): Promise<void> {
    await this.parts.unitOfWork.execute(async ({ draftNotes }) => {
      await draftNotes.hold(subjectId, authorId);
      if ((await draftNotes.find(subjectId, authorId, id)) !== undefined) await draftNotes.remove([id]);
    });
  }

  /** Takes away all that somebody has drafted of a subject. @returns how many. */
  async discard({ id: authorId }: UserActor, { subject: { id } }: DiscussableSubject): Promise<number> {
    return this.parts.unitOfWork.execute(async ({ draftNotes }) => {
      await draftNotes.hold(id, authorId);
      const drafts = await draftNotes.all(id, authorId);
      await draftNotes.remove(drafts.map((each) => each.id));
      return drafts.length;
    });
  }

  /** What the service has noted is answered by nobody. */
  async #requireDiscussion({ subject: { id } }: DiscussableSubject, firstNoteId: number): Promise<void> {
    const discussion = await this.parts.discussionReader.find(id, firstNoteId);
    if (discussion === undefined || discussion.notes[0]?.system === true) throw new NotFound('Discussion');
  }
}

/** What could not be published is not drafted. @throws as for comments. */
const checkDraft = (found: DiscussableSubject, written: string): void => {
  checkComment(found, written);
  checkActions(readQuickActions(written).actions, 'note');
};
