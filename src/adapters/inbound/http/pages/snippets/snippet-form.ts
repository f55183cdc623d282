import type { SnippetFile } from '../../../../../application/snippets/ports/snippet-ports.js';
import { BadRequest } from '../../../../../domain/shared/domain-error.js';
import { VISIBILITIES, type Visibility } from '../../../../../domain/shared/visibility.js';
import { MAX_FILES, type SnippetFileAction } from '../../../../../domain/snippets/snippet-files.js';
import { isStorable } from '../../validation/storable-text.js';
import { field, type PageContext } from '../page.js';

/** A file in the form: as it is kept, as it was sent, or one that may be added. */
interface FormFile {
  /** Its path before; empty where it is to be added. */
  readonly previous: string;
  readonly path: string;
  readonly content: string;
  readonly removed: boolean;
}

export interface SnippetForm {
  readonly title: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly files: readonly FormFile[];
}

const NONE: FormFile = { previous: '', path: '', content: '', removed: false };

/** With a place for one more file. */
const withRoom = (files: readonly FormFile[]): readonly FormFile[] =>
  files.length < MAX_FILES ? [...files, NONE] : files;

export const EMPTY_FORM: SnippetForm = { title: '', description: '', visibility: 'private', files: [NONE] };

export const formOf = (
  {
    title,
    description,
    visibility,
  }: Pick<SnippetForm, 'title' | 'visibility'> & { readonly description: string | null },
  files: readonly SnippetFile[],
): SnippetForm => ({
  title,
  visibility,
  description: description ?? '',
  files: withRoom(files.map(({ path, content }) => ({ previous: path, path, content, removed: false }))),
});

/** Anything but text would be taken for an empty file. */
const contentIn = ({ request }: PageContext, name: string): string => {
  const content: unknown = (request.body as Record<string, unknown> | undefined)?.[name] ?? '';
  if (typeof content !== 'string' || !isStorable(content)) throw new BadRequest('The content is not text.');
  // Forms send every end of a line as CR LF.
  return content.replaceAll('\r\n', '\n');
};

/** What was sent, to be shown again where it is refused. */
export const sentForm = (context: PageContext): SnippetForm => {
  const { request } = context;
  const files = Array.from({ length: MAX_FILES }, (_, index) => ({
    previous: field(request, `previous_${index}`),
    path: field(request, `path_${index}`).trim(),
    content: contentIn(context, `content_${index}`),
    removed: field(request, `remove_${index}`) === 'true',
  })).filter(({ previous, path, content }) => previous !== '' || path !== '' || content !== '');
  const visibility = VISIBILITIES.find((each) => each === field(request, 'visibility')) ?? 'private';
  const [title, description] = [field(request, 'title').trim(), field(request, 'description')];
  return { title, visibility, description: description.replaceAll('\r\n', '\n'), files: withRoom(files) };
};

/** What is to be done to the files. They change names by way of others, so that two may change places. */
export const actionsIn = ({ files }: SnippetForm): readonly SnippetFileAction[] => {
  const kept = files.filter(({ previous, removed }) => previous !== '' && !removed);
  const renamed = kept.filter(({ previous, path }) => path !== '' && path !== previous);
  const onTheWay = ({ previous }: FormFile) => `.renamed/${renamed.findIndex((file) => file.previous === previous)}`;
  return [
    ...files
      .filter(({ previous, removed }) => previous !== '' && removed)
      .map(({ previous }) => ({ kind: 'delete', path: previous }) as const),
    ...renamed.map((file) => ({ kind: 'move', path: onTheWay(file), previousPath: file.previous }) as const),
    ...kept.map((file) =>
      renamed.includes(file)
        ? ({ kind: 'move', path: file.path, previousPath: onTheWay(file), content: file.content } as const)
        : ({ kind: 'update', path: file.previous, content: file.content } as const),
    ),
    ...files
      .filter(({ previous, path, content }) => previous === '' && (path !== '' || content !== ''))
      .map(({ path, content }, index) => ({ kind: 'create', path: path || nameless(index), content }) as const),
  ];
};

const nameless = (index: number): string => `snippetfile${index + 1}.txt`;
