import type { Projects } from '../../../../../application/workspace/projects.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { route, type Route } from '../../route.js';
import { parameters } from '../../validation/parameters.js';
import { ProjectSchema } from './project-schema.js';
import { ShowProjects, type ShowProjectsParts } from './show-projects.js';

export interface ArchiveRoutesParts extends ShowProjectsParts {
  readonly projects: Projects;
}

const change = (parts: ArchiveRoutesParts, verb: 'archive' | 'unarchive', summary: string) =>
  route({
    method: 'post',
    path: `/projects/:id/${verb}`,
    operationId: `${verb}Project`,
    summary,
    description: 'Repeating it changes nothing.',
    tag: 'Projects',
    access: 'user',
    parameters: parameters({ id: PROJECT_ID }),
    responses: { 201: ProjectSchema },
    guard: inProject(parts.access, 'archive_project'),
    handle: async ({ actor, subject }) => {
      await parts.projects.setArchived(subject, verb === 'archive');
      const after = await parts.access.project(actor, String(subject.project.id), 'read_project');
      return { status: 201, body: await new ShowProjects(parts).permitted(actor, after) };
    },
  });

export const createArchiveRoutes = (parts: ArchiveRoutesParts): readonly Route[] => [
  change(parts, 'archive', 'Make a project that you own read-only'),
  change(parts, 'unarchive', 'Let an archived project be changed again'),
];
