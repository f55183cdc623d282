import type { ProblemCollector } from '../shared/problem-collector.js';

export const MAX_FILES = 10;
/** Of all files of a snippet together, in UTF-8. */
const MAX_BYTES = 1_048_576;
const MAX_PATH = 255;

/** What one change does to a file; changes are done one after the other. */
export type SnippetFileAction =
  | { readonly kind: 'create' | 'update'; readonly path: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'move'; readonly path: string; readonly previousPath: string; readonly content?: string };

/** A file as it is kept. */
export interface KeptFile {
  readonly id: number;
  readonly path: string;
  readonly bytes: number;
}

/** A file as it is to be: one that is kept has an id, and its old content unless there is another. */
export interface PlannedFile {
  readonly id?: number;
  readonly path: string;
  readonly bytes: number;
  readonly content?: string;
}

const sizeOf = (content: string): number => new TextEncoder().encode(content).length;

const isPath = (path: string): boolean =>
  path.length <= MAX_PATH &&
  !/[\u0000-\u001f\u007f\\]/.test(path) &&
  path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');

/** What the files of a snippet are after some changes. The first file stays the first. */
export const planFiles = (
  problems: ProblemCollector,
  kept: readonly KeptFile[],
  actions: readonly SnippetFileAction[],
): readonly PlannedFile[] => {
  const files: PlannedFile[] = [...kept];
  for (const action of actions) act(problems, files, action);
  const paths = new Set(files.map(({ path }) => path));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  problems
    .check(files.length > 0, 'files', "can't be empty")
    .check(files.length <= MAX_FILES, 'files', `are too many (maximum is ${MAX_FILES})`)
    .check(paths.size === files.length, 'files', 'have the same path')
    .check(
      files.every(({ path }) => isPath(path)),
      'files',
      'have an invalid path',
    )
    .check(bytes <= MAX_BYTES, 'files', `are too large (maximum is ${MAX_BYTES} bytes in all)`);
  return files;
};

const act = (problems: ProblemCollector, files: PlannedFile[], action: SnippetFileAction): void => {
  const named = action.kind === 'move' ? action.previousPath : action.path;
  const at = files.findIndex(({ path }) => path === named);
  const file = files[at];
  if (action.kind === 'create') {
    if (file === undefined) files.push({ path: named, content: action.content, bytes: sizeOf(action.content) });
    else problems.add('files', `have "${named}" already`);
  } else if (file === undefined) problems.add('files', `don't have "${named}"`);
  else if (action.kind === 'delete') files.splice(at, 1);
  else files[at] = { ...file, path: action.path, ...changed(action.content) };
};

const changed = (content: string | undefined) => (content === undefined ? {} : { content, bytes: sizeOf(content) });
