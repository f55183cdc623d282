import type { CodePlace, CodeVersion } from '../../../../../application/repositories/locate-code.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { isStorable } from '../../validation/storable-text.js';
import type { PageContext } from '../page-context.js';
import { projectPath } from '../project-path.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageData } from '../render.js';
import { actorFor } from '../page-request.js';
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

const REFS_OFFERED = 20;
const MOST_OF_ADDRESS = 5_000;

/** What pages of code have in common: who may read, which version is meant, and the frame around it. */
export class CodePage {
  constructor(readonly parts: CodePagesParts) {}

  /** @throws NotFound, Forbidden. */
  async open({ browser, request }: PageContext): Promise<OpenCode> {
    return this.openProject(actorFor(browser), projectPath(request));
  }

  async openProject(actor: Actor, path: string): Promise<OpenCode> {
    const { access } = this.parts;
    const permitted = await access.project(actor, path, 'read_code');
    const { project, level } = permitted;
    const mayPush = isOffered(project, level, 'push_code');
    return { permitted, addresses: new CodeAddresses(project.fullPath), mayPush };
  }

  /** What an address says behind its view: a ref, and maybe a path. @throws NotFound. */
  async openPlace(context: PageContext): Promise<OpenPlace> {
    const open = await this.open(context);
    const place = await this.parts.locate.place(open.permitted, restOf(context));
    if (place === undefined) throw new NotFound('Revision');
    return { ...open, ...place };
  }

  /** @param data what its template needs beside the frame. */
  async show(
    context: PageContext,
    template: string,
    open: OpenCode & Partial<CodeVersion>,
    data: PageData & { readonly tab: CodeTab },
  ): Promise<void> {
    const { tab: codeTab, ...rest } = data;
    const frame = await this.frame(open);
    await sendProjectPage(context, open.permitted, template, { ...rest, ...frame, codeTab, tab: 'files' });
  }

  /** What the frame around code needs. */
  async frame(open: OpenCode & Partial<CodeVersion>): Promise<Readonly<Record<string, unknown>>> {
    const { permitted, addresses, mayPush, ref, commit } = open;
    return {
      project: permitted.project,
      at: addresses,
      mayPush,
      ref,
      commit,
      refs: await this.#offeredRefs(open),
      words: COMMIT_WORDS,
    };
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

export type CodeTab = 'files' | 'commits' | 'branches' | 'tags' | 'releases' | 'compare' | 'search';

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
