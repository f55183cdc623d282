import { Type } from '@sinclair/typebox';
import type { PermittedCode, Revision } from '../../../../../application/repositories/browse/revisions.js';
import type { ContainingRefs } from '../../../../../application/repositories/ports/containing-refs.js';
import type { Commit, CommitRange, LogQuery } from '../../../../../application/repositories/ports/object-stores.js';
import type { PipelineReader } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import { together } from '../../../../../application/shared/together.js';
import type { ObjectId } from '../../../../../domain/repositories/object-id.js';
import { branchRef, tagRef } from '../../../../../domain/repositories/ref-name.js';
import type { PageRequest } from '../../../../../domain/shared/page.js';
import { readFewAtATime, type PageInBatches } from '../../../../../application/shared/page-in-batches.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { ParametersInvalid } from '../../http-error.js';
import { given } from '../../kit/given.js';
import { PROJECT_ID } from '../../kit/guards.js';
import { pagedList } from '../../kit/paged-list.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import { route, type Route } from '../../route.js';
import { oneOf, parameters, pathId, text } from '../../validation/parameters.js';
import { inCode, inCommit, MAX_NAME, plainPath, type CodeRoutesParts } from './code-routes-parts.js';
import { CommitDetailSchema, CommitSchema, presentCommit, presentCommitDetail } from './present-commit.js';
import type { LineCount } from './present-commit.js';
import { DiffSchema, presentDiff } from './present-diff.js';

const TAG = 'Commits';
const ALL = '/projects/:id/repository/commits';
const ONE = `${ALL}/:sha`;
const IN_PATH = { id: PROJECT_ID, sha: pathId('Id of a commit, or its beginning; a branch or tag') };
/** Beyond so many git does not count. */
const MOST_SKIPPED = 2_000_000_000;

interface CountedCommit {
  readonly commit: Commit;
  readonly stats: LineCount | undefined;
}

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** In UTC where it names no zone. */
const readInstant = (parameter: 'since' | 'until', written = ''): Date | undefined => {
  if (written === '') return undefined;
  // A plus that nobody encoded has come as a space.
  const text = written.replace(/ (?=\d{2}:?\d{2}$)/, '+');
  const [whole, zone] = ISO_8601.exec(text) ?? [];
  const at = new Date(zone === undefined && text.includes('T') ? `${text}Z` : text);
  if (whole === undefined || Number.isNaN(at.getTime()))
    throw new ParametersInvalid([{ parameter, problem: 'is invalid' }]);
  return at;
};

/** `a..b`: what is in the second and not in the first. */
const splitRange = (name: string | undefined): readonly [string | undefined, string | undefined] => {
  const [from, to, ...more] = name?.split('..') ?? [];
  return to === undefined || more.length > 0 || from === '' || to === '' || to.startsWith('.')
    ? [undefined, name]
    : [from, to];
};

const tipsOfAll = async ({ refReader }: CodeRoutesParts, repositoryId: number): Promise<readonly ObjectId[]> => {
  const tips = new Set<ObjectId>();
  for await (const batch of refReader.advertised(repositoryId, [branchRef(''), tagRef('')]))
    for (const { target, peeled, committedAt } of batch) if (committedAt !== null) tips.add(peeled ?? target);
  return [...tips];
};

interface Start extends CommitRange {
  readonly store: string;
}

/** Where a list of commits begins; undefined where there are none. */
const startOf = async (
  parts: CodeRoutesParts,
  permitted: PermittedCode,
  name: string | undefined,
  all: boolean,
): Promise<Start | undefined> => {
  const repository = await parts.revisions.repositoryOf(permitted);
  if (repository === undefined) return undefined;
  const { store, id } = repository;
  if (all) return { store, tips: await tipsOfAll(parts, id) };
  const [from, to] = splitRange(name);
  const tip = await parts.revisions.findIn(repository, permitted, to);
  const not = from === undefined ? undefined : await parts.revisions.findIn(repository, permitted, from);
  if (tip === undefined || (from !== undefined && not === undefined)) return undefined;
  return { store, tips: [tip.commit.id], ...(not === undefined ? {} : { not: [not.commit.id] }) };
};

