import type { ArchiveFormat } from '../../../domain/repositories/archive-name.js';
import type { ObjectId, ObjectType } from '../../../domain/repositories/object-id.js';
import type { SizedFile } from '../../../domain/repositories/languages.js';
import type { RefTargets } from '../../../domain/repositories/ref-differences.js';
import { BadRequest } from '../../../domain/shared/domain-error.js';
import type { NewObject, TreeEntry } from '../../../domain/repositories/object-format.js';

/** The name of a folder of objects: 64 hex digits that the service made. */
export type StoreName = string;

/** Bytes that come as they are asked for. */
export type ByteStream = AsyncIterable<Uint8Array>;

export interface ObjectInfo {
  readonly id: ObjectId;
  readonly type: ObjectType;
  readonly size: number;
}

export interface StoredObject extends ObjectInfo {
  readonly content: Uint8Array;
}

export interface CommitPerson {
  readonly name: string;
  readonly email: string;
  /** ISO 8601 with the offset that the commit has. */
  readonly at: string;
}

export interface Commit {
  readonly id: ObjectId;
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly author: CommitPerson;
  readonly committer: CommitPerson;
  readonly message: string;
  /** As the commit carries it, if it is signed. */
  readonly signature: string | null;
}

export interface Tag {
  readonly id: ObjectId;
  readonly target: ObjectId;
  readonly targetType: ObjectType;
  readonly name: string;
  readonly tagger: CommitPerson | null;
  readonly message: string;
}

/**
 * Reads objects by their ids; what isn't there is undefined. Every method of this and of the other ports of this file throws
 * `Unavailable` "repositories" when git or the folder is out of reach, but for what was read lately and is kept for some minutes.
 */
export interface ObjectReader {
  info(store: StoreName, id: ObjectId): Promise<ObjectInfo | undefined>;
  /** @throws TooLarge for more than `most` bytes (1 MiB unless told). */
  read(store: StoreName, id: ObjectId, most?: number): Promise<StoredObject | undefined>;
  /** A blob of any size. */
  stream(store: StoreName, id: ObjectId): Promise<ByteStream>;
  /** Of a commit, or of what a tag leads to. */
  commit(store: StoreName, id: ObjectId): Promise<Commit | undefined>;
  tag(store: StoreName, id: ObjectId): Promise<Tag | undefined>;
  /** The entries of a tree, by its own id or that of a commit. */
  tree(store: StoreName, id: ObjectId): Promise<readonly TreeEntry[] | undefined>;
  /** What a path leads to; `''` is the tree itself. */
  entryAt(store: StoreName, commitOrTree: ObjectId, path: string): Promise<TreeEntry | undefined>;
  /** The commit that the beginning of an id (at least 4 digits) means; undefined where there is none, or more than one. */
  expand(store: StoreName, prefix: string): Promise<ObjectId | undefined>;
  /**
   * A name by which readers find what either of two stores has, while both are there: nothing of one is written into the other. The other
   * methods of this port and those of `HistoryReader` take it.
   */
  both(store: StoreName, other: StoreName): StoreName;
}

export class TooLarge extends BadRequest {
  constructor(readonly size?: number) {
    super('This is too large to be read in one piece.');
  }
}

/** Which commits are meant: reachable from `tips`, and not from `not`. */
export interface CommitRange {
  readonly tips: readonly ObjectId[];
  readonly not?: readonly ObjectId[];
}

/** A commit, and those that it follows. */
export interface CommitLink {
  readonly id: ObjectId;
  readonly parents: readonly ObjectId[];
}

export interface LogQuery extends CommitRange {
  /** Only commits that touch it. */
  readonly path?: string;
  readonly since?: Date;
  readonly until?: Date;
  /** Part of the author's name or address. */
  readonly author?: string;
  /** Part of the message, in either case. */
  readonly message?: string;
  readonly firstParent?: boolean;
  readonly order?: 'date' | 'topology';
  readonly skip?: number;
  readonly limit: number;
}

