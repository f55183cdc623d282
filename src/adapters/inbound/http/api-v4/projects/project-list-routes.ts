import { Type } from '@sinclair/typebox';
import { GROUP_ID, inGroup } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { pathId } from '../../validation/parameters.js';
import { findUserByName } from '../users/find-user.js';
import { LIST, LIST_FILTERS, ShowProjects, type ShowProjectsParts } from './show-projects.js';

type Parts = ShowProjectsParts;

const { list } = routesOf({ tag: 'Projects' });

export const listProjects = (parts: Parts) =>
  list('/projects', 'listProjects', {
    ...LIST,
    summary: 'Every project that you may see',
    description: 'Works with and without a token; `membership=true` narrows it to your own.',
    parameters: LIST_FILTERS,
    read: (asked) => new ShowProjects(parts).page(asked),
  });

export const listUserProjects = (parts: Parts) =>
  list('/users/:id/projects', 'listUserProjects', {
    ...LIST,
    summary: 'The projects in a person’s own namespace, as far as you may see them',
    parameters: { ...LIST_FILTERS, id: pathId('Id or user name') },
    guard: async ({ path }) => {
      const user = await findUserByName(parts.users, path['id']);
      return orNotFound(await parts.reader.findPersonalNamespace(user.id), 'User');
    },
    read: (asked) =>
      new ShowProjects(parts).page(asked, { within: { namespaceId: asked.subject.id, includeSubgroups: false } }),
  });

export const listGroupProjects = (parts: Parts) =>
  list('/groups/:id/projects', 'listGroupProjects', {
    ...LIST,
    summary: 'The projects of a group, as far as you may see them',
    parameters: { ...LIST_FILTERS, id: GROUP_ID, include_subgroups: Type.Boolean({ default: false }) },
    guard: inGroup(parts.access, 'read_group'),
    read: (asked) => {
      const { include_subgroups: includeSubgroups } = asked.parameters;
      return new ShowProjects(parts).page(asked, { within: { namespaceId: asked.subject.group.id, includeSubgroups } });
    },
  });
