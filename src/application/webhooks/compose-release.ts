import { ARCHIVE_FORMATS } from '../../domain/repositories/archive-name.js';
import type { WebhookFacts } from '../../domain/webhooks/webhook.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { ReleaseReader } from '../repositories/ports/release-repository.js';
import type { ComposePushParts } from './compose-push.js';
import { presentCommit } from './webhook-words.js';

export interface ComposeReleaseParts extends Pick<ComposePushParts, 'refs' | 'objects' | 'urls'> {
  readonly releases: Pick<ReleaseReader, 'find'>;
}

interface Common {
  readonly project: object;
}

/** Told of a release; undefined once it is gone. */
export const composeRelease = async (
  { releases, refs, objects, urls }: ComposeReleaseParts,
  common: Common,
  project: Project,
  { tag, action }: Extract<WebhookFacts, { kind: 'release' }>,
): Promise<object | undefined> => {
  const release = await releases.find(project.id, tag);
  if (release === undefined) return undefined;
  const store = (await refs.findRepository(project.id))?.store;
  const commit = store === undefined ? undefined : await objects.commit(store, release.commitId);
  const sources = ARCHIVE_FORMATS.map((format) => ({ format, url: urls.archive(project, tag, format) }));
  const links = release.links.map(({ id, name, url, type }) => ({ id, name, url, link_type: type, external: true }));
  return {
    object_kind: 'release',
    id: release.id,
    name: release.name,
    tag,
    description: release.description,
    created_at: release.createdAt.toISOString(),
    released_at: release.releasedAt.toISOString(),
    url: urls.release(project.fullPath, tag),
    action,
    project: common.project,
    assets: { count: sources.length + links.length, links, sources },
    commit: commit === undefined ? null : presentCommit(commit, project, urls),
  };
};