export interface DiffFile {
  readonly oldPath: string;
  readonly newPath: string;
  /** Six digits; `000000` where the side is missing. */
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldId: ObjectId;
  readonly newId: ObjectId;
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed' | 'copied' | 'type_changed';
  readonly binary: boolean;
  readonly additions: number;
  readonly deletions: number;
  /** From the first `@@` line on; `''` for a binary file, or one that is too large. */
  readonly patch: string;
  /** The patch was left out for its size. */
  readonly tooLarge: boolean;
}

export interface Diff {
  readonly files: readonly DiffFile[];
  /** Files or bytes beyond the limits were left out. */
  readonly overflow: boolean;
}

export interface DiffLimits {
  readonly files: number;
  readonly bytesPerFile: number;
  readonly bytes: number;
}

export interface DiffOptions extends DiffLimits {
  /** Lines that differ in blanks alone are no differences; files of such lines alone are listed without a patch. */
  readonly ignoreWhitespace: boolean;
}

export interface BlameHunk {
  readonly commit: ObjectId;
  readonly lines: readonly string[];
}

/** A line of a file that holds what was searched for. */
export interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Matches {
  readonly found: readonly Match[];
  /** There may be more: the search was ended at its limits. */
  readonly cut: boolean;
}

export interface ListedEntry {
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly id: ObjectId;
  readonly path: string;
}

export interface Contributor {
  readonly name: string;
  readonly email: string;
  readonly commits: number;
}

/** The entries of a tree, of which one reads as many as one needs. */
export interface ListedTree {
  readonly length: number;
  entries(from: number, to: number): readonly ListedEntry[];
  /** The place of an entry by its path; -1 for one that is not there. */
  find(path: string): number;
}

