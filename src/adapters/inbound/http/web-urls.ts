import { milestonePath, type MilestoneAddress } from './milestone-path.js';

const USUAL_SSH_PORT = 22;

/** The public addresses of what the API shows; every one of them opens a page. */
export class WebUrls {
  /** @param sshPort undefined where git isn't served over SSH. */
  constructor(
    private readonly baseUrl: () => string,
    private readonly sshPort: () => number | undefined = () => undefined,
  ) {}

  /** Of the service itself. */
  get root(): string {
    return this.baseUrl();
  }

  /** @param path below `/api/v4`. */
  api(path: string): string {
    return `${this.baseUrl()}/api/v4${path}`;
  }

  user(username: string): string {
    return `${this.baseUrl()}/${username}`;
  }

  group(fullPath: string): string {
    return `${this.baseUrl()}/groups/${fullPath}`;
  }

  /** Where the members of a project or group are listed. */
  membersOf(kind: 'project' | 'group', fullPath: string): string {
    return `${this[kind](fullPath)}/-/members`;
  }

  /** @param page of what people talk about, below that of its project. */
  subject(projectPath: string, page: string): string {
    return `${this.baseUrl()}/${projectPath}/-/${page}`;
  }

  issue(projectPath: string, iid: number): string {
    return this.subject(projectPath, `issues/${iid}`);
  }

  mergeRequest(projectPath: string, iid: number): string {
    return `${this.baseUrl()}/${projectPath}/-/merge_requests/${iid}`;
  }

  /** Where a merge request for a branch is made, as git's clients know it. */
  newMergeRequest(projectPath: string, branch: string): string {
    const query = new URLSearchParams({ 'merge_request[source_branch]': branch });
    return `${this.baseUrl()}/${projectPath}/-/merge_requests/new?${query.toString()}`;
  }

  pipeline(projectPath: string, id: number): string {
    return this.subject(projectPath, `pipelines/${id}`);
  }

  job(projectPath: string, id: number): string {
    return this.subject(projectPath, `jobs/${id}`);
  }

  milestone(milestone: MilestoneAddress): string {
    return `${this.baseUrl()}${milestonePath(milestone)}`;
  }

  alerts(projectPath: string): string {
    return `${this.baseUrl()}/${projectPath}/-/alert_management`;
  }

  alert(projectPath: string, iid: number): string {
    return `${this.alerts(projectPath)}/${iid}/details`;
  }

  /** @param path of an alert integration, below the project. */
  alertIntake(projectPath: string, path: string): string {
    return `${this.baseUrl()}/${projectPath}/${path}`;
  }

  /** Ends mail by a link that came with one. */
  unsubscribe(token: string): string {
    return `${this.baseUrl()}/-/unsubscribe/${token}`;
  }

  notificationSettings(): string {
    return `${this.baseUrl()}/profile/notifications`;
  }

  /** What git clones from over HTTP. */
  cloneByHttp(projectPath: string): string {
    return `${this.baseUrl()}/${projectPath}.git`;
  }

  /** Whether git is served over SSH. */
  get hasSsh(): boolean {
    return this.sshPort() !== undefined;
  }

  /** What git clones from over SSH, where that is on. */
  cloneBySsh(projectPath: string): string {
    const port = this.sshPort() ?? USUAL_SSH_PORT;
    return port === USUAL_SSH_PORT
      ? `git@${this.hostname()}:${projectPath}.git`
      : `ssh://git@${this.hostname()}:${port}/${projectPath}.git`;
  }

  project(fullPath: string): string {
    return `${this.baseUrl()}/${fullPath}`;
  }

  commit(projectPath: string, id: string): string {
    return `${this.baseUrl()}/${projectPath}/-/commit/${id}`;
  }

  /** @param ref a branch or tag; its slashes stay. */
  tree(projectPath: string, ref: string): string {
    return `${this.baseUrl()}/${projectPath}/-/tree/${encodeURIComponent(ref).replaceAll('%2F', '/')}`;
  }

  /** @param path of a file in a branch or tag. */
  blob(projectPath: string, ref: string, path: string): string {
    const file = encodeURIComponent(`${ref}/${path}`).replaceAll('%2F', '/');
    return `${this.baseUrl()}/${projectPath}/-/blob/${file}`;
  }

  release(projectPath: string, tag: string): string {
    return `${this.baseUrl()}/${projectPath}/-/releases/${encodeURIComponent(tag)}`;
  }

  /** The files of a ref in one. */
  archive(
    { fullPath, path }: { readonly fullPath: string; readonly path: string },
    ref: string,
    format: string,
  ): string {
    const name = `${path}-${ref.replaceAll('/', '-')}.${format}`;
    return `${this.baseUrl()}/${fullPath}/-/archive/${encodeURIComponent(ref)}/${encodeURIComponent(name)}`;
  }

  /** @param dots two between the commits as they are, three from where the second parted from the first. */
  compare(projectPath: string, from: string, to: string, dots: '..' | '...'): string {
    return `${this.baseUrl()}/${projectPath}/-/compare/${encodeURIComponent(from)}${dots}${encodeURIComponent(to)}`;
  }

  /** @param projectPath null for a person's own. */
  snippet(projectPath: string | null, id: number): string {
    return `${projectPath === null ? this.baseUrl() : this.project(projectPath)}/-/snippets/${id}`;
  }

  /** A file of a snippet as it is; the first unless there is a path. */
  rawSnippet(projectPath: string | null, id: number, path?: string): string {
    const raw = `${this.snippet(projectPath, id)}/raw`;
    return path === undefined ? raw : `${raw}/main/${encodeURIComponent(path).replaceAll('%2F', '/')}`;
  }

  /** The name of the machine that clients know. */
  hostname(): string {
    return new URL(this.baseUrl()).hostname;
  }

  /** The same with its port, where that is not the usual one. */
  host(): string {
    return new URL(this.baseUrl()).host;
  }
}
