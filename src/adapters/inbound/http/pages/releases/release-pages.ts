import type { Permitted } from '../../../../../application/shared/permitted.js';
import { ARCHIVE_FORMATS } from '../../../../../domain/repositories/archive-name.js';
import type { Release } from '../../../../../domain/repositories/release.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { behindLatest } from '../../behind-latest.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { CodeAddresses, projectPagePath } from '../code/code-addresses.js';
import { CodePage } from '../code/code-page.js';
import { pageNumber } from '../code/query.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { ONE_OF_SEVERAL, PageTexts } from '../page-texts.js';
import { releaseAddress, releasePath } from './release-address.js';
import { addReleaseFormPages } from './release-form-pages.js';
import type { ReleasePagesParts } from './release-pages-parts.js';

const RELEASES_OF_PAGE = 10;

/** Releases of a project: all of them, one, and what they lead to. */
class ReleasePages {
  readonly #page: CodePage;

  constructor(private readonly parts: ReleasePagesParts) {
    this.#page = new CodePage(parts);
  }

  async #find(
    context: PageContext,
  ): Promise<{ readonly permitted: Permitted<'read_code'>; readonly release: Release }> {
    const { releaseReader } = this.parts;
    const { permitted } = await this.#page.open(context, 'read_releases');
    const tag = String(context.request.params['tag']);
    return { permitted, release: orNotFound(await releaseReader.find(permitted.project.id, tag), 'Release') };
  }

  async showAll(context: PageContext): Promise<void> {
    const open = await this.#page.open(context, 'read_releases');
    const { project } = open.permitted;
    const request = { page: pageNumber(context), perPage: RELEASES_OF_PAGE };
    const query = { projectId: project.id, orderBy: 'released_at', sort: 'desc', page: request } as const;
    const { batches, ...page } = await this.parts.releaseReader.list(query);
    const texts = new PageTexts();
    const releases: object[] = [];
    for await (const batch of batches)
      for (const release of batch) releases.push(await this.#shown(context, open.permitted, release, texts));
    const main = await this.parts.locate.defaultVersion(open.permitted);
    const title = `Releases of ${project.name}`;
    const data = { title, tab: 'releases', releases, page, request } as const;
    await this.#page.show(context, 'releases', { ...open, ...main }, data);
  }

  async showOne(context: PageContext): Promise<void> {
    const { release } = await this.#find(context);
    const open = await this.#page.open(context, 'read_releases');
    const main = await this.parts.locate.defaultVersion(open.permitted);
    const shown = await this.#shown(context, open.permitted, release, new PageTexts());
    const title = `${release.name} of ${open.permitted.project.name}`;
    await this.#page.show(context, 'release', { ...open, ...main }, { title, tab: 'releases', release: shown });
  }

  async #shown({ browser }: PageContext, permitted: Permitted<'read_code'>, release: Release, texts: PageTexts) {
    const { users, milestoneReader, markdown, urls, clock } = this.parts;
    const { project, level } = permitted;
    const { tag, name, links, commitId, authorId, releasedAt, milestoneIds } = release;
    const planned = isOffered(project, level, 'read_milestones')
      ? await milestoneReader.findAll(project.id, milestoneIds)
      : [];
    const [address, addresses] = [releaseAddress(project.fullPath, tag), new CodeAddresses(project.fullPath)];
    return {
      ...{ tag, name, commitId, releasedAt, address },
      upcoming: releasedAt > clock.now(),
      author: authorId === null ? undefined : await users.find(authorId),
      milestones: planned.map(({ iid, title, group, projectPath }) => ({ iid, title, group, projectPath })),
      text: await markdown.render(texts.show(release.description ?? '', ONE_OF_SEVERAL * 4), browser, permitted),
      whole: urls.api(`/projects/${project.id}/releases/${encodeURIComponent(tag)}`),
      links: links.map((link) => ({
        name: link.name,
        address: link.path === null ? link.url : `${address}/downloads${link.path}`,
      })),
      sources: ARCHIVE_FORMATS.map((format) => ({ format, address: addresses.archive(project, tag, format) })),
    };
  }

  /** The address of a link that stays the same when what it leads to changes. */
  async leadToLink(context: PageContext): Promise<void> {
    const { release } = await this.#find(context);
    const path = `/${String(context.request.params['rest'])}`;
    context.response.redirect(
      302,
      orNotFound(
        release.links.find((link) => link.path === path),
        'Link',
      ).url,
    );
  }

  async leadToLatest(context: PageContext): Promise<void> {
    const { permitted } = await this.#page.open(context, 'read_releases');
    const { id, fullPath } = permitted.project;
    const latest = await this.parts.releaseReader.latestTag(id, this.parts.clock.now());
    const { request, response } = context;
    const rest = request.params['rest'] as string | undefined;
    response.redirect(302, releaseAddress(fullPath, orNotFound(latest, 'Release')) + behindLatest(rest, request));
  }
}

export const addReleasePages = (pages: Pages, parts: ReleasePagesParts): void => {
  const releases = new ReleasePages(parts);
  pages.get(projectPagePath('releases'), 'anyone', (context) => releases.showAll(context));
  const leadToLatest = (context: PageContext) => releases.leadToLatest(context);
  pages.getFile(projectPagePath('releases/permalink/latest/(?<rest>downloads/.+?)'), leadToLatest);
  pages.get(projectPagePath('releases/permalink/latest(?:/(?<rest>.+?))?'), 'anyone', leadToLatest);
  addReleaseFormPages(pages, parts);
  pages.get(releasePath(), 'anyone', (context) => releases.showOne(context));
  pages.getFile(releasePath('/downloads/(?<rest>.+?)'), (context) => releases.leadToLink(context));
};
