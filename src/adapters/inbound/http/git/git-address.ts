import { isStorable } from '../validation/storable-text.js';

export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** What an address below a project asks of git. */
export interface GitAddress {
  readonly projectPath: string;
  /** Whether the address says `.git`: git is sent there where it doesn't. */
  readonly spelledOut: boolean;
  readonly asked: 'info/refs' | GitService | 'ssh' | 'lfs';
  /** The parameter `service`, and nothing else that may be said with it. */
  readonly service: string | null;
  /** With its `?`, as it was sent. */
  readonly query: string;
}

/** Where no project is: others answer there. */
const RESERVED = /^\/(?:api|oauth|-)(?:\/|$)/i;
const GIT =
  /^\/([^?]+?)(\.git)?\/(info\/refs|git-upload-pack|git-receive-pack|ssh-upload-pack|ssh-receive-pack|info\/lfs\/[^?]*)$/;

const decoded = (text: string): string => {
  try {
    const plain = decodeURIComponent(text);
    return isStorable(plain) ? plain : '';
  } catch {
    return '';
  }
};

/** @param url as it stands in a request. */
export const readGitAddress = (url: string): GitAddress | undefined => {
  const at = url.indexOf('?');
  const [path, query] = at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at)];
  // Nearly everything that is asked ends here.
  if (!path.includes('/info/') && !path.includes('-pack')) return undefined;
  const [, project = '', suffix, asked = ''] = GIT.exec(path) ?? [];
  if (asked === '' || RESERVED.test(path)) return undefined;
  const service = new URLSearchParams(query).get('service');
  if (suffix === undefined && !isAskedByGit(asked, service)) return undefined;
  return { projectPath: decoded(project), spelledOut: suffix !== undefined, asked: kindOf(asked), service, query };
};

/** Without `.git` it may be a page of that name. */
const isAskedByGit = (asked: string, service: string | null): boolean =>
  asked === 'info/refs' && service !== null && service.startsWith('git-');

const kindOf = (asked: string): GitAddress['asked'] => {
  if (asked.startsWith('ssh-')) return 'ssh';
  return asked.startsWith('info/lfs/') ? 'lfs' : (asked as 'info/refs' | GitService);
};
