import { Type } from '@sinclair/typebox';
import type { Topic, TopicReader } from '../../../../../application/workspace/ports/topic-reader.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { component } from '../../openapi/component.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { text } from '../../validation/parameters.js';

export interface TopicRoutesParts {
  readonly access: WorkspaceAccess;
  readonly topics: TopicReader;
}
type Parts = TopicRoutesParts;

const { list } = routesOf({ tag: 'Topics' });

const TopicSchema = component(
  'schemas/Topic',
  Type.Object({
    id: Type.Null({ description: 'Topics are known by their names alone' }),
    name: Type.String(),
    title: Type.String({ description: 'The same' }),
    description: Type.String({ description: 'Always empty' }),
    total_projects_count: Type.Integer({ description: 'How many projects have it, of those that you may see' }),
    avatar_url: Type.Null(),
  }),
);

const present = ({ name, projects }: Topic) => ({
  id: null,
  name,
  title: name,
  description: '',
  total_projects_count: projects,
  avatar_url: null,
});

const listTopics = ({ access, topics }: Parts) =>
  list('/topics', 'listTopics', {
    summary: 'What projects are about, of those that you may see',
    access: 'anyone',
    parameters: { search: Type.Optional(text(255, 'Part of the name')) },
    items: TopicSchema,
    read: ({ actor, parameters: { search }, page }) => topics.list(access.viewer(actor), page, search),
    present,
  });

export const createTopicRoutes = (parts: Parts): readonly Route[] => [listTopics(parts)];
