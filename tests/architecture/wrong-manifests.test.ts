import { describe, expect, it } from '@jest/globals';
import { errorsIn } from '../support/compile-in-memory.js';

const COMPOSITION = 'src/infrastructure/composition';

const declaring = (declaration: string): string => `
import type { JobRequests } from '../../application/shared/jobs/job-queue.js';
import type { Subscriber } from '../../application/shared/domain-events.js';
import type { UnitOfWork } from '../../application/shared/unit-of-work.js';
import type { Context } from './context.js';
import { defineStorage, job, storagesOf } from './storage.js';
import { STORAGES, type Repositories } from './storages.js';
import { sharedContext } from './shared.context.js';
import { CONTEXTS } from './contexts.js';

interface Book { add(word: string): Promise<void> }
class KnexBook implements Book { add(): Promise<void> { return Promise.resolve() } }
const storage = defineStorage({
  name: 'planted', stores: { book: () => new KnexBook() }, jobs: { read_book: job<number>(), write_book: job<string>() },
});
const noting: Subscriber<{ readonly book: Book }> = (_event, { book }) => book.add('heard');
type Work<Needs> = (unitOfWork: UnitOfWork<Needs>) => void;
export const used = [storage, noting, storagesOf, STORAGES, sharedContext, CONTEXTS];
export type Used = [Context<typeof storage>, JobRequests<object>, Repositories, Work<object>];
${declaration}
`;

const handling = (handlers: string): string =>
  `export const planted: Context<typeof storage> = { storage, modules: [], ${handlers} };`;
const asking = (kind: string, subject: string): string =>
  `export const planted: Work<{ readonly jobs: JobRequests<{ readonly ${kind}: ${subject} }> }> extends
     (unitOfWork: UnitOfWork<Repositories>) => void ? true : false = true;`;

const REFUSED = {
  'a context without what its jobs do': handling(''),
  'a context without what one of its jobs does': handling("jobs: () => ({ read_book: async () => 'done' })"),
  'a job that takes another subject': handling(
    "jobs: () => ({ read_book: async (_, id: string) => (id === '' ? 'more' : 'done'), write_book: async () => 'done' })",
  ),
  'work for a job that no context declares': asking(
    'remove_projct',
    "import('../../domain/shared/identifiers.js').ProjectId",
  ),
  'work for a job with another subject': asking('remove_project', 'string'),
  'a subscriber of what no storage brings':
    "export const planted = storagesOf([...STORAGES, { name: 'planted', stores: {}, subscribers: [noting] }]);",
  'a list of contexts without one of the storages': 'export const planted: typeof CONTEXTS = [sharedContext];',
};

const ACCEPTED = {
  'a context with what its jobs do': handling(
    "jobs: () => ({ read_book: async (_, id) => (id > 1 ? 'more' : 'done'), write_book: async () => 'done' })",
  ),
  'work for a declared job': asking('remove_project', "import('../../domain/shared/identifiers.js').ProjectId"),
  'a subscriber of what a storage brings':
    'export const planted = storagesOf([...STORAGES, defineStorage({ name: "planted", stores: { book: () => new KnexBook() }, subscribers: [noting] })]);',
};

const fileOf = (name: string): string => name.replaceAll(' ', '-');

describe('what the compiler refuses of manifests', () => {
  const errors = errorsIn(
    COMPOSITION,
    Object.fromEntries(
      Object.entries({ ...REFUSED, ...ACCEPTED }).map(([name, text]) => [fileOf(name), declaring(text)]),
    ),
  );

  it.each(Object.keys(REFUSED))('refuses %s', (name) => {
    expect(errors.get(fileOf(name))).toHaveLength(1);
  });

  it.each(Object.keys(ACCEPTED))('accepts %s', (name) => {
    expect(errors.get(fileOf(name))).toEqual([]);
  });
});
