import type { TestService, TestUser } from './test-service.js';

export interface LabelBody {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string;
  readonly subscribed: boolean;
  readonly is_project_label?: boolean;
  readonly open_issues_count?: number;
}

export interface LabelledIssue {
  readonly id: number;
  readonly iid: number;
  readonly labels: readonly string[];
}

/** Groups, projects and their labels, made by the API. */
export class LabelledGroups {
  #serial = 0;

  constructor(
    readonly service: TestService,
    readonly owner: TestUser,
  ) {}

  call<Body = LabelBody>(method: string, path: string, json?: object, who: TestUser | null = this.owner) {
    return this.service.call<Body>(method, path, {
      ...(who !== null && { token: who.token }),
      ...(json !== undefined && { json }),
    });
  }

  async #made<Body = { readonly id: number }>(path: string, json: object): Promise<Body> {
    const { status, body } = await this.call<Body>('POST', path, json);
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async group(fields: object = {}): Promise<number> {
    const path = `labelled-${(this.#serial += 1)}`;
    return (await this.#made('/groups', { name: path, path, visibility: 'private', ...fields })).id;
  }

  async project(group: number | undefined, fields: object = {}): Promise<number> {
    const name = `labelled-${(this.#serial += 1)}`;
    const within = group === undefined ? {} : { namespace_id: group };
    return (await this.#made('/projects', { name, visibility: 'private', ...within, ...fields })).id;
  }

  label(place: string, name: string, fields: object = {}): Promise<LabelBody> {
    return this.#made<LabelBody>(`${place}/labels`, { name, color: '#112233', ...fields });
  }

  issue(project: number, labels: string, fields: object = {}): Promise<LabelledIssue> {
    return this.#made<LabelledIssue>(`/projects/${project}/issues`, { title: 'smoke', labels, ...fields });
  }

  async join(place: string, { id }: TestUser, level: number): Promise<void> {
    await this.#made(`${place}/members`, { user_id: id, access_level: level });
  }

  async labelsOf(place: string, query = '', who: TestUser | null = this.owner): Promise<readonly LabelBody[]> {
    return (await this.call<readonly LabelBody[]>('GET', `${place}/labels${query}`, undefined, who)).body;
  }

  async namesOf(place: string, query = '', who: TestUser | null = this.owner): Promise<readonly string[]> {
    return (await this.labelsOf(place, query, who)).map(({ name }) => name);
  }

  /** The numbers of the issues of a project that have a label. */
  async issuesWith(project: number, label: string): Promise<readonly number[]> {
    const path = `/projects/${project}/issues?labels=${encodeURIComponent(label)}`;
    return (await this.call<readonly LabelledIssue[]>('GET', path)).body.map(({ iid }) => iid);
  }
}
