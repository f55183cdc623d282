import type { StarterReader } from '../../../application/pipelines/ports/starter-ports.js';
import type { Viewer, WorkspaceReader } from '../../../application/workspace/ports/workspace-readers.js';
import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Project } from '../../../domain/workspace/namespace.js';

export interface ProjectsLetInParts {
  readonly starterReader: Pick<StarterReader, 'visibleOf'>;
  readonly workspaceReader: Pick<WorkspaceReader, 'findProjects'>;
}

/** Those whose jobs may start the pipelines of a project, as far as somebody sees them. */
export const projectsLetIn = async (
  { starterReader, workspaceReader }: ProjectsLetInParts,
  projectId: ProjectId,
  viewer: Viewer,
): Promise<readonly Project[]> => {
  const ids = await starterReader.visibleOf(projectId, viewer);
  const found = new Map((await workspaceReader.findProjects(ids)).map((each) => [each.id, each]));
  return ids.flatMap((id) => found.get(id) ?? []);
};
