import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { ProtectedBranch, ProtectedTag } from '../../../domain/repositories/protected-ref.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { StoreName } from './object-stores.js';

export interface Repository {
  readonly id: number;
  readonly projectId: ProjectId;
  /** The folder that holds its objects. */
  readonly store: StoreName;
  /** Of the packs that pushes brought. */
  readonly sizeBytes: number;
  /** Counts up with every change of a ref. */
  readonly refsVersion: number;
}

/** A repository that is locked, with what its project says about it. */
export interface HeldRepository extends Repository {
  readonly defaultBranch: string | null;
  readonly archived: boolean;
}

export interface RepositoryRepository {
  /** The repository of a project, which gets one if it has none yet. Undefined when the project is gone. */
  open(projectId: ProjectId, store: StoreName, at: Date): Promise<Repository | undefined>;
  /** Locks the project and its repository until the work ends. Undefined when either is gone. */
  take(projectId: ProjectId): Promise<HeldRepository | undefined>;
  /** Counts what a push brought, and notes when it was. */
  recordPush(id: number, addedBytes: number, at: Date): Promise<void>;
  setDefaultBranch(repository: Pick<Repository, 'id' | 'projectId'>, branch: string): Promise<void>;
  /** Forgets a repository whose project and folder are gone. */
  forget(id: number): Promise<void>;
}

/** Where a ref leads. */
export interface RefTip {
  readonly target: ObjectId;
  /** What an annotated tag leads to in the end; null where the target is that already. */
  readonly peeled: ObjectId | null;
  /** Null where it leads to no commit. */
  readonly committedAt: Date | null;
}

export interface Ref extends RefTip {
  /** In full, such as `refs/heads/main`. */
  readonly name: string;
  /** What `Repository.refsVersion` became when it moved last. */
  readonly version: number;
}

/** A change of one ref; what isn't there is null. */
export interface RefMove {
  readonly ref: string;
  readonly from: ObjectId | null;
  readonly to: RefTip | null;
  /** It isn't moved where its version is a later one. */
  readonly unmovedSince?: number | undefined;
}

/** Moves refs by expectation; the files of the store follow (`RefProjector`). Asks for a repository that is locked. */
export interface RefRepository {
  /** Targets of some refs, as they are now. */
  targetsOf(repositoryId: number, refs: readonly string[]): Promise<ReadonlyMap<string, ObjectId>>;
  hasBranches(repositoryId: number): Promise<boolean>;
  /** A ref that stands where this one would be a folder, or the other way round. */
  conflicting(repositoryId: number, ref: string): Promise<string | undefined>;
  /** False when the ref isn't where the move expects it: nothing has changed then. */
  move(repositoryId: number, move: RefMove): Promise<boolean>;
  /** Keeps what a ref lost by force or deletion, for as long as `ExpireTips` lets it. */
  keepTip(repositoryId: number, lost: { readonly ref: string; readonly target: ObjectId }, at: Date): Promise<void>;
  /** Lets go of tips that were lost before an instant, at most `limit`; answers how many. */
  dropTips(before: Date, limit: number): Promise<number>;
}

export interface ProtectedRefRepository {
  /** Whoever else asks waits until the transaction ends: to be called before rules are counted, and before one is changed. */
  hold(projectId: ProjectId): Promise<void>;
  branchesOf(projectId: ProjectId): Promise<readonly (ProtectedBranch & { readonly id: number })[]>;
  tagsOf(projectId: ProjectId): Promise<readonly (ProtectedTag & { readonly id: number })[]>;
  /** @throws Conflict "Protected branch 'x' already exists". */
  addBranch(projectId: ProjectId, branch: ProtectedBranch, at: Date): Promise<number>;
  updateBranch(projectId: ProjectId, name: string, changes: Partial<Omit<ProtectedBranch, 'name'>>): Promise<boolean>;
  /** False when there is none of that name. */
  removeBranch(projectId: ProjectId, name: string): Promise<boolean>;
  /** @throws Unprocessable "Name has already been taken". */
  addTag(projectId: ProjectId, tag: ProtectedTag, at: Date): Promise<number>;
  removeTag(projectId: ProjectId, name: string): Promise<boolean>;
}

/** What a ref of a repository should say in its folder; null where it should not be there. */
export interface StaleRef {
  /** A ref, `HEAD`, or `refs/keep/…`. */
  readonly name: string;
  readonly version: number;
  /** An object id; for `HEAD` a ref. */
  readonly value: string | null;
}

/** Who may write refs into a folder for now. */
export interface ProjectionLease {
  readonly repositoryId: number;
  readonly holder: string;
}

export interface StaleRefReader {
  /** Whether any ref of a repository waits to be written into its files. They wait no more once its project is gone. */
  hasAny(repositoryId: number): Promise<boolean>;
}

