import { Type } from '@sinclair/typebox';
import type { Diff } from '../../../../../application/repositories/ports/object-stores.js';
import type { Version } from '../../../../../application/review/ports/merge-request-ports.js';
import type { VisibleMergeRequest } from '../../../../../application/review/visible-merge-request.js';
import { readFewAtATime } from '../../../../../application/shared/page-in-batches.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import type { PageRequest } from '../../../../../domain/shared/page.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import { pageOfList } from '../../pagination/page-of-list.js';
import { route, type Route } from '../../route.js';
import { parameters, pathId } from '../../validation/parameters.js';
import { bytesOf, inOnePiece, PLAIN } from '../repository/bytes.js';
import { CommitSchema, presentCommit } from '../repository/present-commit.js';
import { DiffSchema, presentDiff } from '../repository/present-diff.js';
import {
  findMergeRequest,
  freshened,
  IN_PATH,
  ONE,
  show,
  storeOf,
  type MergeRequestRoutesParts,
} from './merge-request-parts.js';
import { MERGE_REQUEST_PROPERTIES } from './merge-request-schema.js';

type Parts = MergeRequestRoutesParts;

const TAG = 'Merge requests';
const { list, get } = routesOf({ tag: TAG });
const NOTHING: Diff = { files: [], overflow: false };
const MOST_COMMITS = 1_000;

/** What it would change as its commits are now, or were when it was merged. */
const versionOf = async (parts: Parts, { mergeRequest }: VisibleMergeRequest): Promise<Version | undefined> => {
  const { id } = orNotFound(await freshened(parts, mergeRequest));
  return parts.mergeRequestReader.newestVersion(id);
};

const diffOf = async (parts: Parts, visible: VisibleMergeRequest, version: Version | undefined): Promise<Diff> =>
  version === undefined ? NOTHING : parts.history.diff(await storeOf(parts, visible), version.base, version.head);

const readCommits = async (
  parts: Parts,
  visible: VisibleMergeRequest,
  version: Version | undefined,
  { page, perPage }: PageRequest,
) => {
  if (version === undefined)
    return { batches: readFewAtATime([], () => Promise.resolve([])), hasNext: false, total: 0 };
  const store = await storeOf(parts, visible);
  const range = { tips: [version.head], not: [version.start] };
  const skip = (page - 1) * perPage;
  const ids = await parts.history.walk(store, { ...range, skip, limit: perPage });
  const total = await parts.history.count(store, range);
  const read = async (few: readonly string[]) => {
    const commits = await Promise.all(few.map((id) => parts.objects.commit(store, id)));
    return commits.filter((commit) => commit !== undefined);
  };
  return { batches: readFewAtATime(ids, read), hasNext: total > skip + perPage, total };
};

export const listMergeRequestCommits = (parts: Parts) =>
  list(`${ONE}/commits`, 'listMergeRequestCommits', {
    summary: 'The commits of a merge request, the newest first',
    access: 'anyone',
    parameters: IN_PATH,
    items: CommitSchema,
    guard: findMergeRequest(parts),
    read: async ({ subject, page }) => readCommits(parts, subject, await versionOf(parts, subject), page),
    present: (commit, { subject }) => presentCommit(commit, subject.place.project, parts.urls),
  });

export const getMergeRequestChanges = (parts: Parts) =>
  get(`${ONE}/changes`, 'getMergeRequestChanges', {
    summary: 'A merge request together with what it changes',
    access: 'anyone',
    parameters: IN_PATH,
    answer: Type.Object({
      ...MERGE_REQUEST_PROPERTIES,
      changes: Type.Array(DiffSchema),
      overflow: Type.Boolean({ description: 'There is more than is told' }),
    }),
    guard: findMergeRequest(parts),
    handle: async ({ actor, subject }) => {
      const shown = await show(parts, actor, subject);
      const version = await parts.mergeRequestReader.newestVersion(subject.mergeRequest.id);
      const { files, overflow } = await diffOf(parts, subject, version);
      return { ...shown, changes: files.map(presentDiff), overflow };
    },
  });

