import { Type } from '@sinclair/typebox';
import { nameWithNamespace, type Project } from '../../../../../domain/workspace/namespace.js';
import { nullable } from '../../validation/parameters.js';

/** What is said of a project wherever it is named. */
export const PROJECT_IN_SHORT = {
  id: Type.Integer(),
  description: nullable(Type.String()),
  name: Type.String(),
  name_with_namespace: Type.String(),
  path: Type.String(),
  path_with_namespace: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
};

export const presentInShort = (project: Project) => ({
  id: project.id,
  description: project.description,
  name: project.name,
  name_with_namespace: nameWithNamespace(project),
  path: project.path,
  path_with_namespace: project.fullPath,
  created_at: project.createdAt.toISOString(),
});