/** The queue of refs that the files don't have yet. */
export interface StaleRefRepository extends StaleRefReader {
  /** Takes it, or takes it for longer. False while another holds it, and once the project is gone: its folder is about to be removed. */
  lease(lease: ProjectionLease, now: Date, until: Date): Promise<boolean>;
  /** At most `limit`, with what the rows say now. */
  read(repositoryId: number, limit: number): Promise<readonly StaleRef[]>;
  /** Takes off the queue what was written, unless it has changed since; puts it on the queue again where the lease was lost. */
  written(lease: ProjectionLease, refs: readonly StaleRef[]): Promise<void>;
  release(lease: ProjectionLease): Promise<void>;
}

/** What a branch got, for whoever reads commit messages. */
export interface PushedCommits {
  readonly branch: string;
  readonly from: ObjectId | null;
  readonly to: ObjectId;
}

/** What the source branch of a merge request got. */
export interface PushedSource extends PushedCommits {
  readonly from: ObjectId;
  readonly mergeRequestId: number;
}

/** A branch of another project: a work that locks one project may not wait for another. */
export interface BranchToRemove {
  readonly projectId: ProjectId;
  readonly branch: string;
  /** It stays where it has moved on. */
  readonly expected: ObjectId;
}

/** When the branches that had been merged were to be removed. */
export interface MergedSoFar {
  /** Of the default branch. */
  readonly head: ObjectId;
  readonly refsVersion: number;
}

/** A branch or tag, by its short name, that leads to another commit than before. */
export interface MovedRef {
  readonly ref: string;
  readonly tag: boolean;
  readonly from: ObjectId | null;
  readonly to: ObjectId;
  /** Whether whoever pushed wants no jobs. */
  readonly skip: boolean;
}

export interface MovedBranch {
  readonly branch: string;
  /** Those up to it have been looked at. */
  readonly after: number;
}

/** What follows a change of code and takes git: it can't be done in the transaction that asks for it. */
export type CodeWorkRequest = { readonly projectId: ProjectId; readonly userId: UserId } & (
  | { readonly kind: 'read_commits'; readonly payload: PushedCommits & { readonly byMachine?: true } }
  | { readonly kind: 'remove_merged_branches'; readonly payload: MergedSoFar }
  /** A branch moved that merge requests come from, or lead to. */
  | { readonly kind: 'refresh_merge_requests'; readonly payload: MovedBranch }
  /** A text may name issues and merge requests, which are to say so. It takes no git, but the rights of whoever wrote it. */
  | { readonly kind: 'read_mentions'; readonly payload: { readonly subjectId: number; readonly noteId: number | null } }
  /** It is the source of a merge request, which is to say what it got. */
  | { readonly kind: 'note_pushed_commits'; readonly payload: PushedSource }
  | { readonly kind: 'remove_branch'; readonly payload: BranchToRemove }
  /** A branch or tag moved: the CI file there may ask for jobs. */
  | { readonly kind: 'create_pipeline'; readonly payload: MovedRef }
  /** A merge request is open: the CI file of its newest commit may ask for jobs. The project is that of its source branch. */
  | { readonly kind: 'create_merge_request_pipeline'; readonly payload: { readonly mergeRequestId: number } }
  /** The turn of a job has come that starts a pipeline. */
  | { readonly kind: 'start_downstream'; readonly payload: { readonly jobId: number } }
  /** What a job started, and waits for, stands otherwise than before. The project is that of the job. */
  | { readonly kind: 'follow_downstream'; readonly payload: { readonly jobId: number; readonly from: string } }
  /** A branch or tag is gone: what was deployed from it ends. */
  | {
      readonly kind: 'stop_environments';
      readonly payload: { readonly refs: readonly { readonly ref: string; readonly tag: boolean }[] };
    }
  /** A deployment succeeded: which merge requests it brought is to be noted. */
  | { readonly kind: 'note_deployed'; readonly payload: { readonly deploymentId: number } }
  /** The pipeline succeeded that a merge request waits for. */
  | { readonly kind: 'merge_automatically'; readonly payload: { readonly mergeRequestId: number } }
);

export type CodeWork = CodeWorkRequest & { readonly id: number; readonly attempts: number };

export interface HoldOfWork {
  readonly holder: string;
  readonly now: Date;
  readonly until: Date;
  /** One that is held for longer than until then has just been begun: those after it wait for it. */
  readonly begunUntil: Date;
}

/** The works that wait. Who takes one holds it for a while: one that a crash left is taken again. */
export interface CodeWorkRepository {
  add(work: CodeWorkRequest, at: Date): Promise<void>;
  /** The one that is due first and has none of its kind and project before it, held until an instant. */
  take(hold: HoldOfWork): Promise<CodeWork | undefined>;
  /** False when somebody else has taken it meanwhile. */
  finish(id: number, holder: string): Promise<boolean>;
  /** Notes a failure and tries again at `runAt`. */
  postpone(id: number, runAt: Date): Promise<void>;
}

export interface RepositoriesRepositories {
  readonly repositories: RepositoryRepository;
  readonly refs: RefRepository;
  readonly protectedRefs: ProtectedRefRepository;
  readonly staleRefs: StaleRefRepository;
  readonly codeWorks: CodeWorkRepository;
}
