import { Type } from '@sinclair/typebox';
import type { Request } from 'express';
import type { SnippetOrigin } from '../../../../../application/snippets/ports/snippet-ports.js';
import type { EditSnippetCommand } from '../../../../../application/snippets/snippets.js';
import { Invalid } from '../../../../../domain/shared/domain-error.js';
import { VISIBILITIES } from '../../../../../domain/shared/visibility.js';
import type { SnippetFileAction } from '../../../../../domain/snippets/snippet-files.js';
import { HttpError } from '../../http-error.js';
import { given } from '../../kit/given.js';
import type { RouteResult } from '../../route.js';
import { jsonList, nullable, oneOf, text, type ParametersOf } from '../../validation/parameters.js';
import { readItem, refuseItem } from '../../validation/read-item.js';

const MAX_TEXT = 1_000_000;
const MAX_ACTIONS = 100;
/** What a file is called that comes without a name. */
const NAMELESS = 'snippetfile1.txt';

export const VISIBILITY = oneOf(VISIBILITIES, { description: 'private, internal or public' });

export const FIELDS = {
  description: Type.Optional(nullable(text(MAX_TEXT, 'What it is about'))),
  file_name: Type.Optional(text(MAX_TEXT, 'Path of its one file')),
  content: Type.Optional(text(MAX_TEXT, 'Text of its one file')),
  files: Type.Optional(
    jsonList(MAX_ACTIONS, 'Its files, each with `file_path` and `content`; to change some, with an `action` as well'),
  ),
};
export const TITLE = text(MAX_TEXT, 'What people read in lists');
type Fields = ParametersOf<typeof FIELDS>;

const ACTIONS = ['create', 'update', 'delete', 'move'] as const;
const NewFileSchema = Type.Object({ file_path: Type.String({ minLength: 1 }), content: Type.String() });
const ActionSchema = Type.Object({
  action: Type.Unsafe<(typeof ACTIONS)[number]>({ type: 'string', enum: [...ACTIONS] }),
  file_path: Type.Optional(Type.String({ minLength: 1 })),
  previous_path: Type.Optional(Type.String({ minLength: 1 })),
  content: Type.Optional(Type.String()),
});

/** The files of a new snippet. @throws HttpError 400. */
export const newFilesIn = ({ files, content, file_name: path }: Fields): readonly SnippetFileAction[] => {
  if (files !== undefined && content !== undefined) throw new HttpError(400, 'files, content are mutually exclusive');
  if (files === undefined && content === undefined)
    throw new HttpError(400, 'files, content are missing, exactly one parameter must be provided');
  if (content !== undefined) return [{ kind: 'create', path: path || NAMELESS, content }];
  return (files ?? []).map((sent, index) => {
    const { file_path: filePath, content: text } = readItem({ list: 'files', index }, sent, NewFileSchema);
    return { kind: 'create', path: filePath, content: text };
  });
};

const readAction = (sent: unknown, index: number): SnippetFileAction => {
  const place = { list: 'files', index };
  const { action: kind, file_path, previous_path: previous, content } = readItem(place, sent, ActionSchema);
  const path = file_path ?? previous ?? refuseItem(place, 'file_path', 'is missing');
  if (kind === 'delete') return { kind, path };
  if (kind === 'move')
    return {
      kind,
      path,
      previousPath: previous ?? refuseItem(place, 'previous_path', 'is missing'),
      ...given({ content }),
    };
  return { kind, path, content: content ?? refuseItem(place, 'content', 'is missing') };
};

const CHANGEABLE = ['content', 'description', 'files', 'file_name', 'title', 'visibility'] as const;

/** What is to become of a snippet. @throws HttpError 400. */
export const changesIn = (
  sent: Fields & { readonly title?: string; readonly visibility?: (typeof VISIBILITIES)[number] },
): EditSnippetCommand => {
  const { files, content, file_name: path, title, description, visibility } = sent;
  if (CHANGEABLE.every((name) => sent[name] === undefined))
    throw new HttpError(400, `${CHANGEABLE.join(', ')} are missing, at least one parameter must be provided`);
  if (files !== undefined && (content !== undefined || path !== undefined))
    throw new HttpError(400, `files, ${content === undefined ? 'file_name' : 'content'} are mutually exclusive`);
  const oneFile = content === undefined && path === undefined ? undefined : given({ path, content });
  return given({ title, description, visibility, files: files?.map(readAction), oneFile });
};

const MAX_USER_AGENT = 255;

export const originOf = (request: Request): SnippetOrigin => ({
  userAgent: request.get('user-agent')?.slice(0, MAX_USER_AGENT) ?? null,
  address: request.ip ?? null,
});

/** "Title can't be blank. Files are too many…": what clients read. */
const sentenceOf = ({ problems }: Invalid): string =>
  Object.entries(problems)
    .flatMap(([attribute, messages]) =>
      messages.map((message) =>
        attribute === 'base' ? message : `${attribute.charAt(0).toUpperCase()}${attribute.slice(1)} ${message}`,
      ),
    )
    .join('. ');

/** Answers what is wrong with a snippet in the shape that clients know. */
export const answeringProblems = async (work: () => Promise<RouteResult>): Promise<RouteResult> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return { status: 400, body: { message: { error: sentenceOf(error) } } };
  }
};
