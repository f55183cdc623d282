import type { DiffPosition, DiscussionPlace, LineNumbers } from '../../../domain/shared/diff-position.js';
import type { Readers } from '../../../domain/collaboration/readers.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { SUBJECT_PERMISSIONS } from '../../../domain/workspace/workspace-policy.js';
import type { SubjectKind } from '../../../domain/shared/subject.js';
import type { Actor } from '../../shared/actor.js';
import type { SubjectFacts } from '../../shared/domain-events.js';
import type { PermittedProject } from '../../shared/permitted.js';

/** Id of a subject that nobody has talked about yet, where its row is made once somebody does. */
export const NOT_DISCUSSED = 0;

/** A subject as it stands now, in what those read of it who don't know its kind. */
export interface SubjectDetails extends SubjectFacts {
  readonly projectPath: string;
  /** Of a commit: its id. */
  readonly commitId?: string;
  /** What people call it by within the project, as `#1`. */
  readonly reference: string;
  /** Its page, below that of the project: `issues/1`. */
  readonly page: string;
  readonly description: string;
  readonly authorId: UserId | null;
  readonly assignees: readonly { readonly id: UserId; readonly name: string }[];
  /** Those of them who are asked to review it. */
  readonly reviewers?: readonly UserId[];
  /** UTC day, `YYYY-MM-DD`. */
  readonly dueDate: string | null;
  readonly readers: Readers;
  /** Whether what its discussions ask for can be said to be done. */
  readonly resolvable: boolean;
  /** Whether only members may comment. */
  readonly locked: boolean;
  /** Whether what is suggested of its code can still be applied. */
  readonly takesSuggestions?: boolean;
}

/** A position as somebody says it. */
export interface SaidPosition extends LineNumbers, Pick<DiffPosition, 'baseSha' | 'startSha' | 'headSha' | 'first'> {
  readonly oldPath: string | null;
  readonly newPath: string | null;
}

export interface DiffsOfSubject {
  /** @throws BadRequest where no diff of the subject shows such lines; Unavailable. */
  place(subject: SubjectDetails, said: SaidPosition): Promise<DiscussionPlace>;
  /** Brings the places of its discussions up to date. @throws Unavailable. */
  follow(subject: Pick<SubjectDetails, 'id' | 'projectId'>): Promise<void>;
  /** The lines of the file that a position is in, as it is after the change, each with its end. @throws Unavailable. */
  lines(subject: SubjectDetails, position: DiffPosition): Promise<readonly string[] | undefined>;
}

type PermissionOf<Kind extends SubjectKind, Way extends 'read' | 'discuss'> = (typeof SUBJECT_PERMISSIONS)[Kind][Way];

/** A project whose subjects of a kind the caller may comment on. */
export type PlaceToDiscuss<Kind extends SubjectKind> = PermittedProject<PermissionOf<Kind, 'discuss'>>;
/** A project whose subjects of a kind the caller may read. */
export type PlaceOfSubject<Kind extends SubjectKind> = PermittedProject<PermissionOf<Kind, 'read' | 'discuss'>>;

/** What each kind of subject contributes: how an address leads to one. */
export interface SubjectSource {
  readonly kind: SubjectKind;
  /**
   * @param place the caller's, for this kind.
   * @param name what calls it by within the project: a number, or the id of a commit.
   * @throws NotFound when it is not there, or not for the caller to see; Forbidden.
   */
  find(actor: Actor, place: PlaceOfSubject<SubjectKind>, name: string): Promise<SubjectDetails>;
  /** Of a kind that has diffs whose lines can be talked about. */
  readonly diffs?: DiffsOfSubject;
  /** Of a kind whose rows are made when somebody first talks about one: makes it where it isn't there. */
  begin?(subject: SubjectDetails): Promise<SubjectDetails>;
}

export interface SubjectReader {
  /** Undefined once it is gone. */
  find(id: number): Promise<SubjectDetails | undefined>;
}

export interface SubjectRepository extends SubjectReader {
  /** Those of some that are there, by their ids. */
  findAll(ids: readonly number[]): Promise<ReadonlyMap<number, SubjectDetails>>;
  /** Keeps everybody from talking about one that is there; false, without waiting, where somebody is just doing so. */
  holdAlone(id: number): Promise<boolean>;
  /** Waits until nobody is at it. Whoever asks holds nothing that they may wait for. */
  awaitOthers(id: number): Promise<void>;
  /**
   * Removes what was said in a project, then what it was said of, at most `limit` of either, and passes over what others are at.
   *
   * @returns fewer once nothing is left.
   */
  removeOfProject(projectId: ProjectId, limit: number): Promise<number>;
}
