import type { TestService, TestUser } from './test-service.js';

export interface IntegrationBody {
  readonly id: number;
  readonly url: string;
  readonly token: string;
  readonly active: boolean;
}

export interface AlertBody {
  readonly iid: number;
  readonly title: string;
  readonly status: string;
  readonly events: number;
  readonly issue_iid: number | null;
  readonly ended_at: string | null;
  readonly payload: unknown;
}

/** A project that takes alerts, as its maintainer and its senders see it. */
export class AlertingProject {
  private constructor(
    readonly service: TestService,
    readonly owner: TestUser,
    readonly id: number,
  ) {}

  static async create(service: TestService, owner: TestUser, name: string): Promise<AlertingProject> {
    const { body } = await service.call<{ id: number }>('POST', '/projects', { token: owner.token, json: { name } });
    return new AlertingProject(service, owner, body.id);
  }

  /** One that is there already. */
  static of(service: TestService, owner: TestUser, id: number): AlertingProject {
    return new AlertingProject(service, owner, id);
  }

  call<Body = unknown>(method: string, path: string, json?: unknown) {
    return this.service.call<Body>(method, `/projects/${this.id}${path}`, {
      token: this.owner.token,
      ...(json === undefined ? {} : { json }),
    });
  }

  async integrate(type = 'generic', fields: object = {}): Promise<IntegrationBody> {
    const { body } = await this.call<IntegrationBody>('POST', '/alert_integrations', {
      type,
      name: 'Monitoring',
      ...fields,
    });
    if (typeof body.token === 'string') this.service.secrets.push(body.token);
    return body;
  }

  async alerts(query = ''): Promise<AlertBody[]> {
    return (await this.call<AlertBody[]>('GET', `/alert_management_alerts?per_page=100${query}`)).body;
  }
}

/** Posts a payload as a sender does. */
export const sendAlert = async (
  { url, token }: Pick<IntegrationBody, 'url' | 'token'>,
  payload: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: unknown; headers: Headers }> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}`, ...headers },
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
    headers: response.headers,
  };
};
