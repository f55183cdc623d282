import { NO_OBJECT, type ObjectId } from '../../domain/repositories/object-id.js';
import { branchRef } from '../../domain/repositories/ref-name.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { WebhookFacts } from '../../domain/webhooks/webhook.js';
import {
  TooLarge,
  type Commit,
  type DiffFile,
  type HistoryReader,
  type ObjectReader,
} from '../repositories/ports/object-stores.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { Repository } from '../repositories/ports/repository-repositories.js';
import { presentCommit, presentProject, presentRepository, type WebhookUrls } from './webhook-words.js';

export interface ComposePushParts {
  readonly refs: Pick<RefReader, 'findRepository' | 'findRef' | 'list'>;
  readonly history: Pick<HistoryReader, 'log' | 'walk' | 'count' | 'diff'>;
  readonly objects: Pick<ObjectReader, 'commit' | 'tag'>;
  readonly urls: WebhookUrls;
}

type PushFacts = Pick<Extract<WebhookFacts, { kind: 'push' }>, 'ref' | 'from' | 'to' | 'commitCount' | 'options'>;

interface Pusher {
  readonly id: number;
  readonly name: string;
  readonly username: string;
}

const MOST_COMMITS = 20;
const SAMPLE_COMMITS = 3;

/** What a push or a tag push tells its receivers. */
export const composePush = async (parts: ComposePushParts, project: Project, by: Pusher, facts: PushFacts) => {
  const { ref, from, to } = facts;
  const kind = ref.startsWith('refs/tags/') ? 'tag_push' : 'push';
  const repository = await parts.refs.findRepository(project.id);
  return {
    object_kind: kind,
    event_name: kind,
    before: from ?? NO_OBJECT,
    after: to ?? NO_OBJECT,
    ref,
    ...(kind === 'push'
      ? await ofBranch(parts, project, repository, facts)
      : await ofTag(parts, project, repository?.store, to)),
    user_id: by.id,
    user_name: by.name,
    user_username: by.username,
    user_email: '',
    user_avatar: null,
    project_id: project.id,
    project: presentProject(project, parts.urls),
    push_options: facts.options ?? {},
    repository: presentRepository(project, parts.urls),
  };
};

const ofBranch = async (
  parts: ComposePushParts,
  project: Project,
  repository: Repository | undefined,
  { ref, from, to, commitCount }: PushFacts,
) => {
  const asked = to !== null && repository !== undefined && commitCount > 0;
  return {
    checkout_sha: to,
    message: null,
    commits: asked
      ? await commitsOf(parts, project, repository.store, {
          ...{ to, limit: Math.min(commitCount, MOST_COMMITS) },
          not: from ?? (await defaultTip(parts, project, repository, ref)),
        })
      : [],
    total_commits_count: commitCount,
  };
};

/** What a new branch was counted from: commits that the default branch has are not told once more. */
const defaultTip = async (
  { refs }: ComposePushParts,
  { defaultBranch }: Project,
  { id }: Repository,
  ref: string,
): Promise<ObjectId | null> => {
  if (defaultBranch === null || ref === branchRef(defaultBranch)) return null;
  return (await refs.findRef(id, branchRef(defaultBranch)))?.target ?? null;
};

/** A tag leads to one commit, by itself or by the object of an annotated one: receivers check the commit out. */
const ofTag = async (parts: ComposePushParts, project: Project, store: string | undefined, to: string | null) => {
  const found = store === undefined || to === null ? undefined : { store, to };
  const annotation = found && (await parts.objects.tag(found.store, found.to));
  const commit = found && (await parts.objects.commit(found.store, found.to));
  const commits = found && commit ? [await presentChanges(parts, project, found.store, commit)] : [];
  return {
    checkout_sha: commit?.id ?? null,
    message: annotation?.message.trimEnd() ?? null,
    commits,
    total_commits_count: commits.length,
  };
};

/** None is named of a change that is too large to be told. */
const filesOf = async (
  history: Pick<HistoryReader, 'diff'>,
  store: string,
  from: string | null,
  to: string,
): Promise<readonly DiffFile[]> => {
  try {
    return (await history.diff(store, from, to, { bytes: 0, bytesPerFile: 0 })).files;
  } catch (error) {
    if (error instanceof TooLarge) return [];
    throw error;
  }
};

/** The newest, the oldest of them first. What a force or a deletion took away meanwhile is left out. */
const commitsOf = async (
  parts: ComposePushParts,
  project: Project,
  store: string,
  { to, not, limit }: { readonly to: ObjectId; readonly not: ObjectId | null; readonly limit: number },
): Promise<readonly object[]> => {
  const commits = await parts.history.log(store, { tips: [to], limit, ...(not === null ? {} : { not: [not] }) });
  const shown: object[] = [];
  for (const commit of [...commits].reverse()) shown.push(await presentChanges(parts, project, store, commit));
  return shown;
};

const presentChanges = async ({ history, urls }: ComposePushParts, project: Project, store: string, commit: Commit) => {
  const files = await filesOf(history, store, commit.parents[0] ?? null, commit.id);
  const named = (...statuses: readonly string[]) => files.filter(({ status }) => statuses.includes(status));
  return {
    ...presentCommit(commit, project, urls),
    added: named('added', 'copied', 'renamed').map(({ newPath }) => newPath),
    modified: named('modified', 'type_changed').map(({ newPath }) => newPath),
    removed: named('deleted', 'renamed').map(({ oldPath }) => oldPath),
  };
};

/** A push as the project could have had it: of its newest commits or newest tag, and of nothing where it has none. */
export const samplePush = async (
  parts: ComposePushParts,
  project: Project,
  event: 'push_events' | 'tag_push_events',
): Promise<PushFacts> => {
  const sample = event === 'push_events' ? await sampleBranch(parts, project) : await sampleTag(parts, project);
  const ref = event === 'push_events' ? 'refs/heads/test' : 'refs/tags/test';
  return sample ?? { ref, from: null, to: null, commitCount: 0 };
};

const sampleBranch = async (
  { refs, history }: ComposePushParts,
  { id, defaultBranch }: Project,
): Promise<PushFacts | undefined> => {
  const repository = await refs.findRepository(id);
  if (repository === undefined || defaultBranch === null) return undefined;
  const { store } = repository;
  const ref = branchRef(defaultBranch);
  const to = (await refs.findRef(repository.id, ref))?.target;
  if (to === undefined) return undefined;
  const newest = await history.walk(store, { tips: [to], firstParent: true, limit: SAMPLE_COMMITS + 1 });
  const from = newest[SAMPLE_COMMITS] ?? null;
  const commitCount = await history.count(store, { tips: [to], ...(from === null ? {} : { not: [from] }) });
  return { ref, from, to, commitCount };
};

const sampleTag = async ({ refs }: ComposePushParts, { id }: Project): Promise<PushFacts | undefined> => {
  const repository = await refs.findRepository(id);
  if (repository === undefined) return undefined;
  const query = { repositoryId: repository.id, kind: 'tag', orderBy: 'updated', sort: 'desc' } as const;
  const [tag] = (await refs.list({ ...query, page: { page: 1, perPage: 1 } })).items;
  return tag && { ref: tag.name, from: null, to: tag.target, commitCount: 1 };
};
