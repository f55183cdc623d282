import type { NamespaceId, ProjectId } from '../../domain/shared/identifiers.js';
import type { Visibility } from '../../domain/shared/visibility.js';
import { WORKSPACE_TOKENS } from '../composition/workspace.tokens.js';
import type { Service } from '../service.js';
import type { Members } from './people.js';

export const DEMO_GROUP = 'engines';

/** Groups and projects of every visibility, owned by Ada. Answers the project that people work in. */
export const addWorkspace = async ({ container }: Service, { ada }: Members): Promise<ProjectId> => {
  const { access, groups, projects } = container.get(WORKSPACE_TOKENS.workspace);
  const { actor } = ada;
  const top = await groups.create(undefined, {
    creator: actor,
    name: 'Engines',
    path: DEMO_GROUP,
    visibility: 'public',
    description: 'Machines that follow instructions',
  });
  const below = await groups.create(await access.group(actor, String(top), 'create_subgroups'), {
    creator: actor,
    name: 'Research',
    path: 'research',
    visibility: 'private',
    description: 'Not for everybody yet',
  });
  const addProject = async (into: NamespaceId, name: string, visibility: Visibility, description: string) =>
    projects.create(await access.namespaceForProjects(actor, into), {
      creatorId: actor.id,
      name,
      visibility,
      description,
      defaultBranch: 'main',
      mergeWhenPipelineSucceeds: false,
    });
  const compiler = await addProject(top, 'Compiler', 'internal', 'Translates what people mean');
  await addProject(top, 'Handbook', 'public', 'How to run an engine');
  await addProject(below, 'Note G', 'private', 'The first program');
  return compiler;
};

export const addMembers = async ({ container }: Service, project: ProjectId, { ada, grace, alan }: Members) => {
  const { access, members } = container.get(WORKSPACE_TOKENS.workspace);
  const group = await access.group(ada.actor, DEMO_GROUP, 'manage_group_members');
  await members.add(group, { userId: grace.actor.id, accessLevel: 20 });
  const manager = await access.project(ada.actor, String(project), 'manage_project_members');
  await members.add(manager, { userId: grace.actor.id, accessLevel: 30 });
  await members.add(manager, { userId: alan.actor.id, accessLevel: 10 });
};