/** Answers questions that need a walk through history, each by one bounded child. */
export interface HistoryReader {
  /** Ids alone of what `log` reads. */
  walk(store: StoreName, query: LogQuery): Promise<readonly ObjectId[]>;
  log(store: StoreName, query: LogQuery): Promise<readonly Commit[]>;
  count(store: StoreName, range: CommitRange, path?: string): Promise<number>;
  /** How many commits each side has that the other one lacks. */
  distance(
    store: StoreName,
    one: ObjectId,
    other: ObjectId,
  ): Promise<{ readonly ahead: number; readonly behind: number }>;
  /** Those of these commits that another one has in its history, itself included. */
  reachable(store: StoreName, from: ObjectId, commits: readonly ObjectId[]): Promise<ReadonlySet<ObjectId>>;
  /** How many lines each of these commits added and removed, against its first parent; none is told where that is too much to count. */
  lineCounts(
    store: StoreName,
    commits: readonly ObjectId[],
  ): Promise<ReadonlyMap<ObjectId, { readonly additions: number; readonly deletions: number }>>;
  /** Commits with their parents, those before those that follow them. Undefined for more than `most`. */
  graph(store: StoreName, range: CommitRange, most: number): Promise<readonly CommitLink[] | undefined>;
  /** Undefined where they have no commit in common. */
  mergeBase(store: StoreName, commits: readonly ObjectId[]): Promise<ObjectId | undefined>;
  /** Between two commits or trees; `from` null is the empty tree. */
  diff(store: StoreName, from: ObjectId | null, to: ObjectId, options?: Partial<DiffOptions>): Promise<Diff>;
  /**
   * The same between two commits as git writes it, for `git apply`. Binary files are without their content where all of it is too large.
   * @throws TooLarge for more text than a diff is read from.
   */
  patch(store: StoreName, from: ObjectId, to: ObjectId): Promise<Uint8Array>;
  /** For each of these names in a folder the commit that touched it last. */
  lastCommits(
    store: StoreName,
    commit: ObjectId,
    folder: string,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, ObjectId>>;
  /** Empty where the file has no such lines. @throws TooLarge. */
  blame(
    store: StoreName,
    commit: ObjectId,
    path: string,
    lines?: { readonly from: number; readonly to: number },
  ): Promise<readonly BlameHunk[]>;
  /** Full names of the branches and tags that have a commit in their history, as they are in the files. */
  refsContaining(store: StoreName, commit: ObjectId): Promise<readonly string[]>;
  /** Every file below a tree with its size, some at a time. @throws TooLarge. */
  fileSizes(store: StoreName, tree: ObjectId): AsyncIterable<readonly SizedFile[]>;
  /** In git's order. `path` is a folder; `''` is the top. @throws TooLarge. */
  listTree(
    store: StoreName,
    commitOrTree: ObjectId,
    path: string,
    options: { readonly recursive: boolean },
  ): Promise<ListedTree>;
  contributors(store: StoreName, tip: ObjectId): Promise<readonly Contributor[]>;
}

export interface FileSearch {
  /** Lines of text files that hold a text, in either case, at most 20 of a file; the text has no end of a line. */
  search(store: StoreName, commit: ObjectId, text: string, limit: number): Promise<Matches>;
}

export type MergeResult =
  | { readonly outcome: 'merged'; readonly tree: ObjectId }
  | { readonly outcome: 'conflicts'; readonly paths: readonly string[] };

/** What is to be merged into what. */
export interface MergePair {
  readonly ours: ObjectId;
  readonly theirs: ObjectId;
}

/** Computes trees; nothing moves. Its objects are loose in the store, and a commit that names them makes them stay. */
export interface Merger {
  merge(store: StoreName, ours: ObjectId, theirs: ObjectId): Promise<MergeResult>;
  /** The paths that would clash, for each pair: none where it can be merged. Leaves nothing behind. The two of a pair have commits in common. */
  conflicts(store: StoreName, pairs: readonly MergePair[]): Promise<readonly (readonly string[])[]>;
  /** What a commit did (against this parent of it) done once more upon another. */
  pick(store: StoreName, onto: ObjectId, commit: Commit, parent: ObjectId): Promise<MergeResult>;
  /** The same upon a tree that no commit has yet. */
  replay(store: StoreName, tree: ObjectId, commit: Commit, parent: ObjectId): Promise<MergeResult>;
  /** What a commit did, undone. */
  revert(store: StoreName, onto: ObjectId, commit: Commit, parent: ObjectId): Promise<MergeResult>;
}

export interface ArchiveRequest {
  readonly commit: ObjectId;
  readonly format: ArchiveFormat;
  /** The one top folder. */
  readonly prefix: string;
  readonly path?: string;
  /** Files and folders that are left out, by their paths from the top. */
  readonly excluded?: readonly string[];
}

export interface ArchiveWriter {
  /** The same bytes for the same request. */
  archive(store: StoreName, request: ArchiveRequest): Promise<ByteStream>;
}

/** What was found out about the target of a ref. */
export interface ExaminedTip {
  readonly type: ObjectType;
  readonly peeled: ObjectId | null;
  readonly committedAt: Date | null;
  /** First line of the message of its commit. */
  readonly title: string | null;
}

/** Objects that arrived, and that nobody else sees yet. */
export interface Staged {
  /** Bytes of the pack, or of the objects. */
  readonly size: number;
  /**
   * Whether everything that these tips need is there; what no branch or tag leads to stays from then on as if it had come with them.
   * @param refsFollow is waited for where git is to find out: it reads branches and tags in the files.
   */
  connected(tips: readonly ObjectId[], refsFollow: () => Promise<void>): Promise<boolean>;
  /** What isn't there is undefined. */
  examine(id: ObjectId): Promise<ExaminedTip | undefined>;
  /** How many commits each side has that the other one lacks. */
  distance(one: ObjectId, other: ObjectId): Promise<{ readonly ahead: number; readonly behind: number }>;
  /** How many commits `tip` has that `not` lacks. */
  count(tip: ObjectId, not: readonly ObjectId[]): Promise<number>;
  /** Puts them into the store for good, on disk when it returns. They stay though nothing refers to them yet. */
  keep(): Promise<void>;
  /** Ends it: lets maintenance at what was kept, removes what was not. */
  settle(): Promise<void>;
}

/** Objects that the service makes itself, one by one: nobody else sees them before they are kept. */
export interface Draft extends Staged {
  /** Writes one, and answers its id. */
  add(object: NewObject): Promise<ObjectId>;
}

/** Why objects were refused, in git's words or ours. */
export class ObjectsRefused extends Error {}

/** Where a push leads, so that a small one needs no walk through the store. */
export interface PushedOnto {
  /** What refs are to lead to. */
  readonly tips: readonly ObjectId[];
  /** Those of these commits that a branch or tag leads to itself. What it loses meanwhile stays for days. */
  readonly ledTo: (commits: readonly ObjectId[]) => Promise<ReadonlySet<ObjectId>>;
}

export interface ObjectIntake {
  /**
   * Takes a pack as it arrives, checking every object.
   * @param pack absent where a push brings no objects.
   * @throws ObjectsRefused for a pack that is broken, too large, or holds what `git fsck` refuses.
   */
  receive(store: StoreName, pack: ByteStream | undefined, onto?: PushedOnto): Promise<Draft>;
  draft(store: StoreName): Promise<Draft>;
}

/** Which protocol a client of git speaks. */
export type ProtocolVersion = 0 | 1 | 2;

export interface PackMaker {
  /** All that a commit needs, and these others don't, as `ObjectIntake` receives it. They are in that store. */
  make(store: StoreName, tip: ObjectId, not: readonly ObjectId[]): Promise<ByteStream>;
}

/** Is told when a pack begins: an answer that only settles who has what brings none. */
export type PackBegun = () => void;

export interface PackSender {
  /** Answers one request of `upload-pack`. */
  send(store: StoreName, version: ProtocolVersion, request: ByteStream, begun: PackBegun): Promise<ByteStream>;
  /** A whole conversation of versions 0 and 1, from where the client has been told the refs. */
  converse(store: StoreName, request: ByteStream, begun: PackBegun): Promise<ByteStream>;
}

export interface StoreSnapshots {
  /** A bare repository as a tar archive, which needs no other: its objects as they are now, with these refs. */
  snapshot(
    store: StoreName | undefined,
    refs: {
      /** The default branch. */
      readonly branch: string | null;
      readonly refs: readonly { readonly name: string; readonly target: ObjectId }[];
    },
  ): Promise<ByteStream>;
}

export interface StoreKeeper {
  /** Where it lies, below the folder of all stores. */
  placeOf(store: StoreName): string;
  /** Does nothing where it is there already. */
  create(store: StoreName): Promise<void>;
  remove(store: StoreName): Promise<void>;
  /** Makes a store with the objects that another has now, for forks to share. Does nothing where it is there already. */
  makePool(pool: StoreName, from: StoreName): Promise<void>;
  /** Gives a store all objects of another: it reads those of the pool there, and has the rest by second names of their files. */
  share(store: StoreName, of: { readonly from: StoreName; readonly pool: StoreName }): Promise<void>;
  /** Removes what pushes left behind, once it is as old as this. */
  sweep(store: StoreName, olderThanMs: number): Promise<void>;
  exists(store: StoreName): Promise<boolean>;
  /** As the files have them. */
  refsOf(store: StoreName): Promise<RefTargets>;
  /** What `git fsck` says; empty when all is well. */
  check(store: StoreName): Promise<readonly string[]>;
  /** @throws Unavailable "repositories" with the reason. */
  ready(): Promise<void>;
}

/** Writes into the folder what rows say. Asks for a lease on the repository. */
export interface RefProjector {
  /** Resolves when git's own commands see them; what it answers makes that last through a loss of power. */
  write(
    store: StoreName,
    refs: readonly { readonly name: string; readonly value: string | null }[],
  ): Promise<() => Promise<void>>;
  /** Puts refs into one file, which is quicker to read than one each. */
  pack(store: StoreName): Promise<void>;
}
