import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** A fenced block of a page, as a reader copies it. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** One of four backticks shows what has three of them. */
const FENCE = /^( *)(`{3,})(\S*)\n([\s\S]*?)^\1\2$/gm;

const blocksOf = (page: string): readonly Block[] => {
  const source = readFileSync(join(REPOSITORY, page), 'utf8');
  return [...source.matchAll(FENCE)].map(({ index, 1: indent = '', 3: language = '', 4: body = '' }) => ({
    page,
    line: source.slice(0, index).split('\n').length,
    language,
    text: body
      .split('\n')
      .map((line) => line.slice(indent.length))
      .join('\n'),
  }));
};

/** Whose YAML is that of CI files: `read-ci-file.test.ts` reads it. */
export const PAGES_OF_CI_FILES: readonly string[] = [
  'docs/artifacts.md',
  'docs/ci-file.md',
  'docs/environments.md',
  'docs/packages.md',
  'docs/pipelines.md',
];

/** Every block of every page, in the order of the pages. */
export const documentedBlocks = (): readonly Block[] =>
  ['README.md', 'CONTRIBUTING.md', ...pagesIn('docs')].flatMap(blocksOf);

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(REPOSITORY, folder), { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((name) => name.endsWith('.md'))
    .sort();