export const listMergeRequestDiffs = (parts: Parts) =>
  list(`${ONE}/diffs`, 'listMergeRequestDiffs', {
    summary: 'What a merge request changes, file by file',
    access: 'anyone',
    parameters: IN_PATH,
    items: DiffSchema,
    guard: findMergeRequest(parts),
    read: async ({ subject, page }) =>
      pageOfList((await diffOf(parts, subject, await versionOf(parts, subject))).files, page),
    present: presentDiff,
  });

export const getMergeRequestRawDiffs = (parts: Parts) =>
  route({
    method: 'get',
    path: `${ONE}/raw_diffs`,
    operationId: 'getMergeRequestRawDiffs',
    summary: 'What a merge request changes, as text that `git apply` takes',
    description: 'Up to 9 MB. Binary files are without their content where all of it would be more.',
    tag: TAG,
    access: 'anyone',
    parameters: parameters(IN_PATH),
    responses: { 200: bytesOf('text/plain') },
    guard: findMergeRequest(parts),
    handle: async ({ subject }) => {
      const patch = await patchOf(parts, subject, await versionOf(parts, subject));
      return { headers: PLAIN, bytes: () => Promise.resolve(inOnePiece(patch)) };
    },
  });

const patchOf = async (parts: Parts, visible: VisibleMergeRequest, version: Version | undefined) =>
  version === undefined ? undefined : parts.history.patch(await storeOf(parts, visible), version.base, version.head);

const VERSION = {
  id: Type.Integer(),
  head_commit_sha: Type.String(),
  base_commit_sha: Type.String(),
  start_commit_sha: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  merge_request_id: Type.Integer(),
  state: Type.String({ description: '`collected`, `overflow` or `empty`' }),
  real_size: Type.String({ description: 'How many files' }),
};

const presentVersion = (version: Version, { mergeRequest }: VisibleMergeRequest) => ({
  id: version.id,
  head_commit_sha: version.head,
  base_commit_sha: version.base,
  start_commit_sha: version.start,
  created_at: version.createdAt.toISOString(),
  merge_request_id: mergeRequest.id,
  state: version.overflow ? 'overflow' : version.fileCount === 0 ? 'empty' : 'collected',
  real_size: String(version.fileCount),
});

export const listMergeRequestVersions = (parts: Parts) =>
  list(`${ONE}/versions`, 'listMergeRequestVersions', {
    summary: 'What a merge request would have changed, each time that its commits became others; the newest first',
    access: 'anyone',
    parameters: IN_PATH,
    items: Type.Object(VERSION),
    guard: findMergeRequest(parts),
    read: async ({ subject, page }) => {
      const { id } = orNotFound(await freshened(parts, subject.mergeRequest));
      return pageOfList(await parts.mergeRequestReader.versions(id), page);
    },
    present: (version, { subject }) => presentVersion(version, subject),
  });

export const getMergeRequestVersion = (parts: Parts) =>
  get(`${ONE}/versions/:version_id`, 'getMergeRequestVersion', {
    summary: 'One of them, with its commits and what they change',
    access: 'anyone',
    parameters: { ...IN_PATH, version_id: pathId('Id of the version') },
    answer: Type.Object({ ...VERSION, commits: Type.Array(CommitSchema), diffs: Type.Array(DiffSchema) }),
    guard: async (context) => {
      const visible = await findMergeRequest(parts)(context);
      const id = orNotFound(identifierIn(context.path['version_id']));
      const versions = await parts.mergeRequestReader.versions(visible.mergeRequest.id);
      return { visible, version: orNotFound(versions.find((version) => version.id === id)) };
    },
    handle: async ({ subject: { visible, version } }) => {
      const store = await storeOf(parts, visible);
      const range = { tips: [version.head], not: [version.start], limit: MOST_COMMITS };
      const commits = await parts.history.log(store, range);
      const { files } = await parts.history.diff(store, version.base, version.head);
      return {
        ...presentVersion(version, visible),
        commits: commits.map((commit) => presentCommit(commit, visible.place.project, parts.urls)),
        diffs: files.map(presentDiff),
      };
    },
  });

export const createMergeRequestCodeRoutes = (parts: Parts): readonly Route[] =>
  [
    listMergeRequestCommits,
    getMergeRequestChanges,
    listMergeRequestDiffs,
    getMergeRequestRawDiffs,
    listMergeRequestVersions,
    getMergeRequestVersion,
  ].map((make) => make(parts));
