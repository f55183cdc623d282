import { whyNotAppliable } from '../../domain/collaboration/suggestion.js';
import type { FileAction } from '../../domain/repositories/file-action.js';
import type { ObjectId } from '../../domain/repositories/object-id.js';
import { branchRef } from '../../domain/repositories/ref-name.js';
import { appliedTo, type AppliedSuggestion } from '../../domain/review/applied-suggestions.js';
import { Forbidden, NotFound, NotPossible, Overloaded, Unavailable } from '../../domain/shared/domain-error.js';
import type {
  NoteReader,
  NoteWithAuthor,
  StoredSuggestion,
  SuggestionRepository,
} from '../collaboration/ports/note-ports.js';
import type { ChangeCode, CodeDraft } from '../repositories/operations/change-code.js';
import type { ChangingRepositories } from '../repositories/operations/move-refs-within.js';
import type { ObjectReader } from '../repositories/ports/object-stores.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { InTurn } from './in-turn.js';
import type { Committer } from './merge-changes.js';
import type { ChangeableMergeRequest } from './visible-merge-request.js';
import type { MergeRequestDetails, MergeRequestReader, ReviewRepositories } from './ports/merge-request-ports.js';
import type { RefreshMergeRequests } from './refresh-merge-requests.js';

export type ApplyingNeeds = ChangingRepositories & ReviewRepositories & { readonly suggestions: SuggestionRepository };

interface Parts {
  readonly changeCode: ChangeCode<ApplyingNeeds>;
  readonly reader: Pick<MergeRequestReader, 'findById'>;
  readonly noteReader: Pick<NoteReader, 'find' | 'findSuggestions'>;
  readonly objects: ObjectReader;
  readonly refresh: RefreshMergeRequests;
  readonly turns: InTurn<number>;
  readonly clock: Clock;
}

export interface ApplyCommand {
  readonly ids: readonly number[];
  readonly message?: string;
}

interface Found {
  readonly suggestion: StoredSuggestion;
  readonly place: NonNullable<NoteWithAuthor['place']>;
}

/** All that one attempt is made of. */
interface Attempt {
  readonly actor: Committer;
  readonly permitted: Permitted<'push_code'>;
  readonly mergeRequest: MergeRequestDetails;
  readonly head: ObjectId;
  readonly found: readonly Found[];
  readonly command: ApplyCommand;
}

/** Undoes a unit of work for which something has changed since it was prepared. */
class Overtaken extends Error {}

/** Others may be quicker, on other nodes too: each time everything is looked at again. */
const MOST_ATTEMPTS = 10;
const RETRY_AFTER_SECONDS = 2;
const MERGED = 'This merge request was merged. To apply this suggestion, edit this file directly.';
const CLOSED = 'This merge request is closed. To apply this suggestion, edit this file directly.';
const GONE = "Can't apply as the source branch was deleted.";
const SAME = 'This suggestion already matches its content.';

const outdated = ({ above, below }: Pick<StoredSuggestion, 'above' | 'below'>): NotPossible =>
  new NotPossible(
    `Can't apply as ${above + below === 0 ? 'this line was' : 'these lines were'} changed in a more recent version.`,
  );

/** Writes what was suggested into the files of a source branch: one commit, in the name of whoever applies it. */
export class ApplySuggestions {
  constructor(private readonly parts: Parts) {}

  /**
   * @param permitted the project of the source branch.
   * @throws NotPossible, saying why; Forbidden where they may not push to that branch; NotFound once one is gone.
   */
  execute(
    actor: Committer,
    { mergeRequest: { id } }: ChangeableMergeRequest,
    permitted: Permitted<'push_code'>,
    command: ApplyCommand,
  ): Promise<void> {
    return this.parts.turns.during(permitted.project.id, async () => {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1)
        if (await this.#apply(actor, id, permitted, command)) return this.#refresh(id);
      throw new Overloaded(RETRY_AFTER_SECONDS);
    });
  }

