import type { Branches } from '../../../../../application/repositories/browse/branches.js';
import type { PermittedCode, Revision, Revisions } from '../../../../../application/repositories/browse/revisions.js';
import type { Tags } from '../../../../../application/repositories/browse/tags.js';
import type {
  ArchiveWriter,
  HistoryReader,
  ObjectReader,
} from '../../../../../application/repositories/ports/object-stores.js';
import type { RefReader } from '../../../../../application/repositories/ports/ref-reader.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import { isAdmin } from '../../../../../application/shared/actor.js';
import type { RefChanger } from '../../../../../domain/repositories/protected-ref.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { foundByName, inProject } from '../../kit/guards.js';
import type { WebUrls } from '../../web-urls.js';

/** What routes that read code need. */
export interface CodeRoutesParts {
  readonly access: WorkspaceAccess;
  readonly revisions: Revisions;
  readonly branches: Branches;
  readonly tags: Tags;
  readonly refReader: RefReader;
  readonly objects: ObjectReader;
  readonly history: HistoryReader;
  readonly archives: ArchiveWriter;
  readonly urls: WebUrls;
}

/** The longest name of a ref or path that is looked for. */
export const MAX_NAME = 4_096;

export const REF = 'A branch, a tag, or the id of a commit; the default branch when absent';

/** Whoever may read the code of a project. */
export const inCode = ({ access }: Pick<CodeRoutesParts, 'access'>) => inProject(access, 'read_code');

/** The commit that the path names by its id, a branch or a tag: `commit` is where it was found. */
export const inCommit = (parts: Pick<CodeRoutesParts, 'access' | 'revisions'>) =>
  foundByName('Commit', 'sha', inCode(parts), (place, text) => parts.revisions.find(place, text));

/** A name that is sent blank means the default branch, like none. @throws NotFound, naming what could not be found without its commit. */
export const revisionOf = async (
  { revisions }: Pick<CodeRoutesParts, 'revisions'>,
  permitted: PermittedCode,
  name: string | undefined,
  missing: string,
): Promise<Revision> => {
  const revision = await revisions.find(permitted, name === '' ? undefined : name);
  if (revision === undefined) throw new NotFound(missing);
  return revision;
};

/** A path as clients write it, as trees have it: without what names nothing, such as slashes around it and `./`. */
export const plainPath = (path: string): string =>
  path
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/');

/** The caller, as the protection of refs sees them. */
export const changerOf = (actor: Actor, { level }: PermittedCode): RefChanger => ({ level, admin: isAdmin(actor) });
