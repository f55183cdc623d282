import { Type } from '@sinclair/typebox';
import type { SnippetDetails, SnippetOrigin } from '../../../../../application/snippets/ports/snippet-ports.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';
import { presentPerson } from '../users/present-user.js';
import { BasicUserSchema } from '../users/user-schema.js';

export const SnippetSchema = component(
  'schemas/Snippet',
  Type.Object({
    id: Type.Integer(),
    title: Type.String(),
    description: nullable(Type.String()),
    visibility: Type.String({ description: 'private, internal or public' }),
    author: BasicUserSchema,
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    project_id: nullable(Type.Integer()),
    web_url: Type.String(),
    raw_url: Type.String(),
    ssh_url_to_repo: Type.Null({ description: 'Snippets are no repositories' }),
    http_url_to_repo: Type.Null(),
    file_name: Type.String({ description: 'Path of the first file' }),
    files: Type.Array(Type.Object({ path: Type.String(), raw_url: Type.String() })),
  }),
);

export const RefusedSnippetSchema = component(
  'schemas/RefusedSnippet',
  Type.Object({ message: Type.Object({ error: Type.String() }) }),
);

export const UserAgentSchema = component(
  'schemas/UserAgentDetail',
  Type.Object({ user_agent: Type.String(), ip_address: Type.String(), akismet_submitted: Type.Literal(false) }),
);

export const presentSnippet = (snippet: SnippetDetails, urls: WebUrls) => {
  const { id, projectPath, files } = snippet;
  return {
    id,
    title: snippet.title,
    description: snippet.description,
    visibility: snippet.visibility,
    author: presentPerson(snippet.author, urls),
    created_at: snippet.createdAt.toISOString(),
    updated_at: snippet.updatedAt.toISOString(),
    project_id: snippet.projectId,
    web_url: urls.snippet(projectPath, id),
    raw_url: urls.rawSnippet(projectPath, id),
    ssh_url_to_repo: null,
    http_url_to_repo: null,
    file_name: files[0] ?? '',
    files: files.map((path) => ({ path, raw_url: urls.rawSnippet(projectPath, id, path) })),
  };
};

export const presentOrigin = ({ userAgent, address }: SnippetOrigin) => ({
  user_agent: userAgent ?? '',
  ip_address: address ?? '',
  akismet_submitted: false,
});