export const readCommits = async (
  parts: Pick<CodeRoutesParts, 'history' | 'objects'>,
  start: Start | undefined,
  query: Omit<LogQuery, 'tips' | 'not' | 'skip' | 'limit'>,
  { page, perPage }: PageRequest,
  withStats: boolean,
): Promise<PageInBatches<CountedCommit>> => {
  const skip = (page - 1) * perPage;
  const { store = '', ...range } = start ?? { tips: [] };
  const ids =
    store === '' || skip > MOST_SKIPPED
      ? []
      : await parts.history.walk(store, { ...query, ...range, skip, limit: perPage });
  const counts = withStats ? await parts.history.lineCounts(store, ids) : undefined;
  const read = async (few: readonly ObjectId[]) => {
    const commits = await Promise.all(few.map((id) => parts.objects.commit(store, id)));
    return commits.flatMap((commit) => (commit === undefined ? [] : [{ commit, stats: counts?.get(commit.id) }]));
  };
  // Whether there are more isn't known until they are read: the last page may be followed by an empty one.
  return { batches: readFewAtATime(ids, read), hasNext: ids.length === perPage };
};

const listCommits = (parts: CodeRoutesParts): Route =>
  pagedList({
    path: ALL,
    operationId: 'listCommits',
    summary: 'Commits, the newest first',
    description: 'They are not counted, so that answers carry no totals, and the last page may be an empty one.',
    tag: TAG,
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      ref_name: Type.Optional(text(MAX_NAME, 'A branch, a tag, the id of a commit, or two of them as `a..b`')),
      since: Type.Optional(text(64, 'Only those made then or later, ISO 8601')),
      until: Type.Optional(text(64, 'Only those made then or before, ISO 8601')),
      path: Type.Optional(text(MAX_NAME, 'Only those that change this file or folder')),
      author: Type.Optional(text(255, 'Part of the name or address of the author')),
      all: Type.Boolean({ default: false, description: 'Of all branches and tags; `ref_name` is ignored then' }),
      with_stats: Type.Boolean({
        default: false,
        description: 'Whether lines that were added and removed are counted',
      }),
      first_parent: Type.Boolean({
        default: false,
        description: 'Whether of a merge only the first parent is followed',
      }),
      order: oneOf(['default', 'topo'], { default: 'default', description: 'By time, or children before parents' }),
      trailers: Type.Boolean({ default: false, description: 'Whether the trailers of messages are told' }),
    },
    items: CommitSchema,
    guard: inCode(parts),
    read: async ({ subject, parameters: asked, page }) => {
      if (asked.ref_name?.startsWith('-') === true)
        throw new ParametersInvalid([{ parameter: 'ref_name', problem: 'is invalid' }]);
      const [since, until] = [readInstant('since', asked.since), readInstant('until', asked.until)];
      const path = asked.path === undefined ? undefined : plainPath(asked.path);
      // No tree has one, and git does not look for what lies outside.
      if (path?.split('/').includes('..') === true)
        throw new ParametersInvalid([{ parameter: 'path', problem: 'is invalid' }]);
      const start = await startOf(parts, subject, asked.ref_name === '' ? undefined : asked.ref_name, asked.all);
      const query = {
        ...given({ since, until, path, author: asked.author === '' ? undefined : asked.author }),
        firstParent: asked.first_parent,
        order: asked.order === 'topo' ? ('topology' as const) : ('date' as const),
      };
      return readCommits(parts, start, query, page, asked.with_stats);
    },
    present: ({ commit, stats }, { subject: { project }, parameters: { trailers } }) =>
      presentCommit(commit, project, parts.urls, { trailers, stats }),
  });

/** What routes of commits need beside. */
export interface CommitRoutesParts extends CodeRoutesParts {
  readonly containingRefs: ContainingRefs;
  readonly pipelineReader: PipelineReader;
}

const getCommit = (parts: CommitRoutesParts): Route =>
  route({
    method: 'get',
    path: ONE,
    operationId: 'getCommit',
    summary: 'One commit',
    tag: TAG,
    access: 'anyone',
    parameters: parameters({
      ...IN_PATH,
      stats: Type.Boolean({ default: true, description: 'Whether lines that were added and removed are counted' }),
    }),
    responses: { 200: CommitDetailSchema },
    guard: inCommit(parts),
    handle: async ({ actor, subject, parameters: { stats } }) => {
      const { project, commit: revision } = subject;
      const { store, commit } = revision;
      const mayReadPipelines = parts.access.alsoWhere(actor, subject, 'read_pipelines') !== undefined;
      const [counts, pipelines] = await together([
        stats ? parts.history.lineCounts(store, [commit.id]) : Promise.resolve(undefined),
        mayReadPipelines ? parts.pipelineReader.newestOf(project.id, [commit.id]) : Promise.resolve(undefined),
      ]);
      const found = { stats: counts?.get(commit.id), pipeline: pipelines?.get(commit.id) };
      return { body: presentCommitDetail(commit, project, parts.urls, found) };
    },
  });

