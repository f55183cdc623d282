import { Type } from '@sinclair/typebox';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import { PROJECT_IN_SHORT, presentInShort } from './project-in-short.js';
import type { ShowProjectsParts } from './show-projects.js';

const { get } = routesOf({ tag: 'Projects' });

const ProjectImportSchema = component(
  'schemas/ProjectImport',
  Type.Object({
    ...PROJECT_IN_SHORT,
    import_type: nullable(Type.String({ description: '`git`, or null for a fork and where nothing was imported' })),
    import_status: Type.String({ description: '`none`, `scheduled`, `started`, `finished` or `failed`' }),
    import_error: nullable(Type.String()),
  }),
);

/** How the code of a project arrives. */
export const getProjectImport = ({ access, relations }: ShowProjectsParts) =>
  get('/projects/:id/import', 'getProjectImport', {
    summary: 'How far the code has come that a project gets from elsewhere',
    access: 'user',
    parameters: { id: PROJECT_ID },
    answer: ProjectImportSchema,
    guard: inProject(access, 'read_project'),
    handle: async ({ actor, subject: { project } }) => {
      const { copied, forkedFrom } =
        (await relations.relationsOf(access.viewer(actor), [project.id])).get(project.id) ?? {};
      return {
        ...presentInShort(project),
        import_type: copied === undefined || forkedFrom !== undefined ? null : 'git',
        import_status: copied?.state ?? 'none',
        import_error: copied?.error ?? null,
      };
    },
  });
