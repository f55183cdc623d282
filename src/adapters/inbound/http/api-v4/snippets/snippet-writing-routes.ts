import { Type } from '@sinclair/typebox';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { route, type Route, type RouteResult } from '../../route.js';
import { oneOf, parameters } from '../../validation/parameters.js';
import { VISIBILITIES } from '../../../../../domain/shared/visibility.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { answeringProblems, changesIn, FIELDS, newFilesIn, originOf, TITLE, VISIBILITY } from './snippet-fields.js';
import { IN_PROJECT, PERSONAL, toChange, type Shelf, type SnippetRoutesParts } from './snippet-parts.js';
import { presentSnippet, RefusedSnippetSchema, SnippetSchema } from './snippet-schema.js';

type Parts = SnippetRoutesParts;

const TAG = 'Snippets';

const show = async ({ snippetReader, urls }: Parts, projectId: ProjectId | null, id: number) =>
  presentSnippet(orNotFound(await snippetReader.find(projectId, id), 'Snippet'), urls);

const answerCreated = (create: () => Promise<number>, showIt: (id: number) => Promise<object>): Promise<RouteResult> =>
  answeringProblems(async () => ({ status: 201, body: await showIt(await create()) }));

const createSnippet = (parts: Parts) =>
  route({
    method: 'post',
    path: PERSONAL.all,
    operationId: 'createSnippet',
    summary: 'Make a snippet of your own',
    description: 'Either `files`, or `content` with `file_name`.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      title: TITLE,
      ...FIELDS,
      visibility: oneOf(VISIBILITIES, { default: 'internal', description: 'private, internal or public' }),
    }),
    responses: { 201: SnippetSchema, 400: RefusedSnippetSchema },
    handle: async ({ actor, request, parameters: { title, visibility, ...sent } }) => {
      const [files, description] = [newFilesIn(sent), sent.description ?? null];
      const command = { title, visibility, description, files, origin: originOf(request) };
      return answerCreated(
        () => parts.snippets.createOwn(actor, command),
        (id) => show(parts, null, id),
      );
    },
  });

const createProjectSnippet = (parts: Parts) =>
  route({
    method: 'post',
    path: IN_PROJECT.all,
    operationId: 'createProjectSnippet',
    summary: 'Make a snippet of a project',
    description: 'Either `files`, or `content` with `file_name`.',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, title: TITLE, ...FIELDS, visibility: VISIBILITY }),
    responses: { 201: SnippetSchema, 400: RefusedSnippetSchema },
    guard: inProject(parts.access, 'create_snippets'),
    handle: async ({ actor, subject, request, parameters: { title, visibility, ...sent } }) => {
      const [files, description] = [newFilesIn(sent), sent.description ?? null];
      const command = { title, visibility, description, files, origin: originOf(request) };
      return answerCreated(
        () => parts.snippets.createIn(subject, actor, command),
        (id) => show(parts, subject.project.id, id),
      );
    },
  });

const editSnippet = (parts: Parts, shelf: Shelf) =>
  route({
    method: 'put',
    path: shelf.one,
    operationId: `edit${shelf.noun}`,
    summary: `Change ${shelf.words}`,
    description: 'Files are changed by `files`; one that is alone by `content` and `file_name`, too.',
    tag: TAG,
    access: 'user',
    parameters: parameters({
      ...shelf.inPath,
      title: Type.Optional(TITLE),
      ...FIELDS,
      visibility: Type.Optional(VISIBILITY),
    }),
    responses: { 200: SnippetSchema, 400: RefusedSnippetSchema },
    guard: toChange(parts, shelf),
    handle: async ({ subject, parameters: sent }) => {
      const changes = changesIn(sent);
      const { projectId, id } = subject.snippet;
      return answeringProblems(async () => {
        await parts.snippets.edit(subject, changes);
        return { body: await show(parts, projectId, id) };
      });
    },
  });

const removeSnippet = (parts: Parts, shelf: Shelf) =>
  route({
    method: 'delete',
    path: shelf.one,
    operationId: `remove${shelf.noun}`,
    summary: `Remove ${shelf.words}`,
    tag: TAG,
    access: 'user',
    parameters: parameters(shelf.inPath),
    responses: { 204: null },
    guard: toChange(parts, shelf),
    lastChanged: ({ snippet }) => snippet.updatedAt,
    handle: async ({ actor, subject }) => {
      await parts.snippets.remove(actor, subject);
      return { status: 204 };
    },
  });

export const createSnippetWritingRoutes = (parts: Parts): readonly Route[] => [
  createSnippet(parts),
  createProjectSnippet(parts),
  ...[PERSONAL, IN_PROJECT].flatMap((shelf) => [editSnippet(parts, shelf), removeSnippet(parts, shelf)]),
];
