import { isOfDiff, type DiffPosition, type DiscussionPlace } from '../../domain/shared/diff-position.js';
import { followThrough, type ComparedFile } from '../../domain/review/followed-line.js';
import { NotFound } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type {
  DiscussionReader,
  DiscussionRepository,
  PlacedDiscussion,
} from '../collaboration/ports/discussion-ports.js';
import type { OpenSuggestion, SuggestionRepository } from '../collaboration/ports/note-ports.js';
import type { DiffsOfSubject, SaidPosition, SubjectDetails } from '../collaboration/ports/subject-ports.js';
import type { Diff, HistoryReader, ObjectReader } from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { LookAtBranches } from './look-at-branches.js';
import { placeLines, refusedNote } from './place-lines.js';
import type { MergeRequestDetails, MergeRequestReader, Version } from './ports/merge-request-ports.js';

interface Needs {
  readonly discussions: DiscussionRepository;
  readonly suggestions: SuggestionRepository;
}

interface Parts {
  readonly reader: Pick<MergeRequestReader, 'versions' | 'newestVersion' | 'findById'>;
  readonly discussionReader: Pick<DiscussionReader, 'placed'>;
  readonly refs: Pick<RefReader, 'findRepository'>;
  readonly look: Pick<LookAtBranches, 'tips'>;
  readonly history: Pick<HistoryReader, 'diff'>;
  readonly objects: Pick<ObjectReader, 'commit' | 'entryAt' | 'read'>;
  readonly unitOfWork: UnitOfWork<Needs>;
}

/** A discussion whose place is of an older version, with where it is now: nowhere, if its lines have changed. */
interface Followed {
  readonly discussion: PlacedDiscussion;
  readonly to: DiffPosition | null;
  /** Its suggestions whose lines have changed. */
  readonly outdated: readonly number[];
}

/** As many are followed in one unit of work. */
const AT_ONCE = 100;

/** Lines of what a merge request changes, as discussions are about them. */
export class MergeRequestDiffs implements DiffsOfSubject {
  constructor(private readonly parts: Parts) {}

  async place({ id, projectId }: SubjectDetails, said: SaidPosition): Promise<DiscussionPlace> {
    const version = await this.#versionOf(id, said);
    const store = await this.#storeOf(projectId);
    return placeLines(await this.parts.history.diff(store, version.base, version.head), said, commitsOf(version));
  }

  async follow({ id, projectId }: Pick<SubjectDetails, 'id' | 'projectId'>): Promise<void> {
    const newest = await this.parts.reader.newestVersion(id);
    if (newest === undefined) return;
    let after = 0;
    for (;;) {
      const page = await this.parts.discussionReader.placed(id, { after, limit: AT_ONCE });
      const behind = page.filter(({ outdated, position }) => !outdated && !isOfDiff(position, newest));
      if (behind.length > 0) await this.#followAll(await this.#storeOf(projectId), behind, newest);
      if (page.length < AT_ONCE) return;
      after = page.at(-1)?.firstNoteId ?? after;
    }
  }

  async lines(
    { projectId }: Pick<SubjectDetails, 'projectId'>,
    { headSha, newPath }: DiffPosition,
  ): Promise<readonly string[] | undefined> {
    const store = await this.#storeOf(projectId);
    const entry = await this.parts.objects.entryAt(store, headSha, newPath);
    const blob = entry && (await this.parts.objects.read(store, entry.id));
    const text = blob && Buffer.from(blob.content).toString('utf8');
    return text?.includes('\0') === false ? linesOf(text) : undefined;
  }

  /** The version whose commits are told. The target branch may have moved on since: what was there is told by some clients. */
  async #versionOf(id: number, { baseSha, startSha, headSha }: SaidPosition): Promise<Version> {
    const versions = await this.parts.reader.versions(id);
    const mergeRequest = await this.parts.reader.findById(id);
    const target = mergeRequest && (await this.#targetOf(mergeRequest));
    const known = new Set([...versions.flatMap(({ base, start }) => [base, start]), target]);
    const ofHead = versions.filter(({ head }) => head === headSha);
    const version = ofHead.find(({ base }) => base === baseSha) ?? ofHead[0];
    if (version === undefined || !known.has(baseSha) || !known.has(startSha))
      throw refusedNote(
        'position',
        'is of commits that are no version of the merge request: send those of its diff_refs',
      );
    return version;
  }

  async #targetOf(mergeRequest: MergeRequestDetails): Promise<string | undefined> {
    return (await this.parts.look.tips(mergeRequest))?.target ?? undefined;
  }

  async #storeOf(projectId: ProjectId): Promise<string> {
    const repository = await this.parts.refs.findRepository(projectId);
    if (repository === undefined) throw new NotFound('Repository');
    return repository.store;
  }

  async #followAll(store: string, behind: readonly PlacedDiscussion[], newest: Version): Promise<void> {
    const suggestions = await this.parts.unitOfWork.execute((repositories) =>
      repositories.suggestions.openIn(behind.map(({ id }) => id)),
    );
    const steps = Map.groupBy(behind, ({ position }) => `${position.baseSha} ${position.headSha}`);
    const followed: Followed[] = [];
    for (const group of steps.values()) followed.push(...(await this.#step(store, group, newest, suggestions)));
    await this.parts.unitOfWork.execute(async (repositories) => {
      for (const { discussion, to } of followed)
        await repositories.discussions.move(discussion.id, discussion.position, to);
      const outdated = followed.flatMap((each) => each.outdated);
      if (outdated.length > 0) await repositories.suggestions.outdate(outdated);
    });
  }

  /** Follows discussions that are all of one version. */
  async #step(
    store: string,
    group: readonly PlacedDiscussion[],
    newest: Version,
    suggestions: readonly OpenSuggestion[],
  ): Promise<readonly Followed[]> {
    const { baseSha, headSha } = group[0]!.position;
    const follow = await this.#follower(store, { baseSha, headSha }, newest);
    return group.map((discussion) => {
      const found = follow?.(discussion.position);
      const own = suggestions.filter(({ discussionId }) => discussionId === discussion.id);
      const changed = own.filter(({ above, below }) => found?.keeps(above, below) !== true);
      return { discussion, to: found?.position ?? null, outdated: changed.map(({ id }) => id) };
    });
  }

  /** Undefined where the commits of then are gone: nobody knows where their lines are. */
  async #follower(
    store: string,
    { baseSha, headSha }: Pick<DiffPosition, 'baseSha' | 'headSha'>,
    newest: Version,
  ): Promise<ReturnType<typeof followThrough> | undefined> {
    const { history, objects } = this.parts;
    for (const commit of [baseSha, headSha]) if ((await objects.commit(store, commit)) === undefined) return undefined;
    const between = async (from: string, to: string) =>
      from === to ? [] : toCompared(await history.diff(store, from, to));
    return followThrough({
      source: await between(headSha, newest.head),
      base: await between(baseSha, newest.base),
      now: await between(newest.base, newest.head),
      to: commitsOf(newest),
    });
  }
}

const commitsOf = ({ base, start, head }: Version) => ({ baseSha: base, startSha: start, headSha: head });

const toCompared = ({ files }: Diff): readonly ComparedFile[] =>
  files.map(({ oldPath, newPath, patch, tooLarge, binary, status }) => ({
    ...{ oldPath, newPath, patch },
    opaque: tooLarge || binary,
    deleted: status === 'deleted',
  }));

/** Each with its line feed, but the last, which may have none. */
const linesOf = (text: string): readonly string[] => text.split(/(?<=\n)/);
