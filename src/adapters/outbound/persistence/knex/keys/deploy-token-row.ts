import {
  usernameOf,
  type DeployToken,
  type DeployTokenPlace,
  type DeployTokenScope,
} from '../../../../../domain/keys/deploy-token.js';
import type { Dialect } from '../dialect/dialect.js';
import { readInstantOrNull } from '../dialect/nullable-instants.js';
import type { RowOf } from '../tables.js';

export type DeployTokenRow = RowOf<'deploy_tokens'>;

const placeOf = ({ id, project_id, namespace_id }: DeployTokenRow): DeployTokenPlace => {
  if (project_id !== null) return { kind: 'project', id: project_id };
  if (namespace_id !== null) return { kind: 'group', id: namespace_id };
  throw new Error(`Deploy token ${id} belongs nowhere.`);
};

/** The columns that say where a token belongs. */
export const columnsOf = (place: DeployTokenPlace): Pick<DeployTokenRow, 'project_id' | 'namespace_id'> =>
  place.kind === 'project'
    ? { project_id: place.id, namespace_id: null }
    : { project_id: null, namespace_id: place.id };

export const toDeployToken = (row: DeployTokenRow, dialect: Dialect): DeployToken => ({
  id: row.id,
  place: placeOf(row),
  name: row.name,
  username: usernameOf(row.id, row.username),
  scopes: row.scopes.split(' ') as DeployTokenScope[],
  expiresAt: readInstantOrNull(dialect, row.expires_at),
  lastUsedAt: readInstantOrNull(dialect, row.last_used_at),
  createdAt: dialect.readInstant(row.created_at),
});
