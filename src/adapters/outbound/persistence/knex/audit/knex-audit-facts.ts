import type { AuditedThing, AuditFacts, NamedThing } from '../../../../../application/audit/ports/audit-ports.js';
import type { NamespaceId, ProjectId, UserId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

/** Where the name of a thing is, and what it belongs to. */
interface Source {
  readonly table: string;
  /** The column of its name; none where it is called as its application. */
  readonly name?: string;
  readonly user?: string;
  readonly project?: string;
  readonly namespace?: string;
  readonly application?: string;
}

const SOURCES: Readonly<Record<NamedThing, Source>> = {
  personal_access_token: { table: 'personal_access_tokens', name: 'name', user: 'user_id' },
  application: { table: 'oauth_applications', name: 'name', user: 'owner_id' },
  grant: { table: 'oauth_grants', user: 'user_id', application: 'application_id' },
  ssh_key: { table: 'ssh_keys', name: 'title', user: 'user_id' },
  deploy_token: { table: 'deploy_tokens', name: 'name', project: 'project_id', namespace: 'namespace_id' },
  webhook: { table: 'webhooks', name: 'url', project: 'project_id' },
  remote_mirror: { table: 'remote_mirrors', name: 'url', project: 'project_id' },
  ci_variable: { table: 'ci_variables', name: 'key', project: 'project_id', namespace: 'namespace_id' },
  ci_runner: { table: 'ci_runners', name: 'description', namespace: 'namespace_id' },
  pipeline_trigger: { table: 'pipeline_triggers', name: 'description', project: 'project_id' },
  pipeline_schedule: { table: 'pipeline_schedules', name: 'description', project: 'project_id' },
  alert_integration: { table: 'alert_integrations', name: 'name', project: 'project_id' },
};

export class KnexAuditFacts implements AuditFacts {
  constructor(protected readonly session: Session) {}

  async user(id: UserId) {
    const row = await this.session.query('users').where({ id }).first('username', 'admin', 'state');
    return row && { id, username: row.username, admin: Boolean(row.admin), blocked: row.state === 'blocked' };
  }

  async project(id: ProjectId) {
    const row = await this.session.query('projects').where({ id }).first('full_path', 'visibility', 'archived');
    return row && { path: row.full_path, visibility: row.visibility, archived: Boolean(row.archived) };
  }

  async namespace(id: NamespaceId) {
    const row = await this.session.query('namespaces').where({ id }).first('full_path', 'visibility');
    return row && { path: row.full_path, visibility: row.visibility };
  }

  async pathOf(kind: 'project' | 'group', id: number) {
    const table: string = kind === 'project' ? 'projects' : 'namespaces';
    const found = this.session.query(table).where(`${table}.id`, id).first('full_path');
    const row = (await found) as { readonly full_path: string } | undefined;
    return row?.full_path;
  }

  async named(what: NamedThing, id: number): Promise<AuditedThing | undefined> {
    const { query } = this.session;
    const { table, name, user, project, namespace, application } = SOURCES[what];
    const row = query(table).where(`${table}.id`, id);
    if (name !== undefined) row.select(`${table}.${name} as subject`);
    if (application !== undefined)
      row
        .leftJoin('oauth_applications', 'oauth_applications.id', `${table}.${application}`)
        .select('oauth_applications.name as subject');
    if (user !== undefined) row.leftJoin('users', 'users.id', `${table}.${user}`).select('users.username as account');
    if (project !== undefined)
      row.leftJoin('projects', 'projects.id', `${table}.${project}`).select('projects.full_path as place');
    if (namespace !== undefined)
      row.leftJoin('namespaces', 'namespaces.id', `${table}.${namespace}`).select('namespaces.full_path as group');
    const found = (await row.first()) as Readonly<
      Partial<Record<'subject' | 'account' | 'place' | 'group', string | null>> | undefined
    >;
    if (found === undefined) return undefined;
    const place = found.place ?? found.group;
    return {
      ...(found.subject == null ? {} : { subject: found.subject }),
      ...(found.account == null ? {} : { account: found.account }),
      ...(place == null ? {} : { place }),
    };
  }
}
