import type { CodePlace, CodeVersion } from '../../../../../application/repositories/locate-code.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { isStorable } from '../../validation/storable-text.js';
import type { PageContext } from '../page-context.js';
import { MissingPart } from '../frame/missing-part.js';
import { inOneDirection } from '../frame/one-direction.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import { actorOfContext } from '../page-request.js';
import { cutAt } from '../page-texts.js';
import type { PageData } from '../render.js';
import { readableProject } from '../readable-project.js';
import { CodeAddresses, shortName, type CodeView } from './code-addresses.js';
import type { CodePagesParts } from './code-pages-parts.js';
import { COMMIT_WORDS } from './commit-words.js';

/** The code of a project that somebody may read. */
export interface OpenCode {
  readonly permitted: Permitted<'read_code'>;
  readonly addresses: CodeAddresses;
  readonly mayPush: boolean;
}

export type OpenPlace = OpenCode & CodePlace;

export const openCode = (permitted: Permitted<'read_code'>): OpenCode => {
  const { project, level } = permitted;
  return { permitted, addresses: new CodeAddresses(project.fullPath), mayPush: isOffered(project, level, 'push_code') };
};

/** For a path that isn't there in a version that is. */
export const missingFrom = ({ addresses, ref, path }: OpenPlace, subject: 'File' | 'Folder'): NotFound => {
  const name = inOneDirection(ref.name);
  const explanation = `There is no ${subject.toLowerCase()} “${inOneDirection(cutAt(path, MOST_SHOWN))}” in ${name}.`;
  return new MissingPart(subject, explanation, { href: addresses.of('tree', ref.name), words: `Files of ${name}` });
};

type OfCode = 'read_code' | 'read_pipelines' | 'read_releases';

const REFS_OFFERED = 20;
const MOST_OF_ADDRESS = 5_000;
const MOST_SHOWN = 255;

/** What pages of code have in common: who may read, which version is meant, and the frame around it. */
export class CodePage {
  constructor(readonly parts: CodePagesParts) {}

  /**
   * @param permission of what tells of the code, beside the code itself.
   * @throws NotFound, Forbidden.
   */
  async open(context: PageContext, permission: OfCode = 'read_code'): Promise<OpenCode> {
    const code = await readableProject(this.parts.access, context);
    this.parts.access.also(actorOfContext(context), code, permission);
    return openCode(code);
  }

  /** What an address says behind its view: a ref, and maybe a path. @throws NotFound. */
  async openPlace(context: PageContext): Promise<OpenPlace> {
    const open = await this.open(context);
    const rest = restOf(context);
    const place = await this.parts.locate.place(open.permitted, rest);
    if (place === undefined) throw await this.#missing(open, rest);
    return { ...open, ...place };
  }

  /** @param rest begins with a ref that is not there, whose name nobody can tell from the path behind it. */
  async #missing({ permitted, addresses }: OpenCode, rest: string): Promise<NotFound> {
    const main = await this.parts.locate.defaultVersion(permitted);
    if (main === undefined || rest === '') return new NotFound('Revision');
    const shown = inOneDirection(cutAt(rest, MOST_SHOWN));
    return new MissingPart(
      'Revision',
      `“${shown}” names no branch, tag or commit of this project. It may have been deleted or renamed.`,
      { href: addresses.of('tree', main.ref.name), words: `Files of ${inOneDirection(main.ref.name)}` },
    );
  }

  /** @param data what its template needs beside the frame. */
  async show(
    context: PageContext,
    template: string,
    open: OpenCode & Partial<CodeVersion>,
    data: PageData & { readonly tab: CodeTab | CiTab },
  ): Promise<void> {
    const { tab: codeTab, ...rest } = data;
    await sendProjectPage(context, open.permitted, template, {
      ...rest,
      ...known(open),
      refs: this.#offeredRefs(open),
      codeTab,
      tab: isCiTab(codeTab) ? codeTab : 'files',
    });
  }

  /** What the frame around code needs. */
  async frame(open: OpenCode & Partial<CodeVersion>): Promise<Readonly<Record<string, unknown>>> {
    return { ...known(open), refs: await this.#offeredRefs(open) };
  }

  async #offeredRefs({ permitted, repository }: OpenCode & Partial<CodeVersion>): Promise<readonly string[]> {
    if (repository === undefined) return [];
    const query = { repositoryId: repository.id, orderBy: 'updated', sort: 'desc' } as const;
    const page = { page: 1, perPage: REFS_OFFERED };
    const [branches, tags] = await Promise.all([
      this.parts.refReader.list({ ...query, kind: 'branch', page }),
      this.parts.refReader.list({ ...query, kind: 'tag', page }),
    ]);
    const main = permitted.project.defaultBranch;
    const names = [...branches.items, ...tags.items].map(({ name }) => shortName(name));
    return [...new Set([...(main === null ? [] : [main]), ...names])];
  }
}

/** What the frame around code needs and is there already. */
const known = ({ permitted, addresses, mayPush, ref, commit }: OpenCode & Partial<CodeVersion>) => ({
  project: permitted.project,
  at: addresses,
  mayPush,
  shows: {
    pipelines: isOffered(permitted.project, permitted.level, 'read_pipelines'),
    releases: isOffered(permitted.project, permitted.level, 'read_releases'),
    mergeRequests: isOffered(permitted.project, permitted.level, 'open_merge_requests'),
  },
  ref,
  commit,
  words: COMMIT_WORDS,
});

export type CodeTab = 'files' | 'commits' | 'branches' | 'tags' | 'releases' | 'compare' | 'search';

/** Of what runs for code: tabs of the place, which need the frame around code as well. */
const CI_TABS = ['pipelines', 'schedules', 'environments'] as const;
export type CiTab = (typeof CI_TABS)[number];
const isCiTab = (tab: CodeTab | CiTab): tab is CiTab => (CI_TABS as readonly string[]).includes(tab);

const restOf = ({ request }: PageContext): string => {
  const rest: unknown = request.params['rest'];
  return typeof rest === 'string' && rest.length <= MOST_OF_ADDRESS && isStorable(rest) ? rest : '';
};

/** The folders above a path, each with its address. */
export const crumbsOf = (
  { addresses, ref }: Pick<OpenPlace, 'addresses' | 'ref'>,
  path: string,
  last: CodeView = 'tree',
): readonly { readonly name: string; readonly address: string }[] => {
  const names = path.split('/').filter((name) => name !== '');
  return names.map((name, index) => ({
    name,
    address: addresses.of(index === names.length - 1 ? last : 'tree', ref.name, names.slice(0, index + 1).join('/')),
  }));
};
