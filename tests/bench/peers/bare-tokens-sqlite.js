// The limit on SQLite: the rows of an exchange or a refresh by prepared statements with group commit, behind a bare node:http handler.
import Database from 'better-sqlite3';
import { serveBareTokens, validity } from './bare-tokens-server.js';

const database = new Database(process.env.BENCH_DATABASE);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.pragma('foreign_keys = ON');

const findClient = database.prepare('select id, secret_digest from oauth_applications where uid = ?');
const findCode = database.prepare(
  'select id, user_id, scopes, authenticated_at from oauth_authorization_codes where digest = ? and application_id = ? and grant_id is null and expires_at > ?',
);
const findRefresh = database.prepare(
  `select t.id, t.grant_id, t.access_token_id, g.scopes from oauth_refresh_tokens t join oauth_grants g on g.id = t.grant_id
   where t.digest = ? and g.application_id = ? and t.rotated_at is null and g.revoked_at is null`,
);
const grant = database.prepare(
  `insert into oauth_grants (user_id, application_id, kind, scopes, authenticated_at, created_at)
   values (?, ?, 'authorization_code', ?, ?, ?) returning id`,
);
const access = database.prepare(
  'insert into oauth_access_tokens (digest, grant_id, scopes, created_at, expires_at) values (?, ?, ?, ?, ?) returning id',
);
const refresh = database.prepare(
  'insert into oauth_refresh_tokens (digest, grant_id, access_token_id, created_at, repeats) values (?, ?, ?, ?, 0)',
);
const redeem = database.prepare('update oauth_authorization_codes set grant_id = ? where id = ?');
const rotate = database.prepare('update oauth_refresh_tokens set rotated_at = ?, expires_at = ? where id = ?');
const end = database.prepare('update oauth_access_tokens set revoked_at = ? where id = ?');

const addTokens = ({ accessDigest, refreshDigest }, grantId, scopes, { at, until }) => {
  const { id } = access.get(accessDigest, grantId, scopes, at, until);
  refresh.run(refreshDigest, grantId, id, at);
};

const exchange = (asked, when) => {
  const { id, user_id: userId, scopes, authenticated_at: since } = findCode.get(asked.shown, asked.client.id, when.at);
  const { id: grantId } = grant.get(userId, asked.client.id, scopes, since, when.at);
  addTokens(asked, grantId, scopes, when);
  redeem.run(grantId, id);
  return { scopes };
};

const renew = (asked, when) => {
  const { id, grant_id: grantId, access_token_id: former, scopes } = findRefresh.get(asked.shown, asked.client.id);
  addTokens(asked, grantId, scopes, when);
  rotate.run(when.at, when.until, id);
  end.run(when.at, former);
  return { scopes };
};

const give = database.transaction((group) => {
  const when = validity();
  return group.map((asked) => (asked.kind === 'code' ? exchange(asked, when) : renew(asked, when)));
});
serveBareTokens({ findClient: (uid) => findClient.get(uid), give: give.immediate });