  /** False when something has changed meanwhile. */
  async #apply(
    actor: Committer,
    id: number,
    permitted: Permitted<'push_code'>,
    command: ApplyCommand,
  ): Promise<boolean> {
    await this.parts.refresh.execute(id);
    const mergeRequest = await this.parts.reader.findById(id);
    if (mergeRequest?.sourceProjectId !== permitted.project.id) throw new NotFound();
    const { state, branchesThere, sourceSha: head } = mergeRequest;
    if (state !== 'opened') throw new NotPossible(state === 'merged' ? MERGED : CLOSED);
    if (!branchesThere || head === null) throw new NotPossible(GONE);
    const found = await this.#find(id, command.ids);
    for (const { suggestion, place } of found) requireAppliable(suggestion, place);
    if (found.some(({ place }) => place.position.headSha !== head)) return false;
    return this.parts.changeCode.during(permitted.project.id, (drafted) =>
      this.#commit(drafted, { actor, permitted, mergeRequest, head, found, command }),
    );
  }

  async #find(subjectId: number, ids: readonly number[]): Promise<readonly Found[]> {
    const { noteReader } = this.parts;
    const found: Found[] = [];
    for (const named of await noteReader.findSuggestions(ids)) {
      const note = named.subjectId === subjectId ? await noteReader.find(subjectId, named.noteId) : undefined;
      const suggestion = note?.suggestions.find(({ id }) => id === named.id);
      if (note?.place != null && suggestion !== undefined) found.push({ suggestion, place: note.place });
    }
    if (found.length !== new Set(ids).size) throw new NotFound('Suggestion');
    return found;
  }

  async #commit(drafted: CodeDraft, attempt: Attempt): Promise<boolean> {
    const { changeCode, clock } = this.parts;
    const { actor, permitted, mergeRequest, head, command } = attempt;
    const actions = await this.#actions(drafted, attempt);
    const committer = { name: actor.name, email: actor.email, at: clock.now(), offset: 0 };
    const commit = await changeCode.commit(drafted, {
      tree: await changeCode.tree(drafted, head, actions),
      parents: [head],
      message: command.message ?? messageOf(command.ids.length, actions.length),
      author: committer,
      committer,
    });
    const ref = branchRef(mergeRequest.sourceBranch);
    const change = { ref, from: head, to: commit, type: 'commit', fastForward: true } as const;
    const changer = { level: permitted.level, admin: actor.admin };
    const landing = { changes: [change], changer, by: 'api', userId: actor.id } as const;
    try {
      const { refused, failures } = await changeCode.land(drafted, landing, async (repositories) => {
        const held = await repositories.mergeRequests.take(mergeRequest.id);
        if (held?.state !== 'opened' || !(await repositories.suggestions.apply(command.ids, commit)))
          throw new Overtaken();
      });
      if (refused !== undefined) throw new Forbidden('You are not allowed to push into this branch');
      return failures.size === 0;
    } catch (error) {
      if (error instanceof Overtaken) return false;
      throw error;
    }
  }

  /** What changes in which file. */
  async #actions({ repository: { store } }: CodeDraft, { head, found }: Attempt): Promise<readonly FileAction[]> {
    const { objects } = this.parts;
    const actions: FileAction[] = [];
    for (const [path, own] of Map.groupBy(found, ({ place }) => place.position.newPath)) {
      const entry = await objects.entryAt(store, head, path);
      const blob = entry && (await objects.read(store, entry.id));
      const applied = blob && appliedTo(blob.content, own.map(toApplied));
      if (applied === undefined || applied === 'changed') throw outdated(own[0]!.suggestion);
      if (applied === 'overlapping')
        throw new NotPossible('Suggestions are not applicable as their lines cannot overlap.');
      if (applied === 'same') throw new NotPossible(SAME);
      actions.push({ kind: 'update', path, content: applied });
    }
    return actions;
  }

  /** What was asked for is done already: whoever shows it next looks again. */
  async #refresh(id: number): Promise<void> {
    try {
      await this.parts.refresh.execute(id);
    } catch (error) {
      if (!(error instanceof Unavailable || error instanceof Overloaded)) throw error;
    }
  }
}

const requireAppliable = (suggestion: StoredSuggestion, place: Found['place']): void => {
  const reason = whyNotAppliable(suggestion, place);
  if (reason === 'applied') throw new NotPossible("Can't apply this suggestion: it has been applied already.");
  if (reason === 'outdated') throw outdated(suggestion);
  if (reason === 'same') throw new NotPossible(SAME);
};

const toApplied = ({ suggestion, place }: Found): AppliedSuggestion => ({
  ...suggestion,
  line: place.position.newLine ?? 0,
});

const messageOf = (suggestions: number, files: number): string =>
  `Apply ${suggestions} suggestion(s) to ${files} file(s)`;