const listCommitDiff = (parts: CodeRoutesParts): Route =>
  pagedList({
    path: `${ONE}/diff`,
    operationId: 'listCommitDiff',
    summary: 'What a commit changed, file by file',
    description: 'Of a merge, against its first parent.',
    tag: TAG,
    access: 'anyone',
    parameters: IN_PATH,
    items: DiffSchema,
    guard: inCommit(parts),
    read: async ({ subject: { commit: found }, page }) => {
      const { store, commit } = found;
      const { files } = await parts.history.diff(store, commit.parents[0] ?? null, commit.id);
      return pageOfList(files, page);
    },
    present: presentDiff,
  });

const BasicRefSchema = Type.Object({ type: Type.String({ description: 'branch or tag' }), name: Type.String() });

const FOLDERS = [
  ['branch', 'refs/heads/'],
  ['tag', 'refs/tags/'],
] as const;

const refsOf = async (parts: CommitRoutesParts, revision: Revision, type: 'branch' | 'tag' | 'all') => {
  const names = await parts.containingRefs.of(revision, revision.commit.id);
  return FOLDERS.filter(([kind]) => type === 'all' || type === kind).flatMap(([kind, folder]) =>
    names.filter((name) => name.startsWith(folder)).map((name) => ({ type: kind, name: name.slice(folder.length) })),
  );
};

const listCommitRefs = (parts: CommitRoutesParts): Route =>
  pagedList({
    path: `${ONE}/refs`,
    operationId: 'listCommitRefs',
    summary: 'Branches and tags that have a commit in their history',
    tag: TAG,
    access: 'anyone',
    parameters: { ...IN_PATH, type: oneOf(['branch', 'tag', 'all'], { default: 'all', description: 'Only these' }) },
    items: BasicRefSchema,
    guard: inCommit(parts),
    read: async ({ subject, parameters: { type }, page }) =>
      pageOfList(await refsOf(parts, subject.commit, type), page),
    present: (ref) => ref,
  });

const getCommitSequence = (parts: CodeRoutesParts): Route =>
  route({
    method: 'get',
    path: `${ONE}/sequence`,
    operationId: 'getCommitSequence',
    summary: 'How many commits lead to a commit, itself included',
    tag: TAG,
    access: 'anyone',
    parameters: parameters(IN_PATH),
    responses: { 200: Type.Object({ count: Type.Integer() }) },
    guard: inCommit(parts),
    handle: async ({ subject: { commit: found } }) => ({
      body: { count: await parts.history.count(found.store, { tips: [found.commit.id] }) },
    }),
  });

const SIGNATURES = [
  ['-----BEGIN SSH SIGNATURE-----', 'SSH'],
  ['-----BEGIN SIGNED MESSAGE-----', 'X509'],
  ['-----BEGIN PGP ', 'PGP'],
] as const;

const SignatureSchema = Type.Object({
  signature_type: Type.String({ description: 'PGP, X509 or SSH' }),
  verification_status: Type.String({ description: '`unknown_key`: the service keeps no keys to hold it against' }),
  commit_source: Type.String(),
});

const getCommitSignature = (parts: CodeRoutesParts): Route =>
  route({
    method: 'get',
    path: `${ONE}/signature`,
    operationId: 'getCommitSignature',
    summary: 'The kind of signature that a commit carries',
    tag: TAG,
    access: 'anyone',
    parameters: parameters(IN_PATH),
    responses: { 200: SignatureSchema },
    guard: inCommit(parts),
    handle: ({ subject: { commit: found } }) => {
      const { signature } = found.commit;
      const type = SIGNATURES.find(([begins]) => signature?.startsWith(begins) === true)?.[1];
      if (type === undefined) throw new NotFound('Signature');
      const body = { signature_type: type, verification_status: 'unknown_key', commit_source: 'gitaly' };
      return Promise.resolve({ body });
    },
  });

export const createCommitRoutes = (parts: CommitRoutesParts): readonly Route[] => [
  listCommits(parts),
  getCommit(parts),
  listCommitDiff(parts),
  listCommitRefs(parts),
  getCommitSequence(parts),
  getCommitSignature(parts),
];
