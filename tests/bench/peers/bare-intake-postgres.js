// The limit on PostgreSQL: the same rows by hand-written statements of whole groups, behind a bare node:http handler.
import pg from 'pg';
import { serveBareIntake, sha256 } from './bare-intake-server.js';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const connect = async () => {
  const client = new pg.Client({ connectionString: process.env.BENCH_DATABASE, pipeline: true });
  await client.connect();
  return client;
};
const [reader, writer] = [await connect(), await connect()];

const statement = (name, text) => (client, values) => client.query({ name, text, values });
const FIND = statement(
  'find',
  "select i.id, i.project_id, i.key_digest from alert_integrations i join projects p on p.id = i.project_id where p.full_path_key = $1 and i.type = 'generic' and i.active",
);
const FIND_OPEN = statement(
  'find open',
  "select id, iid, title, project_id, fingerprint from alerts where project_id = any ($1::bigint[]) and fingerprint = any ($2::text[]) and fingerprint is not null and status <> 'resolved' order by fingerprint for update",
);
const HOLD = statement(
  'hold',
  "insert into project_counters (project_id, kind, last_number) values ($1, 'alert', $2) on conflict (project_id, kind) do update set last_number = project_counters.last_number + $2 returning last_number",
);
const COUNT = statement(
  'count',
  'update alerts set events = events + given.times, updated_at = $3 from unnest($1::bigint[], $2::integer[]) as given(id, times) where alerts.id = given.id',
);
const OPEN = statement(
  'open',
  `insert into alerts (project_id, integration_id, iid, status, severity_rank, title, description, service, monitoring_tool, hosts, fingerprint, search_key, started_at, events, payload, created_at, updated_at)
   select project_id, integration_id, iid, 'triggered', 1, title, description, service, tool, '[]', fingerprint, search_key, $1, 1, payload, $1, $1
   from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
     as given(project_id, integration_id, iid, title, description, service, tool, fingerprint, search_key, payload)
   returning id, fingerprint, project_id`,
);
const ARRIVE = statement(
  'arrive',
  'insert into alert_arrivals (alert_id, outcome, reason, arrived_at) select id, outcome, reason, $1 from unnest($2::bigint[], $3::text[], $4::text[]) as given(id, outcome, reason)',
);
const LOG = statement(
  'log',
  `insert into alert_deliveries (integration_id, outcome, reason, status, alert_iids, payload, received_at, expires_at)
   select id, 'accepted', outcome, 200, iids, payload, $1, $1 from unnest($2::bigint[], $3::text[], $4::text[], $5::text[]) as given(id, outcome, iids, payload)`,
);

// What is asked in one turn is looked up once.
const asked = new Map();
const findIntegration = (path) => {
  const known = asked.get(path);
  if (known !== undefined) return known;
  if (asked.size === 0) setImmediate(() => asked.clear());
  const found = FIND(reader, [path]).then(({ rows: [row] }) => row);
  asked.set(path, found);
  return found;
};

const nameOf = (projectId, digest) => `${projectId} ${digest}`;
const column = (rows, name) => rows.map((row) => row[name]);

/** Opens what is not open yet; of each project the numbers at once. */
const openAll = async (missing, known, now) => {
  const byProject = Map.groupBy(missing, ({ projectId }) => projectId);
  const held = await Promise.all([...byProject].map(([id, alerts]) => HOLD(writer, [id, alerts.length])));
  [...byProject.values()].forEach((alerts, place) => {
    const first = held[place].rows[0].last_number - alerts.length + 1;
    alerts.forEach((alert, index) => (alert.iid = first + index));
  });
  const names = 'projectId integrationId iid title description service tool digest searched text'.split(' ');
  const { rows } = await OPEN(writer, [now, ...names.map((name) => column(missing, name))]);
  for (const { id, fingerprint, project_id: projectId } of rows) known.get(nameOf(projectId, fingerprint)).id = id;
};

const takeGroup = async (group) => {
  const now = new Date().toISOString();
  const given = group.map(({ integration, text }) => {
    const { title, description, service, monitoring_tool: tool, fingerprint } = JSON.parse(text);
    const searched = `${title} ${description} ${service} ${tool}`.toLowerCase();
    const digest = sha256(`string:${fingerprint}`);
    const { id: integrationId, project_id: projectId } = integration;
    return { integrationId, projectId, title, description, service, tool, searched, digest, text };
  });
  writer.query('begin');
  const { rows } = await FIND_OPEN(writer, [[...new Set(column(given, 'projectId'))], column(given, 'digest')]);
  const known = new Map(rows.map((row) => [nameOf(row.project_id, row.fingerprint), row]));
  const missing = [];
  const times = new Map();
  const touched = given.map((alert) => {
    const name = nameOf(alert.projectId, alert.digest);
    const open = known.get(name);
    if (open === undefined) {
      missing.push(alert);
      known.set(name, alert);
      return { alert, outcome: 'opened', reason: 'no_open_alert' };
    }
    times.set(open, (times.get(open) ?? 0) + 1);
    return { alert: open, outcome: 'counted', reason: 'same_fingerprint' };
  });
  if (missing.length > 0) await openAll(missing, known, now);
  const answers = touched.map(({ alert: { iid, title } }) => [{ iid, title }]);
  const outcomes = column(touched, 'outcome');
  const iids = answers.map(([{ iid }]) => `[${iid}]`);
  await Promise.all([
    times.size > 0 && COUNT(writer, [[...times.keys()].map(({ id }) => id), [...times.values()], now]),
    ARRIVE(writer, [now, touched.map(({ alert: { id } }) => id), outcomes, column(touched, 'reason')]),
    LOG(writer, [now, column(given, 'integrationId'), outcomes, iids, column(given, 'text')]),
    writer.query('commit'),
  ]);
  return answers;
};

serveBareIntake({ findIntegration, takeGroup });
