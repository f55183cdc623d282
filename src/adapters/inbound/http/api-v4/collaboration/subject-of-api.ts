import type { TSchema } from '@sinclair/typebox';
import type { SubjectDetails, SubjectSource } from '../../../../../application/collaboration/ports/subject-ports.js';
import type {
  DiscussableSubject,
  Subjects,
  VisibleSubject,
} from '../../../../../application/collaboration/subjects.js';
import type { Viewer } from '../../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { SUBJECT_PERMISSIONS } from '../../../../../domain/workspace/workspace-policy.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { naming } from '../../kit/or-not-found.js';
import type { GuardContext } from '../../route.js';
import { pathId } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';

/** What a kind of subject contributes to the API: its routes of comments, subscriptions and the rest are made of it. */
export interface SubjectOfApi {
  readonly source: SubjectSource;
  /** As in the names of operations: `Issue`. */
  readonly name: string;
  /** As in summaries: `an issue`. */
  readonly words: string;
  /** Where they are, below `/projects/:id`: `issues`. */
  readonly collection: string;
  /** The parameter of the path that names one, and what it is. */
  readonly parameter: readonly [name: string, description: string];
  /** Whether what its discussions ask for can be said to be done. */
  readonly resolvable?: boolean;
  /** Whether people draft comments on it, which they publish together. */
  readonly reviewed?: boolean;
  /** Whether people track the time that one takes, put one on their lists of to-dos, and read what was done with its labels and state. */
  readonly timed?: boolean;
  readonly asked?: boolean;
  readonly planned?: boolean;
  /** Whether comments have an address of their own beside that of discussions, and whether one is awarded itself; unless it says otherwise. */
  readonly noted?: false;
  readonly awarded?: false;
  /** Whether people ask to hear of one, or no more; unless it says otherwise they do. */
  readonly subscribed?: false;
  /** Some as the API shows them, by their ids, and the schema of one. Those that are gone are left out. */
  readonly schema: TSchema;
  readonly present: (subjects: readonly SubjectDetails[], viewer: Viewer) => Promise<ReadonlyMap<number, object>>;
}

export interface SubjectRoutesParts {
  readonly access: WorkspaceAccess;
  readonly subjects: Subjects;
  readonly urls: WebUrls;
}

export const pathOf = ({ collection, parameter: [name] }: SubjectOfApi): string =>
  `/projects/:id/${collection}/:${name}`;

/** The parameters of a path below a subject; the one that names it has a name of its own for each kind. */
export const parametersOf = ({ parameter: [name, description] }: SubjectOfApi) => ({
  id: PROJECT_ID,
  [name]: pathId(description),
});

type Parts = Pick<SubjectRoutesParts, 'access' | 'subjects'>;

/** Finds the subject that a path names, as far as the caller may see it. */
export const findSubject =
  ({ access, subjects }: Parts, { source: { kind }, parameter: [name] }: SubjectOfApi) =>
  async ({ actor, path }: GuardContext): Promise<VisibleSubject> =>
    subjects.find(
      actor,
      await access.project(actor, path['id'], SUBJECT_PERMISSIONS[kind].read),
      kind,
      path[name] ?? '',
    );

/** The same, for callers who are about to comment on it or to do something else to it. */
export const findSubjectToDiscuss =
  ({ access, subjects }: Parts, { source: { kind }, parameter: [name] }: SubjectOfApi) =>
  async ({ actor, path }: GuardContext): Promise<DiscussableSubject> =>
    subjects.findToDiscuss(
      actor,
      await access.project(actor, path['id'], SUBJECT_PERMISSIONS[kind].discuss),
      kind,
      path[name] ?? '',
    );

/** Finds what is commented on, as far as the caller may see it. @throws NotFound by its name. */
export const findNoted = (parts: Parts, of: SubjectOfApi) => naming(of.name, findSubject(parts, of));

/** The same, for callers who are about to comment on it. */
export const findNotedToDiscuss = (parts: Parts, of: SubjectOfApi) => naming(of.name, findSubjectToDiscuss(parts, of));
