import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Router } from 'express';
import { madeOnce } from '../../../../../domain/shared/made-once.js';

const own = (name: string): string => fileURLToPath(new URL(`../assets/${name}`, import.meta.url));

/** What pages load, each of one or more files. */
const FILES = {
  'gatehouse.css': [
    createRequire(import.meta.url).resolve('@picocss/pico/css/pico.min.css'),
    own('gatehouse.css'),
    own('frame.css'),
    own('code.css'),
  ],
  'board.js': [own('board.js')],
  'comments.js': [own('comments.js')],
  'copy.js': [own('copy.js')],
  'api-docs.js': [own('api-docs.js')],
  'live.js': [own('live.js')],
  'viewed.js': [own('viewed.js')],
  'zone.js': [own('zone.js')],
  'mark.svg': [own('mark.svg')],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type AssetName = keyof typeof FILES;

const A_YEAR_SECONDS = 365 * 24 * 3_600;
const HASH_LENGTH = 16;

interface Asset {
  readonly name: string;
  readonly content: Buffer;
  readonly address: string;
}

/** Its address has a hash of its content: browsers keep it for a year, and ask for another once it is another. */
const read = (name: string, files: readonly string[]): Asset => {
  const content = Buffer.concat(files.flatMap((file) => [readFileSync(file), Buffer.from('\n')]));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_LENGTH);
  return { name, content, address: `/assets/${hash}-${name}` };
};

/** Read when they are first asked for: commands serve no pages. */
const allAssets = madeOnce(
  (): ReadonlyMap<string, Asset> => new Map(Object.entries(FILES).map(([name, files]) => [name, read(name, files)])),
);

/** Where a page loads it from. */
export const assetAddress = (name: AssetName): string => allAssets().get(name)?.address ?? '';

export const serveAssets = (router: Router): void => {
  for (const { name, content, address } of allAssets().values())
    router.get(address, (_request, response) => {
      response.set('Cache-Control', `public, max-age=${A_YEAR_SECONDS}, immutable`);
      response.type(name.slice(name.lastIndexOf('.'))).send(content);
    });
};
