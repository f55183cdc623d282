import type { TestService, TestUser } from './test-service.js';

/** A request for access as the API shows it. */
export interface ShownRequest {
  readonly id: number;
  readonly username: string;
  readonly requested_at: string;
}

/** Groups and projects that people ask for access to, by the API. */
export class AskedPlaces {
  #places = 0;

  constructor(
    readonly service: TestService,
    readonly owner: TestUser,
  ) {}

  call<Body = unknown>(who: TestUser | undefined, method: string, path: string, json?: object) {
    return this.service.call<Body>(method, path, { ...(who && { token: who.token }), ...(json && { json }) });
  }

  /** The address of a new public group. */
  async group(fields: object = {}): Promise<string> {
    const path = `group-${(this.#places += 1)}`;
    const named = { name: path, path, visibility: 'public', ...fields };
    return `/groups/${(await this.call<{ id: number }>(this.owner, 'POST', '/groups', named)).body.id}`;
  }

  /** The address of a new public project, in a group where one is named. */
  async project(group?: string, fields: object = {}): Promise<string> {
    const path = `project-${(this.#places += 1)}`;
    const within = group === undefined ? {} : { namespace_id: Number(group.split('/').at(-1)) };
    const named = { name: path, path, visibility: 'public', ...within, ...fields };
    return `/projects/${(await this.call<{ id: number }>(this.owner, 'POST', '/projects', named)).body.id}`;
  }

  ask(who: TestUser | undefined, place: string) {
    return this.call<ShownRequest & { readonly message?: unknown }>(who, 'POST', `${place}/access_requests`);
  }

  approve(who: TestUser | undefined, place: string, { id }: Pick<TestUser, 'id'>, fields: object = {}) {
    return this.call<{ readonly access_level: number }>(who, 'PUT', `${place}/access_requests/${id}/approve`, fields);
  }

  /** Denies a request, or takes back one's own. */
  end(who: TestUser | undefined, place: string, { id }: Pick<TestUser, 'id'>) {
    return this.call(who, 'DELETE', `${place}/access_requests/${id}`);
  }

  async asking(place: string): Promise<readonly string[]> {
    const { body } = await this.call<ShownRequest[]>(this.owner, 'GET', `${place}/access_requests`);
    return body.map(({ username }) => username);
  }

  join(place: string, { id }: Pick<TestUser, 'id'>, level: number) {
    return this.call(this.owner, 'POST', `${place}/members`, { user_id: id, access_level: level });
  }

  /** The level of a direct member; undefined for who is none. */
  async levelOf(place: string, { id }: Pick<TestUser, 'id'>): Promise<number | undefined> {
    const found = await this.call<{ access_level?: number }>(this.owner, 'GET', `${place}/members/${id}`);
    return found.body.access_level;
  }
}
