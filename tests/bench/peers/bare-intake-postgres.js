// The limit on PostgreSQL: the same rows by hand-written statements of whole groups, behind a bare node:http handler. With BENCH_INCIDENTS each
// new alert opens an incident, whose rows are as those of the first one, which the service has opened.
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
  'insert into project_counters (project_id, kind, last_number) values ($1, $3, $2) on conflict (project_id, kind) do update set last_number = project_counters.last_number + $2 returning last_number',
);
const COUNT = statement(
  'count',
  'update alerts set events = events + given.times, updated_at = $3 from unnest($1::bigint[], $2::integer[]) as given(id, times) where alerts.id = given.id',
);
const OPEN = statement(
  'open',
  `insert into alerts (project_id, integration_id, issue_id, iid, status, severity_rank, title, description, service, monitoring_tool, hosts, fingerprint, search_key, started_at, events, payload, created_at, updated_at)
   select project_id, integration_id, issue_id, iid, 'triggered', 1, title, description, service, tool, '[]', fingerprint, search_key, $1, 1, payload, $1, $1
   from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::bigint[])
     as given(project_id, integration_id, iid, title, description, service, tool, fingerprint, search_key, payload, issue_id)
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

const withIncidents = process.env.BENCH_INCIDENTS === 'true';
const FIRST = `select i.author_id, i.description, i.search_key, i.severity, l.label_id, e.feed, e.action, e.target_type
  from issues i join subject_labels l on l.subject_id = i.id join activity_events e on e.subject_id = i.id or e.target_id = i.id limit 1`;
const first = withIncidents ? (await reader.query(FIRST)).rows[0] : undefined;
const { rows: causes } = await reader.query('select kind, actor_id, details from notification_causes');
const OPEN_INCIDENTS = statement(
  'open incidents',
  `with given as materialized (
     select nextval(pg_get_serial_sequence('subjects', 'id')) as id, * from unnest($1::bigint[], $2::bigint[], $3::text[]) as g(project_id, iid, title)
   ),
   subject as (insert into subjects (id, kind, project_id) overriding system value select id, 'issue', project_id from given),
   issue as (
     insert into issues (id, project_id, iid, kind, title, description, search_key, state, severity, confidential, author_id, created_at, updated_at)
     select id, project_id, iid, 'incident', title, $4, $5, 'opened', $6, false, $7::bigint, $8, $8 from given
   ),
   label as (insert into subject_labels (subject_id, label_id) select id, $9::bigint from given),
   event as (
     insert into activity_events (feed, author_id, action, target_type, target_id, target_iid, target_title, subject_id, created_at)
     select $10::bigint, $7, $11::integer, $12::integer, id, iid, title, id, $8 from given
   ),
   cause as (
     insert into notification_causes (kind, project_id, subject_id, actor_id, details, told_up_to, created_at, expires_at)
     select c.kind, project_id, given.id, c.actor_id, c.details, 0, $8, $8
     from given cross join unnest($13::text[], $14::bigint[], $15::text[]) as c(kind, actor_id, details) returning id
   ),
   job as (
     insert into jobs (kind, payload, attempts, run_at, created_at)
     select 'bench', json_build_object('causeId', id)::text, 0, '9999-01-01', $8 from cause
   )
   select id from given order by iid`,
);

/** Their numbers at once; answers their ids in the order of the alerts. */
const openIncidents = async (alerts, now) => {
  const { rows } = await HOLD(writer, [alerts[0].projectId, alerts.length, 'issue']);
  const from = rows[0].last_number - alerts.length + 1;
  const given = [column(alerts, 'projectId'), alerts.map((_, index) => from + index), column(alerts, 'title')];
  const { description, search_key: searched, severity, author_id: author, label_id: labelId } = first;
  const told = [column(causes, 'kind'), column(causes, 'actor_id'), column(causes, 'details')];
  const event = [first.feed, first.action, first.target_type];
  const all = [...given, description, searched, severity, author, now, labelId, ...event, ...told];
  return column((await OPEN_INCIDENTS(writer, all)).rows, 'id');
};

const nameOf = (projectId, digest) => `${projectId} ${digest}`;
const column = (rows, name) => rows.map((row) => row[name]);

/** Opens what is not open yet; of each project the numbers at once. */
const openAll = async (missing, known, now) => {
  const byProject = Map.groupBy(missing, ({ projectId }) => projectId);
  const held = await Promise.all([...byProject].map(([id, alerts]) => HOLD(writer, [id, alerts.length, 'alert'])));
  [...byProject.values()].forEach((alerts, place) => {
    const first = held[place].rows[0].last_number - alerts.length + 1;
    alerts.forEach((alert, index) => (alert.iid = first + index));
  });
  const issues = withIncidents ? await openIncidents(missing, now) : missing.map(() => null);
  const names = 'projectId integrationId iid title description service tool digest searched text'.split(' ');
  const { rows } = await OPEN(writer, [now, ...names.map((name) => column(missing, name)), issues]);
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
