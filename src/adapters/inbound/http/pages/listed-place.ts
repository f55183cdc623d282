import type { PermittedProject } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import type { NamespaceId, ProjectId } from '../../../../domain/shared/identifiers.js';
import type { ProjectPermission } from '../../../../domain/workspace/workspace-policy.js';
import { given } from '../kit/given.js';
import type { PageContext } from './page-context.js';
import { actorFor, queryText } from './page-request.js';

/** A project whose issues or merge requests are listed. */
interface ListedProject {
  readonly projectId: ProjectId;
  /** Only what is planned for a milestone of this release. */
  readonly releaseTag?: string;
}

/** Where they are listed: in a project, or in all of a group and of the groups below it. */
export type ListedPlace = ListedProject | { readonly within: NamespaceId; readonly archived: false };

/**
 * What an address asks for in a project: it may name a release.
 * @throws Forbidden for who may not read releases.
 */
export const listedProject = (
  access: Pick<WorkspaceAccess, 'also'>,
  context: PageContext,
  place: PermittedProject<ProjectPermission>,
): ListedProject => {
  const releaseTag = queryText(context, 'release_tag') || undefined;
  if (releaseTag !== undefined) access.also(actorFor(context.browser), place, 'read_releases');
  return { projectId: place.project.id, ...given({ releaseTag }) };
};
