// The limit on PostgreSQL: the rows of a group of exchanges or refreshes by one hand-written statement, behind a bare node:http handler.
import pg from 'pg';
import { serveBareTokens, validity } from './bare-tokens-server.js';

const connect = async () => {
  const client = new pg.Client({ connectionString: process.env.BENCH_DATABASE, pipeline: true });
  await client.connect();
  return client;
};
const [reader, writer] = [await connect(), await connect()];

const ADDED = `
  access as (
    insert into oauth_access_tokens (digest, grant_id, scopes, created_at, expires_at)
    select access_digest, grant_id, scopes, $5, $6 from granted returning id, grant_id
  ),
  refresh as (
    insert into oauth_refresh_tokens (digest, grant_id, access_token_id, created_at, repeats)
    select granted.refresh_digest, grant_id, access.id, $5, 0 from granted join access using (grant_id)
  )`;
const ASKED = `asked as materialized (
    select * from unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) as a(shown, client_id, access_digest, refresh_digest)
  )`;

// What is asked in a `case` the planner looks for no index of: it would read all codes that were never used.
const EXCHANGE = `with ${ASKED},
  found as materialized (
    select nextval('oauth_grants_id_seq') as grant_id, asked.*, c.id as code_id, c.user_id, c.scopes, c.authenticated_at
    from asked join oauth_authorization_codes c on c.digest = asked.shown and c.application_id = asked.client_id
    where case when c.grant_id is null and c.expires_at > $5 then true else false end
  ),
  opened as (
    insert into oauth_grants (id, user_id, application_id, kind, scopes, authenticated_at, created_at)
    overriding system value
    select grant_id, user_id, client_id, 'authorization_code', scopes, authenticated_at, $5 from found
  ),
  granted as (select * from found),
  ${ADDED},
  redeemed as (
    update oauth_authorization_codes c set grant_id = found.grant_id from found where c.id = found.code_id
  )
  select shown, scopes from granted`;

const RENEW = `with ${ASKED},
  granted as materialized (
    select asked.*, t.id as token_id, t.grant_id, t.access_token_id as former, g.scopes
    from asked join oauth_refresh_tokens t on t.digest = asked.shown join oauth_grants g on g.id = t.grant_id
    where t.rotated_at is null and g.revoked_at is null and g.application_id = asked.client_id
  ),
  ${ADDED},
  rotated as (
    update oauth_refresh_tokens t set rotated_at = $5, expires_at = $6 from granted where t.id = granted.token_id
  ),
  ended as (
    update oauth_access_tokens t set revoked_at = $5 from granted where t.id = granted.former
  )
  select shown, scopes from granted`;

// What is asked in one turn is looked up once.
const asked = new Map();
const findClient = (uid) => {
  const known = asked.get(uid);
  if (known !== undefined) return known;
  if (asked.size === 0) setImmediate(() => asked.clear());
  const text = 'select id, secret_digest from oauth_applications where uid = $1';
  const found = reader.query({ name: 'client', text, values: [uid] }).then(({ rows: [row] }) => row);
  asked.set(uid, found);
  return found;
};

const write = async (kind, group) => {
  if (group.length === 0) return [];
  const { at, until } = validity();
  const column = (name) => group.map((each) => each[name]);
  const values = [
    column('shown'),
    group.map(({ client }) => client.id),
    column('accessDigest'),
    column('refreshDigest'),
  ];
  const text = kind === 'code' ? EXCHANGE : RENEW;
  return (await writer.query({ name: kind, text, values: [...values, at, until] })).rows;
};

const give = async (group) => {
  const of = (kind) =>
    write(
      kind,
      group.filter((each) => each.kind === kind),
    );
  const rows = (await Promise.all([of('code'), of('refresh')])).flat();
  const found = new Map(rows.map((row) => [row.shown, row]));
  return group.map(({ shown }) => found.get(shown));
};

serveBareTokens({ findClient, give });
