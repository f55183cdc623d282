import { refPartsOf } from '../../../../../domain/repositories/ref-name.js';

/** What is shown of a path in a version; each has addresses of its own. */
export type CodeView =
  'tree' | 'blob' | 'raw' | 'blame' | 'commits' | 'edit' | 'new' | 'upload' | 'new_folder' | 'delete';

/** What may be done with a commit on a branch. */
export type PickWay = 'revert' | 'cherry_pick';

const segments = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** A regular expression, since a path of a file may hold `/-/` as well: the first one ends the path of the project. */
export const codePath = (view: string): RegExp => new RegExp(`^/(?<path>.+?)/-/${view}/(?<rest>.+?)/?$`);
export const projectPagePath = (page: string): RegExp => new RegExp(`^/(?<path>.+?)/-/${page}/?$`);

/** Addresses of the pages of a project's code. */
export class CodeAddresses {
  constructor(private readonly projectPath: string) {}

  get project(): string {
    return `/${this.projectPath}`;
  }

  /** @param path `''` for the top. */
  of(view: CodeView, ref: string, path = ''): string {
    return `${this.project}/-/${view}/${segments(ref)}${path === '' ? '' : `/${segments(path)}`}`;
  }

  /** All files of a version in one. */
  archive({ path }: { readonly path: string }, ref: string, format: string): string {
    const name = `${path}-${ref.replaceAll('/', '-')}.${format}`;
    return `${this.project}/-/archive/${segments(ref)}/${encodeURIComponent(name)}`;
  }

  commit(id: string): string {
    return `${this.project}/-/commit/${id}`;
  }

  /** The form that undoes what a commit did, or does it once more. @param branch the default branch unless told. */
  pick(way: PickWay, id: string, branch?: string): string {
    const query = branch === undefined ? '' : `?${new URLSearchParams({ branch }).toString()}`;
    return `${this.commit(id)}/${way}${query}`;
  }

  compare(from: string, to: string): string {
    return `${this.project}/-/compare/${segments(from)}...${segments(to)}`;
  }

  /** The form for a branch, which is to be called so unless somebody writes another name. */
  newBranch(name: string): string {
    return `${this.page('branches')}?${new URLSearchParams({ name }).toString()}`;
  }

  /** @param into the default branch unless told. */
  newMergeRequest(branch: string, into?: string): string {
    const query = { source_branch: branch, ...(into === undefined ? {} : { target_branch: into }) };
    return `${this.project}/-/merge_requests/new?${new URLSearchParams(query).toString()}`;
  }

  /** Between branches of the project itself, also where it is a fork. */
  ownMergeRequest(branch: string, into: string): string {
    const query = { target_project: this.projectPath };
    return `${this.newMergeRequest(branch, into)}&${new URLSearchParams(query).toString()}`;
  }

  /** @param page such as `branches`. */
  page(page: string): string {
    return `${this.project}/-/${page}`;
  }
}

/** The short name of a ref, as people call it. */
export const shortName = (ref: string): string => refPartsOf(ref)?.name ?? ref;
